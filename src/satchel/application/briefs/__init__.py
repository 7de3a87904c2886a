"""Briefs: fenced text for agents, composed of sections within one token budget.

Does not own: memories, what was found (recall), or the record of injections (injections).
"""
