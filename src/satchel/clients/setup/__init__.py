"""Installs Satchel into other programs' settings: plan, show, apply, undo.

It owns only the entries that it wrote. It does not choose the client, and runs none.
"""
