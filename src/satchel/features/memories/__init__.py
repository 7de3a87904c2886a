"""Memories of every kind: what they are, where they belong, how long they live.

It does not own the lines on disk (`ledger`) nor the search over them (`search`, `recall`).
"""
