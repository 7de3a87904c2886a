"""Gates: whether an agent's work may count as finished, judged by git and the task.

A gate that cannot be asked is open. Does not own: which events ask (faces), tasks (tasks).
"""
