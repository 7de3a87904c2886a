"""Notes, their sidecars, and Markdown collections: found, checked, described.

The files belong to people and stay authoritative. Does not own: the engine that searches them, the
graph drawn from sidecars, where the index is.
"""
