"""Access to a server: users, roles per project, tokens, the audit log."""
