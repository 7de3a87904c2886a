"""Source files as symbols, references, imports, roles and words."""
