"""Settings: one table, resolved from files and environment; the only reader of both.

Does not own: where files lie (layout), which project this is (projects).
"""
