"""Assertions about a project's memory, kept in the repository, and their results.

Does not own: recall, briefs, or reading code; the workspace does that.
"""
