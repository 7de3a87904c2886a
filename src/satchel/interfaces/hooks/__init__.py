"""Hooks: an agent client's JSON in, its JSON out, exit code 0 whatever happens.

`entry` runs at every tool call of every agent: it imports a short list (see
tests/architecture/test_hot_path.py) and the rest only for events that inject.
"""
