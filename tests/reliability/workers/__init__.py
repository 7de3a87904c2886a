"""Programs that the suite starts as processes of their own: correct, or with one planted bug."""
