"""Notes, their sidecars, and Markdown collections: found, checked, described.

The files belong to people and stay the truth. Does not own: the engine that searches them, the
graph of what sidecars name, where the index lies.
"""
