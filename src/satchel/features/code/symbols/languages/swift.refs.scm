(call_expression (simple_identifier) @call)
(call_expression (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call)))
(user_type (type_identifier) @use)
(import_declaration (identifier) @import)
