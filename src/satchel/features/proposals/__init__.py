"""Proposals: changes that nobody has agreed to yet, and what was decided about them.

Nothing of it touches a file: `workspace` makes the changes that a person accepted.
"""
