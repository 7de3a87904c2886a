"""Health: what is wrong with a project's memory, and how much of it there is. Read-only.

Does not own: repairs (the workspace rebuilds the index, upkeep rewrites ledgers).
"""
