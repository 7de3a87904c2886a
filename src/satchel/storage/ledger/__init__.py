"""The ledger: append-only JSON lines, one object a line. The source of truth.

Lines are added, never changed; a later line supersedes an earlier one. Does not own: what a kind
of record means (memories), how it is found (search), when it is rotated (upkeep).
"""
