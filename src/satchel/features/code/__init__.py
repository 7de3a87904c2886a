"""The code of a project: symbols, references, the codebase map, ranking, context packs.

Keeps an index, never a copy of the source.
"""
