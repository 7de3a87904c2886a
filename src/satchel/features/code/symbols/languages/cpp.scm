(function_definition declarator: (function_declarator declarator: [(identifier) (field_identifier) (operator_name) (destructor_name)] @name)) @function
(function_definition declarator: (function_declarator declarator: (qualified_identifier scope: (_) @parent name: [(identifier) (operator_name) (destructor_name)] @name))) @method
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier)] @name))) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier scope: (_) @parent name: (identifier) @name)))) @method
(function_definition declarator: (reference_declarator (function_declarator declarator: [(identifier) (field_identifier)] @name))) @function
(function_definition declarator: (reference_declarator (function_declarator declarator: (qualified_identifier scope: (_) @parent name: (identifier) @name)))) @method
(function_definition declarator: (function_declarator declarator: (qualified_identifier name: (qualified_identifier scope: (_) @parent name: [(identifier) (operator_name) (destructor_name)] @name)))) @method
(namespace_definition name: (_) @name) @space
(field_declaration declarator: (function_declarator declarator: (field_identifier) @name)) @method
(class_specifier name: (type_identifier) @name body: (_)) @class
(struct_specifier name: (type_identifier) @name body: (_)) @class
(union_specifier name: (type_identifier) @name body: (_)) @class
(enum_specifier name: (type_identifier) @name body: (_)) @type
(type_definition declarator: (type_identifier) @name) @type
(alias_declaration name: (type_identifier) @name) @type
(concept_definition name: (identifier) @name) @interface
(preproc_function_def name: (identifier) @name) @function
(preproc_def name: (identifier) @name value: (_)) @variable
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @variable)
