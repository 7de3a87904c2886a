"""Core: errors, time, ids, trust, redaction, tokens, JSON, hashes. Imports nothing of ours."""
