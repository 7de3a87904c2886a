"""From code to conversation: the sessions behind lines and commits, with evidence.

Does not own transcripts, memories or tasks: what it knows of sessions are places and marks.
"""
