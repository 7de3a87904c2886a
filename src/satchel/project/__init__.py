"""Projects: which project a directory belongs to, and where its private state is.

A project is the id in its tracked `project.toml` together with the repository's root commit, so
that clones and worktrees share memories and a copied template does not. Does not own: what is
remembered, or where tracked files lie (layout).
"""
