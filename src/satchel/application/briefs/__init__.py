"""Briefs: fenced text for agents, composed of sections within one token budget.

Does not own: what is remembered (memories), what was found (recall), where it is noted down that
something was injected (injections).
"""
