"""Hooks: read a client's JSON, write an answer, always exit with 0.

`entry` runs at every tool call of every agent: it imports a short list (see
tests/architecture/test_hot_path.py) and the rest only for events that inject.
"""
