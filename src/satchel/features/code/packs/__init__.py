"""Context packs: the files and symbols for one task."""
