"""Transcripts: reading what agent clients write about a session. Read only.

Does not own: sessions of Satchel's own, archives, or what a transcript teaches (capture).
"""
