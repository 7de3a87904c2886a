"""Commands about backups: parse, call the workspace, print. No decision is made here."""
