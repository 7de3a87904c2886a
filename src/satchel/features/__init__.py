"""Features: one self-contained package per subject. They do not import each other."""
