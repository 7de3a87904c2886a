"""Markdown as text: front matter, sections, chunks, links. Pure: opens no file.

Does not own: which files are read, what a field of a note means, what is indexed.
"""
