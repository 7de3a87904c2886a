"""Transcripts: reads clients' records of sessions. Read-only.

Does not own: Satchel's own sessions, archives, or what is learned from a transcript (capture).
"""
