"""Carrying: all durable things of a project or a person in one archive, and into another home.

Does not own: what leaves (privacy), backups of a whole home, or other programs' formats.
"""
