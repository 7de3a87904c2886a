"""What was learnt on which branch, and whether that work is part of what is checked out.

Does not own memories, and reads no line of code but to know a change again.
"""
