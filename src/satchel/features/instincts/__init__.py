"""Instincts: micro-learnings with a confidence, in a YAML file that a team owns.

Does not own: learning notes (they are what an instinct is promoted to), the review queue.
"""
