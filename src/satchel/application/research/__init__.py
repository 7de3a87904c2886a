"""Puts a question to every source: notes, code, documentation, the web if configured.

Owns what the sources disagree about and the dossier that is kept; owns none of the engines.
"""
