"""Export: everything durable of a project or a user as one archive, and importing it.

Does not own: what may leave (privacy), backups of a whole home, or other programs' formats.
"""
