"""What an agent did about a cause that it found, said in the next sentence. Pure."""

from __future__ import annotations

import re

from satchel.application.learning.signals.own_words import begun_with_a_capital

#: Longest cure, and longest cause to follow with one, in characters.
_LONGEST_CURE, _LONGEST_CAUSE = 160, 240
_CURE = re.compile(
    r"\*{0,2}(?:the\s+)?(?:fix|cure|solution|remedy|workaround)\*{0,2}\s?(?::|is\b|was\b)"
    r"|(?:so\s+)?(?:i|we)(?:\s+have|['\u2019]ve)?\s+(?:now\s+)?(?:switched|changed|replaced|moved|pinned|set|raised|wrapped"
    r"|added(?!\s+(?:\w+\s+){0,3}tests?\b)|removed|installed|upgraded|renamed)\b(?=.{0,120}`)"
    r"|with\s+`[^`\n]{2,60}`\s+it\s+(?:works|passes|builds|runs)\b",
    re.IGNORECASE,
)
#: What is only planned or supposed cures nothing yet.
_UNSURE = re.compile(
    r"\b(?:might|maybe|perhaps|probably|could|would|should\s+i|shall\s+i|try|let\s+me)\b|\?\s*$",
    re.IGNORECASE,
)


def with_cure(cause: str, following: str) -> str:
    """Return a cause together with the next sentence, if that tells what was done about it."""
    said = " ".join(following.replace("**", "").split()).rstrip(" .")
    known = len(cause) <= _LONGEST_CAUSE and 0 < len(said) <= _LONGEST_CURE
    if not known or not _CURE.match(said) or _UNSURE.search(said):
        return cause
    ends = "" if cause.endswith((".", "!")) else "."
    return f"{cause.rstrip(';')}{ends} {begun_with_a_capital(said)}"
