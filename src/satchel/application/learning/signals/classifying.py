"""Labels a user's turn: decision, correction, preference, fact. Pure."""

from __future__ import annotations

import re
from math import exp

from satchel.application.learning.signals.cues import CUES, LABELS
from satchel.application.learning.signals.hearing import hear
from satchel.application.learning.signals.lasting import LIKELY
from satchel.application.learning.signals.likelihood import (
    SCALE,
    form_in,
    label_odds,
    learnt,
    likelihood,
)
from satchel.application.learning.signals.own_words import own_words, sentences
from satchel.application.learning.signals.values import CORRECTION, FACT, PREFERENCE
from satchel.application.learning.signals.weights import WEIGHTS
from satchel.core.values import NamedTuple
from satchel.storage.kept_patterns import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.learning.signals.values import Heard

#: What a label needs; see `weights`.
ENOUGH = 1.0
#: One turn in twenty tells a fact, one in four of those that the weights were learnt from.
_ENOUGH_OF = {FACT: 1.4}
_PREFERS_OUTRIGHT = frozenset(
    ("prefers", "from now on", "praised", "always", "preferred abroad", "ruled abroad")
)
#: Cues in a question weigh so much of what they weigh in a statement.
_ASKED = 0.35
#: A statement with a question mark counts half.
_TENTATIVE = 0.6
_QUESTION = spoken(
    r"^(?:(?:ok(?:ay)?|so|and|but|hmm+|well|also|now|then|q:|wait|great)\b[\s,.:]*){0,2}"
    r"(?:(?:can|could|should|would|will|may)\b(?! be\b)|do\b(?! not)"
    r"|(?:is|are|does)n['\u2019]?t (?:it|this|that|these|those|there|they|the|we|our|an?)\b"
    r"|when (?:is|are|was|were|do|does|did|will|can|should|would)\b"
    r"|(?:does|did|is|are|was|were|what|why|how|where|which|who|any|have|has|shall)\b)"
)
#: A plan or a supposition is not yet true.
_SUPPOSED = spoken(
    r"^(?:if|when|suppose|imagine|assuming|in case|unless|whether|as if)\b"
    r"|\b(?:if it turns out|what if|I wonder|wondering|not sure|might be|could be|maybe|perhaps"
    r"|we could (?:also )?try|one option (?:is|would)|someone said)\b"
)
_SUPPOSING = 0.6
#: What the agent asked or offered just before: an answer to it decides.
_OFFERED = spoken(
    r"\b(?:would you like|should (?:I|we)|want me to|shall I|do you (?:want|prefer)"
    r"|which (?:\w+ ){0,3}(?:do|would|should|approach|option)|prefer|let me know|thoughts|sound"
    r"|your (?:preference|call|choice)|option [a-e1-9]|ready to|alternatively|go/no-go|standing by"
    r"|what do you think)\b"
)
_AGREED = spoken(
    r"^(?:yes|yeah|yep|yup|sure|ok(?:ay)?|agreed?|sounds good|do (?:it|that|both|all)"
    r"|go (?:ahead|for it)|please do|perfect|exactly|correct|right|that works|makes sense"
    r"|works for me|both|neither|all of them|the (?:first|second|third|last|latter|former))\b"
)
_REFUSED = spoken(r"^(?:no|nope|nah|don['\u2019]?t|not)\b")
_PICKED = re.compile(
    r"(?:^|\b(?:with|do|implement|fix|take|use|option|and|,)\s*)#?(?:\d{1,2}|[A-E])\b(?!\s*(?:%|ms|s\b|files?|lines?|tests?|minutes?|errors?))[\s,.)&]*"
)
#: Reports about oneself, and thanks, are no objections.
_OF_ONESELF = spoken(
    r"^(?:(?:so|and|oh|ah|hm+|also|then)[\s,]+)*(?:I|we|let me|thanks?|thank you|great|nice|cool"
    r"|good|perfect|awesome|testing|\w+ (?:work|job))\b"
)
#: The agent reports completion: an objection may follow.
_REPORTED = spoken(
    r"\b(?:done|fixed|pass(?:es|ed|ing)?|complete[d]?|pushed|committed|updated|implemented|added"
    r"|works|working|ready|clean|now)\b"
)
_PREV = 600
_ANSWERING = 2
#: Words long enough to be about something; so many that the agent used are enough.
_WORD = re.compile(r"[a-z_][\w.-]{3,}\w")
_ENOUGH_AGAIN = 2
_FEW, _MANY = 4, 60
#: In a long turn requests are at the ends; the middle is description.
_FIRST, _LAST, _INSIDE = 4, 3, 0.5
#: Among more sentences than these a single one weighs less.
_CROWD = 4


class Verdict(NamedTuple):
    """A label of a turn: its strength, its cues, and the first sentence that shows it."""

    label: str
    score: float
    cues: tuple[str, ...]
    sentence: str


class CueMatch(NamedTuple):
    """A cue found in a turn: its strength from 0 to 1, and its sentence."""

    amount: float
    sentence: str


def classify(text: str, prev: str = "") -> list[Verdict]:
    """Label a user's turn; no label if nothing reaches `ENOUGH`.

    Args:
        text: what the person wrote; what they pasted in it does not count.
        prev: what the agent said before, or its end: an answer to an offer decides.
    """
    found = find_cues(text, prev)
    verdicts = [_verdict(label, found) for label in LABELS] if found else []
    told = [one for one in verdicts if one.score >= _ENOUGH_OF.get(one.label, ENOUGH) and one.cues]
    known = {one.label for one in told}
    for one in hear(text, prev) if found else ():
        if one.label not in known and _is_outright(one, prev):
            known.add(one.label)
            told.append(Verdict(one.label, ENOUGH, (one.form,), one.sentence))
    return sorted(told, key=lambda one: LABELS.index(one.label))


def _is_outright(one: Heard, prev: str) -> bool:
    """Return whether a sentence's form alone determines the label."""
    if one.label == CORRECTION:  # before the agent's first message there is nothing to correct
        return bool(prev.strip()) and one.form != LIKELY
    return one.label == PREFERENCE and one.form in _PREFERS_OUTRIGHT


def is_question(sentence: str) -> bool:
    """Return whether a sentence is a question."""
    return sentence.rstrip().endswith("?") or bool(_QUESTION.match(sentence))


def find_cues(text: str, prev: str = "") -> dict[str, CueMatch]:
    """Return a turn's cues by name; see `classify` for the arguments."""
    own = own_words(text)
    said = sentences(own)
    found: dict[str, CueMatch] = {}
    if not said:
        return found
    crowd = min(1.0, (_CROWD / len(said)) ** 0.5)
    for at, sentence in enumerate(said):
        plain = sentence.replace("\u2019", "'")
        share = _share(plain)
        place = crowd * (1.0 if at < _FIRST or at >= len(said) - _LAST else _INSIDE)
        for cue in CUES:
            amount = place * (1.0 if cue.asked else share)
            known = found.get(cue.name)
            if (known is None or amount > known.amount) and cue.pattern.search(plain):
                found[cue.name] = CueMatch(amount, sentence)
    for sentence in said:
        _by_its_words(found, sentence)
    _of_the_turn(found, text, own, said)
    _of_the_course(found, said, prev.strip()[-_PREV:])
    return found


def _by_its_words(found: dict[str, CueMatch], sentence: str) -> None:
    """Add cues from the words of a sentence; see `likelihood`."""
    weights, _ = learnt()
    form = form_in(sentence)
    lasting = likelihood(sentence, form) * _share(sentence)
    amounts = {"sounds lasting": lasting}
    for label, odds in label_odds(weights, sentence, form).items():
        amounts[f"sounds like a {label}"] = lasting / (1 + exp(-odds / SCALE))
    for name, amount in amounts.items():
        if name not in found or amount > found[name].amount:
            found[name] = CueMatch(amount, sentence)


def _share(sentence: str) -> float:
    share = 1.0
    if _QUESTION.match(sentence):
        share = _ASKED
    elif sentence.rstrip().endswith("?"):
        share = _TENTATIVE
    return share * (_SUPPOSING if _SUPPOSED.search(sentence) else 1.0)


def _of_the_turn(found: dict[str, CueMatch], text: str, own: str, said: list[str]) -> None:
    """Add cues of the whole turn: its length and composition."""
    words = len(own.split())
    asked = sum(map(is_question, said))
    if asked == len(said):
        found["only asks"] = CueMatch(1.0, said[0])
    elif not asked and "?" not in own and not found.keys() & _WANTING:
        found["only tells"] = CueMatch(1.0, said[0])
    if len(text) > 2 * len(own) + 40:
        found["pasted"] = CueMatch(1.0, said[0])
    if words < _FEW:
        found["very short"] = CueMatch(1.0, said[0])
    elif words > _MANY:
        found["long"] = CueMatch(1.0, said[0])


def _of_the_course(found: dict[str, CueMatch], said: list[str], prev: str) -> None:
    """Add cues from the agent's previous turn: answers come at the start of a turn."""
    if not prev:
        found["at the outset"] = CueMatch(1.0, said[0])
        if "only tells" in found:
            found["tells at the outset"] = CueMatch(1.0, said[0])
        return
    _takes_up(found, said, prev)
    if not prev.endswith("?") and not _OFFERED.search(prev):
        if _REPORTED.search(prev[-200:]):
            found["after a report"] = CueMatch(1.0, said[0])
        if "only tells" in found and not _AGREED.match(said[0]) and not _OF_ONESELF.match(said[0]):
            found["tells after a report"] = CueMatch(1.0, said[0])
        return
    for sentence in said[:_ANSWERING]:
        if _share(sentence) < 1.0:
            continue
        found.setdefault("answers", CueMatch(1.0, sentence))
        if "only tells" in found and not _AGREED.match(sentence):
            found.setdefault("tells in answer", CueMatch(1.0, sentence))
        for name, pattern in (("agrees", _AGREED), ("refuses", _REFUSED), ("picks", _PICKED)):
            if name not in found and pattern.search(sentence):
                found[name] = CueMatch(1.0, sentence)


def _takes_up(found: dict[str, CueMatch], said: list[str], prev: str) -> None:
    """Add the cue of repeating the agent's words: objections refer to what was said."""
    before = frozenset(_WORD.findall(prev.lower()))
    for sentence in said[:_ANSWERING]:
        again = before.intersection(_WORD.findall(sentence.lower()))
        amount = _share(sentence) * min(1.0, len(again) / _ENOUGH_AGAIN)
        if amount > (found["takes up"].amount if "takes up" in found else 0.0):
            found["takes up"] = CueMatch(amount, sentence)


#: A request or an objection is more than information.
_WANTING = frozenset(
    ("let us", "I want", "we should", "asks for it", "says to change", "a chore", "files it",
     "option", "I prefer", "I like", "always do", "never mind", "we will", "we decided",
     "goes with", "for now", "leaves out", "is not right", "is wrong", "does not", "still",
     "halts", "no", "a fault", "I doubt")
)  # fmt: skip


def _verdict(label: str, found: dict[str, CueMatch]) -> Verdict:
    weights = WEIGHTS[label]
    share = {name: weights.get(name, 0.0) * one.amount for name, one in found.items()}
    speaking = sorted((name for name in share if share[name] > 0), key=lambda name: -share[name])
    sentence = found[speaking[0]].sentence if speaking else ""
    return Verdict(label, round(sum(share.values()), 3), tuple(speaking), sentence)
