"""Clients: whatever is specific to one agent client. No feature knows their formats."""
