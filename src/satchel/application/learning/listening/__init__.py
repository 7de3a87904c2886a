"""Turns an agent's actions into memories worth keeping.

Reads shell commands and comments and returns the memories they contain. It does not own where
memories are stored, and reads no file: callers pass the text.
"""
