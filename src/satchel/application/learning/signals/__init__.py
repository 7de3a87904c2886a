"""Signals: what in a conversation is worth keeping, found by its words and by its course.

Pure: text and turns in, signals out. No model, no file.
"""
