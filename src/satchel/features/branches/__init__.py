"""Which branch a memory was learned on, and whether that work is in what is checked out.

Does not own memories, and only reads code to recognize changes.
"""
