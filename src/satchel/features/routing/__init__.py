"""Which agent a message goes to: profiles, five signals, and what outcomes teach.

Does not own who an agent is (`agents/`), nor which tier answers a question (`recall/routing.py`).
"""
