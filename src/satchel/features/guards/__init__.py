"""Guards: reviewed lessons that act before a tool runs, once a person here has approved them.

Does not own: gates (may work count as finished?), which event asks, what a client is answered.
"""
