"""Beginnings of texts, as titles and lines of lists show them."""

from __future__ import annotations

#: A cut text keeps at least this share of what it may have: a long word is cut inside.
_LEAST = 0.5


def beginning(text: str, most: int) -> str:
    """Return a text on one line, at most `most` characters; what is cut ends in an ellipsis."""
    line = " ".join(text[: 4 * most].split())
    if len(line) <= most:
        return line
    cut = line[: most - 1]
    words = cut if line[most - 1] == " " else cut.rpartition(" ")[0]
    kept = words if len(words) >= _LEAST * most else cut
    return kept.rstrip(" ,.:;(-") + "\u2026"


def clipped(text: str, most: int) -> str:
    """Return at most `most` characters of a line as it is; what is cut ends in an ellipsis."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "\u2026"
