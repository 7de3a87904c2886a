"""opencode: its plugin, settings, transcripts and instruction files. Nothing of other clients."""
