"""Codex: its transcripts and its settings. Nothing of other clients."""
