"""Removes secrets and private text before the first durable byte.

Runs on the hot path of every hook, so importing this folder imports nothing but itself: no
pattern is compiled, and `re` is not even loaded, until the literal start of a secret is seen.
Does not own control characters and fences (see `satchel.core.trust`) or what may be shared.
"""
