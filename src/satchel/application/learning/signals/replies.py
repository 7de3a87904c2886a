"""An answer to the agent that says what to do and why: "pin it. 1.9 leaks sockets". Pure.

The reason is what lasts, but it may be about anything, so that its words alone say little. Behind
an order they say enough. Both are told together, with what else the answer says of it.
"""

from __future__ import annotations

from satchel.application.learning.signals.courtesies import agrees, greets, thanks_or_leaves
from satchel.application.learning.signals.lasting import AS_A_RULE, KNOWN_WORDS, LASTS
from satchel.application.learning.signals.likelihood import form_in, knows, likelihood
from satchel.application.learning.signals.own_words import sentences
from satchel.application.learning.signals.reasons import accuses, tells
from satchel.application.learning.signals.speech.clauses import peel
from satchel.application.learning.signals.speech.forms import asks
from satchel.application.learning.signals.speech.moments import NOW, STATUS
from satchel.application.learning.signals.speech.rules import DIRECTIVE, PROHIBITS
from satchel.application.learning.signals.speech.wording import begun_with_a_capital, wording_of
from satchel.application.learning.signals.speech.words import BEGUN, VERB
from satchel.application.learning.signals.values import DECISION, Heard
from satchel.core.redaction.redactor import redact
from satchel.core.values import NamedTuple
from satchel.storage.kept_patterns import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: The least likelihood of a reason behind an order, and of what is told with it.
_EXPLAINS, _GOES_WITH = 0.3, 0.04
#: A longer answer is about several things, or a task.
_MOST_SENTENCES, _MOST_WORDS = 6, 80
#: The most words of an order before its comma, and of one without a verb ("stderr please").
_ORDER, _FRAGMENT = 10, 6
#: The longest lesson, and the longest order whose reason follows behind a colon, in characters.
_LONGEST, _SHORT = 320, 90
#: Begin a limit, not a quotation: ">=1.23 please".
_LIMITS = (">", "<", "=")
#: Kinds that belong to what is beside them, whatever their words; and that may explain it.
_TOLD, _REASONS = ("heard", "order", "step", "refusal"), ("said", "heard", "rule")
_POLITELY = (
    r"(?:(?:and|but|so|ok|then|now|no|nah|nope|also|just|please|pls|can you|could you)\b"
    r"[\s,]{0,3}){0,3}"
)
#: Orders that are done with as soon as they are followed.
_DONE_WITH = spoken(
    rf"{_POLITELY}(?:(?:show|tell|push|commit|run|rerun|look|check|fix|open|give|gimme|try|continue"
    r"|go (?:on|ahead|for)|revert|undo|scrap|merge|send|post|wait|deploy|ship|explain|thanks?"
    r"|let me|let'?s|do the|back to|add|create|write|build|implement|make (?:an?|the)|draft|find"
    r"|list|review)\b|\w{2,12} (?:it|that|this|them|those)(?: \w{2,9})?\Z)"
)
#: Orders nothing: "what?!", "ah yes, ...".
_EXCLAIMS = spoken(r"(?:wh?at|why|how|wtf|wth|eh|was|h\u00e4|qu\u00e9|quoi)\W{0,9}\Z")
_ONLY_BEGINS = spoken(rf"{BEGUN}\Z")
_IMPERATIVE = spoken(rf"{_POLITELY}{VERB}\b")
#: What the person does, sees or feels now.
_MINE = spoken(r"(?:(?:and|but) )?(?:i|i'm|im|i've|ive|i'll|ill|let me|my)\b")
#: When it happened: what was lived through explains an order, whatever its words.
_LIVED_THROUGH = spoken(
    r".{0,200}?\b(?:(?:in|since|last|this) (?:january|february|march|april|may|june|july|august"
    r"|september|october|november|december|spring|summer|autumn|fall|winter)|(?:in|since) 20\d\d"
    r"|last (?:year|release|time|season|audit|migration)|(?:\w{2,8} )?(?:years?|months?) ago"
    r"|we(?:'ve|'d)? (?:once )?had (?:this|that|it|them|an?|one|two)"
    r"|(?:did|tried|had|broke|happened)(?: \w{2,12}){0,3} (?:once|before|twice))\b"
)
#: Names nothing: "strip it on save", "stderr", "go to 40".
_UNNAMED = spoken(
    r"(?:\S{1,20} ){0,5}(?:it|that|them|those|this)\b|(?:both|neither)\b"
    r"|(?:go|back|up|down) (?:back )?to \d|\S{1,20}(?: please| pls| then)?(?:[:.]\s|\Z)"
)
#: What the agent said last that an answer may be about, in characters, and in words; how much of
#: its message is looked at.
_MOST_SAID, _LEAST_SAID, _LOOKED_AT = 110, 3, 1000


class _Unit(NamedTuple):
    """A sentence, or an order before its comma: `at` is the sentence's place.

    `kind` is "rule" or "heard" for a lasting statement, "order", "said", "step" for an order of
    the moment, "refusal" for a "no" that what is behind it explains, or "" for what does not count.
    """

    text: str
    at: int
    kind: str
    odds: float


def with_explained(found: list[Heard], said: Sequence[str], prev: str) -> list[Heard]:
    """Return the lasting statements of an answer, each with the order or reason beside it.

    Args:
        found: the statements that were heard sentence by sentence.
        said: the sentences of the answer, in order.
        prev: the agent's message that it answers.
    """
    for wording, places in explained(said, {one.sentence: one.form for one in found}):
        parts = list(dict.fromkeys(said[at] for at in places))
        same = [one for one in found if any(part in one.sentence for part in parts)]
        if any(len(one.wording) >= len(wording) for one in same):
            continue
        label = same[0].label if same else DECISION
        one = Heard(label, "explained", " ".join(parts), _with_what_it_answers(wording, prev))
        at = found.index(same[0]) if same else len(found)
        found = [other for other in found if other not in same]
        found.insert(at, one)
    return found


def explained(said: Sequence[str], heard: Mapping[str, str]) -> list[tuple[str, list[int]]]:
    """Return what an answer orders with why, each as one line and the places of its sentences.

    Args:
        said: the sentences of the answer, in order.
        heard: the forms of those that are lasting statements by themselves.
    """
    if len(said) > _MOST_SENTENCES or sum(len(one.split()) for one in said) > _MOST_WORDS:
        return []
    units = [one for at, text in enumerate(said) for one in _units(text, at, heard)]
    found: list[tuple[str, list[int]]] = []
    done = 0
    for at, unit in enumerate(units):
        if at < done or unit.kind not in _REASONS or unit.odds < _EXPLAINS:
            continue
        first, last = at, at + 1
        while first > done and _goes_with(units[first - 1], units[first:last]):
            first -= 1
        while last < len(units) and _goes_with(units[last], units[first:last]):
            last += 1
        taken = _without_steps(units[first:last])
        refused = any(one.kind == "refusal" for one in units[first:last])
        if _is_lesson(taken, refused=refused):
            found.append((_told(taken), [one.at for one in taken]))
            done = last
    return found


def _goes_with(unit: _Unit, others: Sequence[_Unit]) -> bool:
    """Return whether a unit belongs to those beside it; two rules are two lessons."""
    if unit.kind == "rule":
        return all(one.kind != "rule" for one in others)
    return unit.kind in _TOLD or (unit.kind == "said" and unit.odds >= _GOES_WITH)


def _without_steps(units: Sequence[_Unit]) -> Sequence[_Unit]:
    """Return units without a bare "no", and without the steps that nothing behind them explains."""
    return [
        one
        for one, after in zip(units, [*units[1:], None], strict=True)
        if one.kind != "refusal"
        and (one.kind != "step" or (after is not None and after.kind in _REASONS))
    ]


def _is_lesson(units: Sequence[_Unit], *, refused: bool) -> bool:
    """Return whether units are several, of which one explains an order or lasts by itself."""
    orders = refused or any(one.kind in ("order", "step") for one in units)
    return len(units) + refused > 1 and (orders or max(one.odds for one in units) >= LASTS)


def _units(text: str, at: int, heard: Mapping[str, str]) -> list[_Unit]:
    """Return a sentence, or the order and the reason that its first comma divides."""
    if redact(text)[1]:
        return [_Unit(text, at, "", 0.0)]  # a secret would take what is joined to it along
    if text in heard:
        said = peel(text)
        orders = said.begins(DIRECTIVE) or said.begins(PROHIBITS) or not tells(said.rest)
        rules = heard[text] in AS_A_RULE and orders
        return [_Unit(text, at, "rule" if rules else "heard", 1.0)]
    order, comma, why = text.partition(", ")
    if comma and len(order.split()) <= _ORDER and not _ONLY_BEGINS.match(f"{order} "):
        first, reason = _judged(order, at), _judged(why, at)
        if first.kind in _TOLD and reason.kind == "said" and tells(peel(why).rest):
            return [first, reason]
    return [_judged(text, at)]


def _judged(text: str, at: int) -> _Unit:
    said = peel(text)
    rest = said.rest
    if said.objects and not rest:
        return _Unit(text, at, "refusal", 0.0)
    bare = rest.strip(" .!;,")
    said_of_now = _MINE.match(bare) or accuses(rest) or asks(text)
    asks_nothing = agrees(bare) or thanks_or_leaves(bare) or greets(bare) or _EXCLAIMS.match(bare)
    if said_of_now or asks_nothing or bare.endswith("?") or not any(map(str.isalnum, bare)):
        return _Unit(text, at, "", 0.0)
    odds = likelihood(text, form_in(text)) if knows(text) >= KNOWN_WORDS else _GOES_WITH
    if odds < _EXPLAINS and _LIVED_THROUGH.match(bare):
        return _Unit(text, at, "said", _EXPLAINS)
    if odds < LASTS and STATUS.search(bare):
        return _Unit(text, at, "", odds)
    if odds < LASTS and NOW.search(bare):
        return _Unit(text, at, "said", min(odds, _GOES_WITH))
    if odds < LASTS and _DONE_WITH.match(bare):
        return _Unit(text, at, "step", odds)
    fragment = len(bare.split()) <= _FRAGMENT and not tells(bare)
    return _Unit(text, at, "order" if fragment or _IMPERATIVE.match(bare) else "said", odds)


def _told(units: Sequence[_Unit]) -> str:
    """Return units as one line: the reason behind the order's colon, the others as sentences."""
    first = units[0].text
    told = wording_of(f"Use {first}" if first.startswith(_LIMITS) else peel(first).rest)
    for one in units[1:]:
        text = peel(one.text).rest.strip(" .!;,")
        if len(told) + len(text) > _LONGEST:
            break
        begins = len(told) < _SHORT and not (": " in told or ". " in told)
        reason = begins and tells(text)
        told += f": {text}" if reason else f". {begun_with_a_capital(text)}"
    return told


def _with_what_it_answers(wording: str, prev: str) -> str:
    """Return an answer that names nothing with what the agent had said: "stderr (on: ...)"."""
    said = "".join(sentences(prev[-_LOOKED_AT:].rpartition("\n\n")[2])[-1:]).strip(" .")
    tells_it = len(said) <= _MOST_SAID and len(said.split()) >= _LEAST_SAID
    if not (tells_it and _UNNAMED.match(wording)) or redact(said)[1]:
        return wording
    return f"{wording} (on: {said})"
