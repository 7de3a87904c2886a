(class_declaration name: (type_identifier) @name) @class
(protocol_declaration name: (type_identifier) @name) @interface
(function_declaration name: (simple_identifier) @name) @function
(protocol_function_declaration name: (simple_identifier) @name) @method
(typealias_declaration name: (type_identifier) @name) @type
