"""Tasks as other programs keep them: beads' exports and Satchel's own `tasks.jsonl`.

It reads titles, states and parents. It does not own what was learned under a task, nor which
agent works on it, and never writes another program's files.
"""
