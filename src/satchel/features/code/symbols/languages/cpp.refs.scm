(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(call_expression function: (qualified_identifier name: (identifier) @call))
(call_expression function: (template_function name: (identifier) @call))
(type_identifier) @use
(argument_list (identifier) @use)
(preproc_include path: (_) @import)
