"""Notes, their sidecars, and Markdown collections: found, checked, described.

The files are the source of truth. The search engine, the graph and the place of the index live
elsewhere.
"""
