"""Export: everything durable of a project or a user as one archive, and its import.

Does not own: what leaves (privacy), backups of a whole home, or other programs' formats.
"""
