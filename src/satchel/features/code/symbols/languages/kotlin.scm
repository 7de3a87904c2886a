(class_declaration name: (identifier) @name) @class
(object_declaration name: (identifier) @name) @class
(function_declaration name: (identifier) @name) @function
(type_alias type: (identifier) @name) @type
