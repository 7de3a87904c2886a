(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(type_identifier) @use
(argument_list (identifier) @use)
(preproc_include path: (_) @import)
