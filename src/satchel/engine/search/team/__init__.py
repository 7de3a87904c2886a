"""The index of a team's store, in PostgreSQL."""
