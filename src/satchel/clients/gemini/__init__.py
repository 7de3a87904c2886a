"""Gemini CLI: its hooks, settings, transcripts and instruction files. Nothing of other clients."""
