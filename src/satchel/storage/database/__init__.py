"""The database interface: at most ten methods, one conformance suite for every engine.

Does not own: any table. Subjects bring their SQL in named, described queries.
"""
