(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @class
(enum_item name: (type_identifier) @name) @type
(union_item name: (type_identifier) @name) @type
(type_item name: (type_identifier) @name) @type
(trait_item name: (type_identifier) @name) @interface
(impl_item type: [(type_identifier) @name (generic_type type: (type_identifier) @name) (scoped_type_identifier name: (type_identifier) @name)]) @scope
(mod_item name: (identifier) @name body: (_)) @space
(const_item name: (identifier) @name) @variable
(static_item name: (identifier) @name) @variable
(macro_definition name: (identifier) @name) @function
