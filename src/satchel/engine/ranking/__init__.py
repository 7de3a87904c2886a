"""Ranking arithmetic: pure functions of numbers and lists, without any I/O."""
