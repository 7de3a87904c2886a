"""Drafting: turns signals into suggestions with a target. Writes nothing."""
