"""Faces: they translate. Parse what came, call the workspace, render what it says."""
