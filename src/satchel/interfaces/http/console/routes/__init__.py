"""The pages, grouped by task."""
