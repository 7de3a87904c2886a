"""Syncing: a person's homes on several machines, kept alike through a git remote of theirs.

Does not own: what leaves a machine (privacy), what a home holds (holdings), the team's server.
"""
