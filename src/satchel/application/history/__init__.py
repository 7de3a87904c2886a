"""History: what changed when, how it stood then, where a memory comes from."""
