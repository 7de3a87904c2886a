"""Recall: a question becomes an answer with its sources, or the plain statement that there is none.

Does not own: the engines it asks (search), what may be injected where (briefs).
"""
