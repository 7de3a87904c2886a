"""Injections: what agents were shown, why, at which rank and cost. A private ledger.

Does not own: choosing what to inject (briefs).
"""
