"""Upkeep: scheduled maintenance of memories, such as expiry, purging and rotation.

Nothing here decides what is visible: an expired memory is hidden before upkeep runs. Does not own:
how a ledger is rewritten (ledger), when the inbox is drained (capture).
"""
