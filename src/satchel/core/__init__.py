"""Core: errors, time, ids, trust, redaction, tokens, JSON, hashes. Imports no other folder."""
