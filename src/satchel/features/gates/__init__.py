"""Gates: may an agent's work count as finished? Asked of git and of the task, never of memory.

A gate that cannot be asked is open. Does not own: which events ask (faces), tasks (tasks).
"""
