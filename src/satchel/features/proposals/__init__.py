"""Suggestions: changes waiting for a decision, and the decisions made.

Nothing here touches a file: `workspace` makes the changes that a user accepted.
"""
