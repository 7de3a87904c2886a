"""Questions to the map, and the ranking of files by a question."""
