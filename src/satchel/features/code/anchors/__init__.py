"""Anchors: the code that a memory is about."""
