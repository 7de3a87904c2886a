"""Features: one room for each subject, whole. They do not import each other."""
