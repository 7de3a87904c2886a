"""From code to conversation: which session wrote a line and made a commit, by what evidence.

Does not own transcripts, memories or tasks: what it knows of sessions are places and marks.
"""
