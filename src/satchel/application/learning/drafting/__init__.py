"""Drafting: what a signal becomes, and where it would go. Proposals alone; nothing is written."""
