"""The graph: entities, relations and communities, and how they age.

Everything in it is derived from notes, sidecars, ledgers and one private ledger of operations. The
project's files, memories and full-text search live elsewhere.
"""
