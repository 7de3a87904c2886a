"""Engine: search, inference, ranking, Markdown and statements, independent of the subject."""
