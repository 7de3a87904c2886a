"""Learning: hears what sessions teach, drafts suggestions, carries out what a review decides."""
