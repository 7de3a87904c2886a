"""Clients: what is particular about each agent client. No subject knows their formats."""
