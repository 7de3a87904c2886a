"""Instruction files of every tier: finding them, their imports, their trust; `save_memory`.

Satchel's own notes and memories live elsewhere.
"""
