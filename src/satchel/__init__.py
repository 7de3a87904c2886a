"""Satchel: the memory that coding agents carry from session to session."""

__version__ = "0.1.0"
