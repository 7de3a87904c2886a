"""Engine: search, inference, ranking and Markdown, independent of the subject."""
