"""Forgetting: which bytes still say what is to be gone, and taking them out, file by file.

Does not own: which memories that are, and which files there are (workspace).
"""
