"""Instruction files of every tier: finding them, their imports, their trust; `save_memory`.

Does not own the notes and memories of Satchel itself.
"""
