"""Which labels a person's turn carries: decision, correction, preference, fact. Pure."""

from __future__ import annotations

import re

from satchel.capture.signals.cues import CORRECTION, CUES, DECISION, FACT, LABELS, PREFERENCE, Cue
from satchel.capture.signals.own_words import own_words, sentences
from satchel.values import NamedTuple

#: What a label needs; see `cues`.
ENOUGH = 1.0
#: Cues in a question weigh so much of what they weigh in a statement.
_ASKED = 0.35
_QUESTION = re.compile(
    r"^(?:(?:ok(?:ay)?|so|and|but|hmm+|well|also|now|then|q:|wait|great)\b[\s,.:]*){0,2}"
    r"(?:can|could|should|would|will|do(?!\s+not)|does|did|is|are|was|were|isn['\u2019]?t|aren['\u2019]?t"
    r"|doesn['\u2019]?t|what|why|how|where|when|which|who|any|have|has|shall|may)\b",
    re.IGNORECASE,
)
#: A plan or a supposition is not yet so (SOURCES: false positives).
_SUPPOSED = re.compile(
    r"^(?:if|when|suppose|imagine|assuming|in\s+case|unless|whether|as\s+if)\b"
    r"|\b(?:if\s+it\s+turns\s+out|what\s+if|I\s+wonder|wondering|not\s+sure|might\s+be|could\s+be"
    r"|maybe|perhaps|we\s+could\s+(?:also\s+)?try|one\s+option\s+(?:is|would)|someone\s+said)\b",
    re.IGNORECASE,
)
_SUPPOSING = 0.6
#: What the agent asked or offered just before: an answer to it decides.
_OFFERED = re.compile(
    r"\b(?:would\s+you\s+like|should\s+(?:I|we)|want\s+me\s+to|shall\s+I|do\s+you\s+(?:want|prefer)"
    r"|which\s+(?:\w+\s+){0,3}(?:do|would|should|approach|option)|prefer|let\s+me\s+know|thoughts|sound"
    r"|your\s+(?:preference|call|choice)|option\s+[a-e1-9]|ready\s+to|alternatively)\b",
    re.IGNORECASE,
)
_AGREED = re.compile(
    r"^(?:yes|yeah|yep|yup|sure|ok(?:ay)?|agreed?|sounds\s+good|do\s+(?:it|that|both|all)|go\s+(?:ahead"
    r"|for\s+it)|please\s+do|perfect|exactly|correct|right|that\s+works|makes\s+sense|works\s+for\s+me"
    r"|both|neither|all\s+of\s+them|the\s+(?:first|second|third|last|latter|former))\b",
    re.IGNORECASE,
)
_PICKED = re.compile(
    r"(?:^|\b(?:with|do|implement|fix|take|use|option|and|,)\s*)#?(?:\d{1,2}|[A-E])\b(?!\s*(?:%|ms|s\b|files?|lines?|tests?|minutes?|errors?))[\s,.)&]*"
)
_PREV = 600


class Verdict(NamedTuple):
    """One label of a turn: how strongly, by which cues, in which sentence first."""

    label: str
    score: float
    cues: tuple[str, ...]
    sentence: str


def classify(text: str, prev: str = "") -> list[Verdict]:
    """Label a person's turn; none where nothing in it reaches `ENOUGH`.

    Args:
        text: what the person wrote; what they pasted in it does not count.
        prev: what the agent said before, or its end: an answer to an offer decides.
    """
    said = sentences(own_words(text))
    if not said:
        return []
    found: dict[str, dict[str, tuple[float, str]]] = {label: {} for label in LABELS}
    for at, sentence in enumerate(said):
        share = _share(sentence)
        for cue in CUES:
            weight = cue.weight if cue.asked else cue.weight * share
            known = found[cue.label].get(cue.name, (0.0, ""))[0]
            if weight > known and _has(cue, sentence):
                found[cue.label][cue.name] = (weight, sentence)
        if at < 2:  # noqa: PLR2004 -- an answer stands at the beginning
            _answer(found[DECISION], sentence, prev[-_PREV:], share)
    _told(found, said)
    return [_verdict(label, found[label]) for label in LABELS if _sum(found[label]) >= ENOUGH]


def labels_of(text: str, prev: str = "") -> list[str]:
    """Return the labels alone, in alphabetical order."""
    return sorted(verdict.label for verdict in classify(text, prev))


def is_question(sentence: str) -> bool:
    """Say whether a sentence asks."""
    return sentence.rstrip().endswith("?") or bool(_QUESTION.match(sentence))


def _share(sentence: str) -> float:
    share = _ASKED if is_question(sentence) else 1.0
    return share * (_SUPPOSING if _SUPPOSED.search(sentence) else 1.0)


def _has(cue: Cue, sentence: str) -> bool:
    return cue.pattern.search(sentence) is not None


def _answer(decided: dict[str, tuple[float, str]], sentence: str, prev: str, share: float) -> None:
    """An answer to what the agent offered is a decision, whatever its words."""
    offered = bool(_OFFERED.search(prev)) or prev.rstrip().endswith("?")
    if not offered or share < 1.0:
        return
    if _AGREED.match(sentence):
        decided["agrees"] = (0.9 if len(sentence.split()) > 1 else 0.6, sentence)
    if _PICKED.search(sentence):
        decided["picks"] = (0.7, sentence)
    decided.setdefault("answers", (0.2, sentence))


def _told(found: dict[str, dict[str, tuple[float, str]]], said: list[str]) -> None:
    """Someone who only states how things are, and asks for nothing, tells a fact."""
    stated = found[FACT].get("it is")
    wants = found[DECISION] or found[CORRECTION] or found[PREFERENCE]
    if stated and not wants and not any(is_question(sentence) for sentence in said):
        found[FACT]["only told"] = (0.6, stated[1])


def _sum(cues: dict[str, tuple[float, str]]) -> float:
    return round(sum(weight for weight, _ in cues.values()), 3)


def _verdict(label: str, cues: dict[str, tuple[float, str]]) -> Verdict:
    strongest = max(cues.values())[1]
    names = sorted(cues, key=lambda name: -cues[name][0])
    return Verdict(label, _sum(cues), tuple(names), strongest)


__all__ = ["CORRECTION", "DECISION", "FACT", "PREFERENCE", "Verdict", "classify", "labels_of"]
