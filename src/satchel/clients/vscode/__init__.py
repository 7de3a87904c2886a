"""VS Code: its settings. Its agent is Copilot, whose hooks and skills it shares."""
