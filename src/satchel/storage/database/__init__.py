"""The database seam: at most ten methods, one conformance suite for every engine behind it.

Does not own: any table. Subjects bring their SQL in named, described queries.
"""
