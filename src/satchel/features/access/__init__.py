"""Access: who may ask a server what. Users, roles per project, tokens, the audit log."""
