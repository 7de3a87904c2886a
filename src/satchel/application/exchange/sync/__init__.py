"""Sync: keep a user's homes on several machines in sync through a git remote.

Does not own: what leaves a machine (privacy), what a home holds (inventory), the team's server.
"""
