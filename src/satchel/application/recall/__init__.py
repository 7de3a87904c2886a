"""Recall: answers a question with sources, or says plainly that there is no answer.

Does not own: the engines it uses (search), or what may be injected where (briefs).
"""
