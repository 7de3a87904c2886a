"""Engine: search, inference, ranking and Markdown, for every subject alike."""
