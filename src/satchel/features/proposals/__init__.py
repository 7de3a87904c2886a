"""Suggestions: changes waiting for a decision, and the decisions made.

Nothing of it touches a file: `workspace` makes the changes that a person accepted.
"""
