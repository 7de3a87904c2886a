"""Upkeep: what happens to memories with time. Expiry, purging, rotation, run by run.

Nothing here decides what is visible: an expired memory is out of sight before upkeep comes by.
Does not own: how a ledger is rewritten (ledger), when the inbox is drained (capture).
"""
