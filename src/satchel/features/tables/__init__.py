"""Business records: tables by a declared schema, every version of every row kept.

Does not own memories, nor which tier a question goes to.
"""
