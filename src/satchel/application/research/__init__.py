"""Asks every source a question: notes, code, documentation, the web if configured.

Owns the comparison of sources and the saved dossier, but none of the engines.
"""
