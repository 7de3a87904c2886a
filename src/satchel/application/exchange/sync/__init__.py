"""Sync: keep a user's homes on several machines in sync through a git remote.

Does not own: what may leave a machine (privacy), what a home contains (inventory), the team's
server.
"""
