"""Editing files that people own: JSON with comments, TOML, marked blocks, plans."""
