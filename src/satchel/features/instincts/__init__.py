"""Soft rules: short rules with a confidence, in a YAML file that the team owns.

Does not own: learning notes (they are what an instinct is promoted to), the review queue.
"""
