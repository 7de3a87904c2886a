"""Claude Code: its settings, plugin, transcripts, instruction files. Nothing of other clients."""
