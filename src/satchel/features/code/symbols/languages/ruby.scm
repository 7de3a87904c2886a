(class name: [(constant) @name (scope_resolution name: (constant) @name)]) @class
(module name: [(constant) @name (scope_resolution name: (constant) @name)]) @class
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(assignment left: (constant) @name) @variable
