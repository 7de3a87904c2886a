"""Soft rules: short rules with a confidence, in a YAML file that the team owns.

Does not own: learning notes (which instincts are promoted to), or the review queue.
"""
