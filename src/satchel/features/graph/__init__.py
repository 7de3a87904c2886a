"""The graph: entities, relations, communities, and what time does to them.

Everything in it is derived from notes, sidecars, ledgers and one private ledger of operations.
Does not own: which files a project has (workspace), what a memory means (memories), full text.
"""
