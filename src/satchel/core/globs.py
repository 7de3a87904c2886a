"""Globs over paths as regular expressions."""

from __future__ import annotations


def regex_of(glob: str) -> str:
    """Return a regular expression for a glob: `**` crosses directories, `*` and `?` do not.

    It has no anchors: whoever uses it says where a path must begin and end.
    """
    out, at = "", 0
    while at < len(glob):
        if glob.startswith("**/", at):
            out, at = out + "(?:.*/)?", at + 3
        elif glob.startswith("**", at):
            out, at = out + ".*", at + 2
        else:
            out, at = out + {"*": "[^/]*", "?": "[^/]"}.get(glob[at], literal(glob[at])), at + 1
    return out


def literal(text: str) -> str:
    """Return a pattern that matches exactly this text."""
    return "".join(c if c.isalnum() or c in "_-/ " or not c.isascii() else "\\" + c for c in text)
