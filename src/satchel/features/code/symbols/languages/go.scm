(function_declaration name: (identifier) @name) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: [(type_identifier) @parent (pointer_type (type_identifier) @parent) (generic_type type: (type_identifier) @parent) (pointer_type (generic_type type: (type_identifier) @parent))])) name: (field_identifier) @name) @method
(type_declaration (type_spec name: (type_identifier) @name type: (struct_type)) @class)
(type_declaration (type_spec name: (type_identifier) @name type: (interface_type)) @interface)
(type_declaration (type_spec name: (type_identifier) @name) @type)
(type_declaration (type_alias name: (type_identifier) @name) @type)
(source_file (const_declaration (const_spec name: (identifier) @name) @variable))
(source_file (var_declaration (var_spec name: (identifier) @name) @variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @variable)))
