"""Finds a person's wish that something they say is not kept: "don't keep this", "off the record".

What carries such a wish is heard by nothing, quoted by nothing, and leaves a mark in the archive.
"""

from __future__ import annotations

#: What stands in place of such a turn.
MARK = "[not kept, as the person asked]"
#: "Never store passwords in plain text" is a rule, "don't store this in the cookie" a task, and
#: "the helper is unused, don't keep it" is about code.
_NOT = r"(?i)\b(?:do\s{1,8}not|don['\u2019]?t|never)\s{1,8}(?:\w{1,40}\s{1,8})?"
_MIND = r"(?:remember|record|memori[sz]e|note|write\s{1,8}down)\s{1,8}"
_ENDS = r"\b(?=\s{0,8}(?:[.,;:!)]|$|please\b|down\b|anywhere\b))"
_ASKS = (
    rf"{_NOT}(?:(?:{_MIND}|(?:store|save|keep)\s{{1,8}})(?:(?:any\s{{1,8}}of\s{{1,8}})?(?:this|that){_ENDS}"
    r"|(?:any|every)thing\s{1,8}(?:about|of|from|that\s{1,8}I|I)\b"
    r"|my\s{1,8}(?:\w{1,40}\s{1,8})?(?:phone|number|salary|address|name|e-?mail|password|birthday|details|data)\b"
    r"|what\s{1,8}I\s{1,8}(?:just\s{1,8})?(?:say|said|tell|told|mention|mentioned)\b)"
    rf"|(?:{_MIND}(?:my|what\s{{1,8}}I)\b)|(?:remember|memori[sz]e)\s{{1,8}}it{_ENDS})"
    r"|\boff\s{1,8}the\s{1,8}record\b"
    r"|(?:^|[.,;:!?(\n]\s{0,8}|\b(?:just|only|stays?|strictly|that's|this\s{1,8}is)\s{1,8})"
    r"between\s{1,8}(?:you\s{1,8}and\s{1,8}me|us)(?=\s{0,8}(?:[.,;:!?)]|$))"
    r"|\b(?:merk\s{1,8}dir\s{1,8}das\s{1,8}nicht|speicher(?:e|n)?\s{1,8}(?:das|davon)\s{1,8}nicht"
    r"|ne\s{1,8}(?:retiens|garde|note)\s{1,8}pas\s{1,8}(?:\u00e7a|cela)"
    r"|no\s{1,8}(?:guardes|recuerdes)\s{1,8}(?:esto|eso))\b"
)
#: What a program is to leave alone under some condition is no wish about the conversation.
_CONDITION = r"(?i)\b(?:if|when|unless|while|once|where)\b"


def is_confidential(text: str) -> bool:
    """Return whether a turn asks that something of it is not kept."""
    import re

    return text == MARK or any(
        not re.search(_CONDITION, re.split(r"[.!?\n]", text[: found.start()])[-1])
        for found in re.finditer(_ASKS, text)
    )


def without_confidential(text: str) -> str:
    """Return a person's turn, or a mark where they ask that it is not kept."""
    return MARK if is_confidential(text) else text
