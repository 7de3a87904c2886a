"""Turns an agent's actions into memories worth keeping.

Reads shell commands and comments and says which memories they contain. It does not own where
memories are kept, and reads no file: whoever calls it has the text already.
"""
