(method_invocation name: (identifier) @call)
(object_creation_expression type: (type_identifier) @call)
(type_identifier) @use
(marker_annotation name: (identifier) @use)
(annotation name: (identifier) @use)
(argument_list (identifier) @use)
(import_declaration (scoped_identifier) @import)
