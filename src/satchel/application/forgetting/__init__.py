"""Forgetting: finds every file that still contains what is to be erased, and rewrites it.

Does not own: which memories those are, or which files exist (workspace).
"""
