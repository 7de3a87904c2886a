"""Edits user-owned files: JSON with comments, TOML, marked blocks, plans."""
