"""Tasks: issues and what blocks them, in JSON lines shared with git and beads.

It reads and writes the tracked file, says what is ready, and refuses circles. It does not own what
was learned under a task, and never touches bd's database or export: where bd keeps the tasks, it
asks bd.
"""
