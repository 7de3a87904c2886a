"""Finds a person's wish that something they say is not kept: "don't keep this", "off the record".

What carries such a wish is heard by nothing, quoted by nothing, and leaves a mark in the archive.
"""

from __future__ import annotations

#: What stands in place of such a turn.
MARK = "[not kept, as the person asked]"
#: "Never store passwords in plain text" is a rule, and "don't store this in the cookie" a task.
_ASKS = (
    r"(?i)\b(?:do\s{1,8}not|don['\u2019]?t|never)\s{1,8}(?:\w{1,40}\s{1,8})?"
    r"(?:store|save|keep|remember|record|memori[sz]e|note|write\s{1,8}down)\s{1,8}"
    r"(?:(?:any\s{1,8}of\s{1,8})?(?:this|that|it)\b(?=\s{0,8}(?:[.,;:!)]|$|please\b|down\b|anywhere\b))"
    r"|(?:any|every)thing\s{1,8}(?:about|of|from|that\s{1,8}I|I)\b|my\b|what\s{1,8}I\b)"
    r"|\boff\s{1,8}the\s{1,8}record\b|\bbetween\s{1,8}(?:you\s{1,8}and\s{1,8}me|us)\b"
    r"|\b(?:merk\s{1,8}dir\s{1,8}das\s{1,8}nicht|speicher(?:e|n)?\s{1,8}(?:das|davon)\s{1,8}nicht"
    r"|ne\s{1,8}(?:retiens|garde|note)\s{1,8}pas\s{1,8}(?:\u00e7a|cela)"
    r"|no\s{1,8}(?:guardes|recuerdes)\s{1,8}(?:esto|eso))\b"
)


def is_confidential(text: str) -> bool:
    """Return whether a turn asks that something of it is not kept."""
    import re

    return text == MARK or re.search(_ASKS, text) is not None


def without_confidential(text: str) -> str:
    """Return a person's turn, or a mark where they ask that it is not kept."""
    return MARK if is_confidential(text) else text
