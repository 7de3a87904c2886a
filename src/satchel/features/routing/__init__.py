"""Routing: chooses an agent for a message, by profiles, five signals and past outcomes.

Does not own who an agent is (`agents/`), or which tier answers a question (`recall/routing.py`).
"""
