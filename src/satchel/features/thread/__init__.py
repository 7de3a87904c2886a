"""From code to conversation: the sessions behind lines and commits, with evidence.

Does not own transcripts, memories or tasks: it only stores places and marks of sessions.
"""
