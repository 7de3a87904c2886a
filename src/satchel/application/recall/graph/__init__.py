"""Where recall meets the knowledge graph: its inputs, and what it says of notes."""
