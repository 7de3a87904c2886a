"""Exchange: move memories to the team's ledger or from another program's files.

Does not own: how clients are wired (installers).
"""
