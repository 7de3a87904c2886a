"""Tasks: issues and what blocks them, in JSON lines shared with git and beads.

It reads and writes the tracked file, lists what is ready, and rejects cycles. Lessons learned under
a task live elsewhere. bd's database and export are never written: if bd keeps the tasks, changes go
through bd.
"""
