(function_definition declarator: (function_declarator declarator: (identifier) @name)) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) @function
(struct_specifier name: (type_identifier) @name body: (_)) @class
(union_specifier name: (type_identifier) @name body: (_)) @class
(enum_specifier name: (type_identifier) @name body: (_)) @type
(type_definition declarator: (type_identifier) @name) @type
(preproc_function_def name: (identifier) @name) @function
(preproc_def name: (identifier) @name value: (_)) @variable
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @variable)
(translation_unit (declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @variable)
