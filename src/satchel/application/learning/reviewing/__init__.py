"""Reviewing: shows suggestions as diffs, carries out what a person decides, and takes it back."""
