"""Finds requests not to keep something: "don't keep this", "off the record".

A text with such a request is never learned from or quoted, and leaves a mark in the archive. A
request addresses the listener, so it begins a clause: "users do not remember that" is about users,
"don't store this in the cookie" about code, and "never store passwords in plain text" is a rule.
"""

from __future__ import annotations

#: Replaces what is not kept.
MARK = "[not kept, as the person asked]"
#: From a longer turn, only the paragraph with the request is removed.
_SHORT_TURN = 600

_BEGINS = (
    r"(?:^|[.!?,;:(\]\n\u2013\u2014-])[\s\"'*]{0,4}"
    r"(?:(?:please|pls|but|and|so|ok(?:ay)?|just|also|btw|thanks?|hey|bitte)\b[\s,!]{1,4}){0,3}"
)
_THIS = r"(?:(?:any|all)\s{1,4}of\s{1,4})?(?:this|that)"
_MIND = r"(?:remember|memori[sz]e|record|note|write|keep|save|store|log)"
_ENDS = (
    r"(?:\s{1,4}(?:down|anywhere|conversation|please|in\s{1,4}(?:your\s{1,4})?memory))?"
    r"(?=\s{0,4}(?:[.,;:!)\u2013\u2014-]|$|\n|(?:but|though|ok(?:ay)?|please)\b))"
)
_OWN = (
    r"(?:\w{1,20}\s{1,4}){0,2}"
    r"(?:phone|mobile|number|salary|address|e-?mail|password|birthday|health|iban|pin)\b"
)
_ASKS = (
    r"(?i)(?:"
    rf"{_BEGINS}(?:(?:do\s{{1,4}}not|don['\u2019]?t|never)\s{{1,4}}(?:ever\s{{1,4}})?(?:{_MIND}\s{{1,4}}"
    rf"(?:{_THIS}\b{_ENDS}|my\s{{1,4}}{_OWN}|(?:any|every)thing\s{{1,4}}(?:about|of|from)\s{{1,4}}(?:my\b|me\b|this\s{{1,4}}conversation)"
    r"|(?:down\s{1,4})?what\s{1,4}I\s{1,4}(?:just\s{1,4})?(?:say|said|tell|told|mentioned)\b)"
    r"|(?:write|note)\s{1,4}(?:this|that|it)\s{1,4}(?:down|anywhere)\b"
    rf"|add\s{{1,4}}{_THIS}\s{{1,4}}to\s{{1,4}}(?:your\s{{1,4}}|the\s{{1,4}})?memory)"
    rf"|(?:you\s{{1,4}})?(?:shouldn['\u2019]?t|should\s{{1,4}}not|need\s{{1,4}}not|needn['\u2019]?t)\s{{1,4}}(?:remember|memori[sz]e)\s{{1,4}}{_THIS}\b"
    rf"|no\s{{1,4}}need\s{{1,4}}to\s{{1,4}}(?:remember|memori[sz]e)\s{{1,4}}{_THIS}\b{_ENDS}"
    rf"|keep\s{{1,4}}{_THIS}\s{{1,4}}(?:confidential|private|secret|between\s{{1,4}}us|to\s{{1,4}}yourself)\b"
    r"|(?:this\s{1,4}is\s{1,4}|strictly\s{1,4}|speaking\s{1,4})?"
    r"off[ -]the[ -]record\s{0,4}[,:;.!\u2013\u2014-]"
    r"|(?:this\s{1,4}(?:is|stays)\s{1,4}|it\s{1,4}stays\s{1,4}|strictly\s{1,4})?between\s{1,4}(?:you\s{1,4}(?:and|&)\s{1,4}me|us)\s{0,4}(?:[,:;!\u2013\u2014-]|\.?\s{0,4}$)"
    r"|merk\s{1,4}dir\s{1,4}(?:das\s{1,4})?nicht\b|(?:das\s{1,4})?(?:bitte\s{1,4})?nicht\s{1,4}merken\b"
    r"|speicher(?:e|n)?\s{1,4}(?:das|davon)\s{1,4}nicht\b"
    r"|ne\s{1,4}(?:retiens|garde|note)\s{1,4}pas\s{1,4}(?:\u00e7a|cela)\b"
    r"|no\s{1,4}(?:guardes|recuerdes)\s{1,4}(?:esto|eso)\b))"
)

#: Every request contains one of these.
_HINTS = (
    "remember",
    "memor",
    "record",
    "note",
    "write",
    "keep",
    "save",
    "store",
    "log",
    "between",
    "merk",
    "speicher",
    "retiens",
    "garde",
    "recuerdes",
)
#: What a program should leave alone under some condition is not about the conversation.
_CONDITION = r"(?i)\b(?:if(?!\s{1,4}you\b)|when|unless|while|once|where)\b"


def is_confidential(text: str) -> bool:
    """Return whether a text asks not to keep something in it."""
    lower = text.lower()
    if text == MARK or not any(word in lower for word in _HINTS):
        return text == MARK  # most turns: the pattern is never compiled
    import re

    said = _unquoted(text)
    return any(
        not re.search(_CONDITION, re.split(r"[.!?\n]", said[: found.start()])[-1])
        for found in re.finditer(_ASKS, said)
    )


def _unquoted(text: str) -> str:
    """Drop quoted lines: someone else's request is not the person's."""
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith(">"))


def without_confidential(text: str) -> str:
    """Replace a turn, or its paragraph, that asks not to be kept with a mark."""
    if not is_confidential(text):
        return text
    if len(text) <= _SHORT_TURN:
        return MARK
    parts = text.split("\n\n")
    return "\n\n".join(MARK if is_confidential(part) else part for part in parts)
