"""Backups of a home at one point in time, stored by content hash, and restoring them.

Does not own: what a home contains (inventory), or what a line means (ledger).
"""
