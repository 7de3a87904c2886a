"""Assertions about a project's memory, kept in the repository: what they say, how they came out.

Does not own: recalling, composing a brief, looking at code; the workspace does that.
"""
