"""Guards: reviewed rules that act before a tool runs, once approved on this machine.

Does not own: gates (may work count as finished?), which event asks, or the answer to a client.
"""
