"""Business records: tables with a declared schema, keeping every version of every row.

Does not own memories, or which tier a question goes to.
"""
