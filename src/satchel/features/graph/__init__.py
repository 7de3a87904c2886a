"""The graph: entities, relations and communities, and how they age.

Everything in it is derived from notes, sidecars, ledgers and one private ledger of operations.
Does not own: which files a project has (workspace), what a memory means (memories), full text.
"""
