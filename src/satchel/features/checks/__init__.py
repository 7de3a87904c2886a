"""Assertions about a project's memory, kept in the repository, and their results.

Does not own: recalling, composing a brief, looking at code; the workspace does that.
"""
