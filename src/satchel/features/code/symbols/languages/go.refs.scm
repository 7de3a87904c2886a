(call_expression function: (identifier) @call)
(call_expression function: (selector_expression field: (field_identifier) @call))
(type_identifier) @use
(argument_list (identifier) @use)
(selector_expression field: (field_identifier) @member)
(import_spec path: (interpreted_string_literal) @import)
