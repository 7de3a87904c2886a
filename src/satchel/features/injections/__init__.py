"""Injections: what was shown to an agent, why, at which rank and cost. A private ledger.

Does not own: choosing what to inject (briefs).
"""
