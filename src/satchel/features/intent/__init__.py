"""`PROJECT_INTENT.md`: its sections, its anchors, and which tasks are linked to them.

Does not own the tasks.
"""
