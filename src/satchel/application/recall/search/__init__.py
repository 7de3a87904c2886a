"""Searches memories by words, vectors and models, in every store."""
