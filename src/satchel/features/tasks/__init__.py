"""Tasks: issues and what blocks them, in JSON lines shared with git and beads.

It reads and writes the tracked file, lists what is ready, and refuses cycles. It does not own what
was learned under a task, and never touches bd's database or export: if bd keeps the tasks, it uses
bd.
"""
