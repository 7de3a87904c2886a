"""Agents' identity files: SOUL, USER, IDENTITY, MEMORY, DECISIONS.

Does not own which agent a task goes to.
"""
