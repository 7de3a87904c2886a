(class_declaration name: (name) @name) @class
(trait_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(enum_declaration name: (name) @name) @type
(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @method
(const_declaration (const_element (name) @name)) @variable
