"""Backups of a home: one moment of it, kept by content, and the way back.

Does not own: what a home holds (holdings), or what a line means (ledger).
"""
