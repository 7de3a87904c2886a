"""Finds the sentence in which an agent says why something failed. Pure.

Only asked about a failure that work ended: there the message says where one meets it again, so the
cause may be told in plain words, without any name of code.
"""

from __future__ import annotations

import itertools

from satchel.application.learning.signals.own_words import own_words, sentences
from satchel.engine.search.tokens import COMMON, words_of
from satchel.storage.kept_patterns import spoken

_LEAST_WORDS, _LEAST_TELLING, _LONGEST = 9, 5, 240
_LONGEST_CURE = 120
_STATES = spoken(
    r"\b(?:because|caused by|due to|(?:came|comes|stems|stemmed) from|turn(?:s|ed) out)\b"
    r"|^(?:the )?(?:(?:root|actual|real|underlying) )?(?:cause|problem|issue|bug|culprit|reason)"
    r"(?: found| (?:was|is|were))? ?[:\u2014,]"
    r"|\b(?:cause|problem|issue|bug|culprit|reason) (?:was|is)\b"
    r"|^(?:what (?:was|went) wrong|why (?:it|this|that) \w+) ?[:\u2014]"
)
#: A slip of the agent's own or a test that its change made wrong, which nobody meets again.
_SLIP = spoken(
    r"\b(?:typo|forgot\w*|my \w+|I (?:had |just |also )?"
    r"(?:missed|left|mis\w+|broke|added|removed|changed|introduced|wrote|used)"
    r"|missing (?:an? )?(?:comma|semicolon|bracket|brace|paren\w*|import|quote)s?|indentation"
    r"|syntax error|as expected|needs? updating"
    r"|tests?\b.{0,60}?\b(?:expect\w*|assert\w*|needs?))\b"
)
_UNSURE = spoken(
    r"\b(?:might|maybe|perhaps|probably|possibly|likely|could be|seems?|suspect|let me"
    r"|I['\u2019]ll|not sure|if|should|whether|unless)\b|\? ?$"
)
#: About something named before, or an aside of the search.
_LOOSE = spoken(
    r"(?:this|it(?! turn(?:s|ed) out\b)|that|these|those|they|because|would|in most|actually|so"
    r"|I)\b|.*\b(?:works|pass(?:es)?|expected|better|great|fine)\b.{0,40}\bbecause\b|.*:$"
)
_CURE = spoken(
    r"(?:(?:the )?(?:fix|solution|cure) ?:|what I changed ?:|fixed\b"
    r"|(?:so )?(?:it|the \w+|I|we) (?:now |have )?(?:uses?|reuses?|waits?|closes?|runs?|reads?"
    r"|sets?|switched|changed|replaced|moved|pinned|raised|wrapped|made"
    r"|added(?! (?:\w+ ){0,3}tests?\b)|freezes?|now \w{3,20})\b|now (?:it|the|we)\b"
    r"|one\b.{0,40}\bfixe[sd]\b)"
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
