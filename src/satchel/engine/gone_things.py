"""What a later statement says is gone: "the ftp is gone" ends what was said about the ftp. Pure."""

from __future__ import annotations

import re

from satchel.storage.kept_patterns import LazyPattern

#: "The old admin is gone", "that helper no longer exists", "the ftp was shut down".
_GONE = LazyPattern(
    r"(?:^|[,;:.]\s{1,4}|\band\s{1,4}|\bbut\s{1,4})(?:(?:the|our|that|their)\s{1,4})"
    r"(?P<thing>[\w.+/-]{2,40}(?:\s{1,4}(?!is\b|was\b|has\b|are\b)[\w.+/-]{2,40}){0,2})\s{1,4}"
    r"(?:(?:is|are|was|were|has\s{1,4}been|got)\s{1,4}(?:now\s{1,4}|all\s{1,4})?"
    r"(?:gone|retired|shut\s{1,4}down|switched\s{1,4}off|removed|deleted|dead)|no\s{1,4}longer\s{1,4}exists?)"
    r"(?=\s*(?:[,;.!]|$|since\b|now\b|by\s+now\b))",
    re.IGNORECASE,
)
#: "So no subtracting anymore".
_NO_MORE = LazyPattern(
    r"\bno\s{1,4}(?:more\s{1,4})?(?P<verb>[a-z]{3,20})ing\b(?:\s{1,4}\w{1,20}){0,3}?\s{1,4}(?:any\s?more|needed|necessary)\b",
    re.IGNORECASE,
)
_WORD = LazyPattern(r"[\w.+/-]+")
_ARTICLES = frozenset(("the", "our", "a", "an", "their", "this", "that", "every", "each"))
#: Where a subject ends.
_VERBS = frozenset(
    "is are was were has have had only runs opens lives sits needs takes sends returns uses gets"
    " allows accepts works can must should may will does keeps holds serves listens".split()
)
#: Words longer than this are significant.
_SHORT = 3
#: Most words in a subject.
_MOST = 4


def gone(later: str, earlier: str) -> str:
    """Return what a later statement says is gone, if an earlier one is about it; or ""."""
    subject = _subject(earlier)
    for found in _GONE.finditer(later):
        thing = found["thing"].lower().split()
        if subject[-len(thing) :] == thing:
            return " ".join(thing)
    ended = _NO_MORE.search(later)
    return ended["verb"] if ended and _does(ended["verb"].lower(), later, earlier) else ""


def _does(verb: str, later: str, earlier: str) -> bool:
    """Return whether an earlier statement has something done to the thing that both name."""
    mine, theirs = (
        {word.lower() for word in _WORD.findall(text) if len(word) > _SHORT}
        for text in (later, earlier)
    )
    done = {verb, f"{verb}e", verb[:-1]} & theirs
    return bool(done) and bool((mine & theirs) - done)


def _subject(text: str) -> list[str]:
    """Return the words before a statement's verb, if there are few; else none."""
    words = [word.lower() for word in _WORD.findall(text[:200])]
    begin = 1 if words[:1] and words[0] in _ARTICLES else 0
    end = next((at for at, word in enumerate(words) if word in _VERBS), 0)
    return words[begin:end] if begin < end <= begin + _MOST else []
