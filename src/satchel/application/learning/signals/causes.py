"""Finds the sentence in which an agent says why something failed. Pure.

Only asked about a failure that work ended: there the message says where one meets it again, so the
cause may be told in plain words, without any name of code.
"""

from __future__ import annotations

import itertools
import re

from satchel.application.learning.signals.own_words import own_words, sentences
from satchel.engine.search.tokens import COMMON, words_of

_LEAST_WORDS, _LEAST_TELLING, _LONGEST = 9, 5, 240
_LONGEST_CURE = 120
_STATES = re.compile(
    r"\b(?:because|caused\s+by|due\s+to|(?:came|comes|stems|stemmed)\s+from|turn(?:s|ed)\s+out)\b"
    r"|^(?:the\s+)?(?:(?:root|actual|real|underlying)\s+)?"
    r"(?:cause|problem|issue|bug|culprit|reason)(?:\s+found|\s+(?:was|is|were))?\s?[:\u2014,]"
    r"|\b(?:cause|problem|issue|bug|culprit|reason)\s+(?:was|is)\b"
    r"|^(?:what\s+(?:was|went)\s+wrong|why\s+(?:it|this|that)\s+\w+)\s?[:\u2014]",
    re.IGNORECASE,
)
#: A slip of the agent's own or a test that its change made wrong, which nobody meets again.
_SLIP = re.compile(
    r"\b(?:typo|forgot\w*|my\s+\w+|I\s+(?:had\s+|just\s+|also\s+)?(?:missed|left|mis\w+|broke|added|removed|changed"
    r"|introduced|wrote|used)|missing\s+(?:an?\s+)?(?:comma|semicolon|bracket|brace|paren\w*|import|quote)s?"
    r"|indentation|syntax\s+error|as\s+expected|needs?\s+updating|tests?\b.{0,60}?\b(?:expect\w*|assert\w*|needs?))\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:might|maybe|perhaps|probably|possibly|likely|could\s+be|seems?|suspect|let\s+me|I['\u2019]ll"
    r"|not\s+sure|if|should|whether|unless)\b|\?\s*$",
    re.IGNORECASE,
)
#: About something named before, or an aside of the search.
_LOOSE = re.compile(
    r"(?:this|it(?!\s+turn(?:s|ed)\s+out\b)|that|these|those|they|because|would|in\s+most|actually|so|I)\b"
    r"|.*\b(?:works|pass(?:es)?|expected|better|great|fine)\b.{0,40}\bbecause\b|.*:$",
    re.IGNORECASE,
)
_CURE = re.compile(
    r"(?:(?:the\s+)?(?:fix|solution|cure)\s?:|what\s+I\s+changed\s?:|fixed\b|(?:so\s+)?(?:it|the\s+\w+|I|we)\s+"
    r"(?:now\s+|have\s+)?(?:uses?|reuses?|waits?|closes?|runs?|reads?|sets?|switched|changed|replaced|moved"
    r"|pinned|raised|wrapped|made|added(?!\s+(?:\w+\s+){0,3}tests?\b)|freezes?|now\s+\w{3,20})\b|now\s+(?:it|the|we)\b|one\b.{0,40}\bfixe[sd]\b)",
    re.IGNORECASE,
)


def cause_in(text: str) -> str:
    """Return the first sentence that states a cause, with what was done about it, or ""."""
    said = [one.replace("**", "").strip() for one in sentences(own_words(text))]
    for sentence, following in itertools.pairwise([*said, ""]):
        if _tells_a_cause(sentence):
            cause = sentence[:1].upper() + sentence[1:].rstrip(" .;")
            cured = len(following) <= _LONGEST_CURE and _CURE.match(following)
            return f"{cause}. {following.rstrip(' .')}" if cured else cause
    return ""


def _tells_a_cause(sentence: str) -> bool:
    words = sentence.split()
    telling = {word for word in words_of(sentence) if word not in COMMON}
    return (
        len(words) >= _LEAST_WORDS
        and len(sentence) <= _LONGEST
        and len(telling) >= _LEAST_TELLING
        and bool(_STATES.search(sentence))
        and sentence.count("(") == sentence.count(")")
        and not (_LOOSE.match(sentence) or _SLIP.search(sentence))
        and not _UNSURE.search(sentence)
    )
