"""Transcripts: reads clients' records of sessions. Read-only.

Does not own: sessions of Satchel's own, archives, or what a transcript teaches (capture).
"""
