"""History: what changed when, the state at a given time, and where a memory comes from."""
