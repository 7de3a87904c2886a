"""Memories of every kind: their content, their scope, their lifetime.

It does not own the lines on disk (`ledger`) nor the search over them (`search`, `recall`).
"""
