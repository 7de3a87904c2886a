"""Forgetting: finds every file that still contains what is to be erased, and rewrites it.

Does not own: which memories that are, and which files there are (workspace).
"""
