"""Interfaces only translate: parse input, call the workspace, render the result."""
