(class_declaration name: (identifier) @name) @class
(class name: (identifier) @name) @class
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(method_definition name: [(property_identifier) (private_property_identifier)] @name) @method
(field_definition property: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
(program (lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)])) @function)
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)])) @function))
(program (lexical_declaration (variable_declarator name: (identifier) @name)) @variable)
(program (variable_declaration (variable_declarator name: (identifier) @name)) @variable)
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name)) @variable))
(assignment_expression left: (member_expression property: (property_identifier) @name) right: [(function_expression) (arrow_function)]) @function
