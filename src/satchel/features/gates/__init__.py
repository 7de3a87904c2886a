"""Gates: whether an agent's work may count as finished, judged by git and the task.

A gate that cannot be checked is open. Does not own: which events use it (interfaces), or tasks
(tasks).
"""
