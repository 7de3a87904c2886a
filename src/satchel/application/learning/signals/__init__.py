"""Signals: what in a conversation is worth keeping, judged by its words and its course.

Pure: text and turns in, signals out. No model, no file.
"""
