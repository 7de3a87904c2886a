"""Ranking arithmetic: pure functions of numbers and lists. It may never do I/O of any kind."""
