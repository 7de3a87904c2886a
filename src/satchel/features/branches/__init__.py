"""Which branch a memory was learned on, and whether that work is in what is checked out.

Does not own memories, and reads no line of code but to know a change again.
"""
