"""Claude Code: its settings, hooks, plugin and transcripts. Nothing of other clients."""
