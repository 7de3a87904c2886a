"""Memories of every kind: their content, their scope, their lifetime.

Does not own the lines on disk (`ledger`), or the search over them (`search`, `recall`).
"""
