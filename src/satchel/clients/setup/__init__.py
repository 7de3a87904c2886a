"""Installs Satchel into other programs' settings: plan, show, apply, undo.

It owns only the entries that it wrote. It does not decide which client is meant, and runs none.
"""
