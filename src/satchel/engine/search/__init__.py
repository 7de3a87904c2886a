"""Search: one engine for every subject. Documents, sources, full text, ranking.

Everything here is derived from ledgers and files and can be deleted. Does not own: what a document
means, or who may see it (callers pass the sources visible to them).
"""
