"""Folds spellings that a person reads as ASCII: full-width, or with what nobody sees in between.

Only the search for secrets sees the folded text; what is no secret stays as it was written.
"""

from __future__ import annotations

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SPACES = dict.fromkeys((0xA0, 0x202F, 0x3000, *range(0x2000, 0x200B)), 0x20)
#: Soft hyphen, joiners, marks of direction, word joiners, variation selectors, byte order mark.
_UNSEEN = dict.fromkeys(
    (
        *(0xAD, 0x34F, 0x61C, 0x180E, 0xFEFF),
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xFE00, 0xFE10),
    )
)
_FOLDED: dict[int, int | None] = {**_FULL_WIDTH, **_SPACES, **_UNSEEN}

_COLOUR = "\x1b["
_LONGEST_COLOUR = 16


def fold(text: str) -> str:
    """Return `text` as it reads: ASCII for full-width letters, nothing for what is not seen."""
    return text if text.isascii() else text.translate(_FOLDED)


def places(text: str) -> list[int]:
    """Where each character of the folded text stands in `text`, and at last where that ends."""
    found = [at for at, c in enumerate(text) if ord(c) not in _UNSEEN]
    found.append(len(text))
    return found


def spaced(text: str) -> str:
    """Return `text` in ASCII, character by character, with spaces for what separates words.

    That is what stands before a word without being part of it: an escaped end of a line, a sign as
    a URL spells it, a terminal's colour, a letter of another alphabet.
    """
    if "\\" in text:
        text = text.replace("\\n", "  ").replace("\\t", "  ").replace("\\r", "  ")
    if "%" in text:
        for sign in ("%20", "%22", "%3A", "%3D", "%3a", "%3d"):
            text = text.replace(sign, "   ")
    if _COLOUR in text:
        text = _without_colours(text)
    return text if text.isascii() else text.encode("ascii", "replace").decode()


def _without_colours(text: str) -> str:
    out: list[str] = []
    for number, part in enumerate(text.split(_COLOUR)):
        end = part.find("m", 0, _LONGEST_COLOUR) + 1 if number else 0
        out.append(" " * (end + len(_COLOUR) * bool(number)) + part[end:])
    return "".join(out)
