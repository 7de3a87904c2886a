"""What an agent did about a cause that it found, said in the next sentence. Pure."""

from __future__ import annotations

from satchel.application.learning.signals.speech.wording import begun_with_a_capital
from satchel.storage.kept_patterns import spoken

#: Longest cure, and longest cause to follow with one, in characters.
_LONGEST_CURE, _LONGEST_CAUSE = 160, 240
_CURE = spoken(
    r"\*{0,2}(?:the )?(?:fix|cure|solution|remedy|workaround)\*{0,2} ?(?::|is\b|was\b)"
    r"|(?:so )?(?:i|we)(?: have|['\u2019]ve)? (?:now )?(?:switched|changed|replaced|moved|pinned"
    r"|set|raised|wrapped|added(?! (?:\w+ ){0,3}tests?\b)|removed|installed|upgraded"
    r"|renamed)\b(?=.{0,120}`)|with `[^`\n]{2,60}` it (?:works|passes|builds|runs)\b"
)
#: What is only planned or supposed cures nothing yet.
_UNSURE = spoken(
    r"\b(?:might|maybe|perhaps|probably|could|would|should i|shall i|try|let me)\b|\? ?$"
)


def with_cure(cause: str, following: str) -> str:
    """Return a cause together with the next sentence, if that tells what was done about it."""
    said = " ".join(following.replace("**", "").split()).rstrip(" .")
    known = len(cause) <= _LONGEST_CAUSE and 0 < len(said) <= _LONGEST_CURE
    if not known or not _CURE.match(said) or _UNSURE.search(said):
        return cause
    ends = "" if cause.endswith((".", "!")) else "."
    return f"{cause.rstrip(';')}{ends} {begun_with_a_capital(said)}"


def whole(clauses: list[str]) -> list[str]:
    """Join clauses at a semicolon: an agent gives the cause before it, the cure after it."""
    said: list[str] = []
    for clause in clauses:
        if said and said[-1].endswith(";"):
            said[-1] += f" {clause}"
        else:
            said.append(clause)
    return said
