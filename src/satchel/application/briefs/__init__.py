"""Briefs: what an agent reads. Sections composed within one token budget, in a fence, as data.

Does not own: what is remembered (memories), what was found (recall), where it is noted down that
something was injected (injections).
"""
