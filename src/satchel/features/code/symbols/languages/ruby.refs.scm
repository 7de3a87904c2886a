(call method: (identifier) @call)
(constant) @use
(call method: (identifier) @_require arguments: (argument_list (string (string_content) @import)) (#match? @_require "^require"))
