"""The map of the code: what is read, kept, updated and written down as CODEBASE_MAP.md."""
