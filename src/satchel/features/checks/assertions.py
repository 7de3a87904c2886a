"""Compares results with assertions: returns reasons for failure, none on success. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.engine.contradictions import AGAINST, Rule, clashes
from satchel.features.checks.reading import Check, Text

_SHOWN = 5
_EXCERPT = 100


def judge_query(check: Check, found: Sequence[Text]) -> list[str]:
    """Compare a query's results with what they must and must not contain."""
    why = []
    for wanted in check.contains:
        if not any(_is_in(wanted, one) for one in found):
            got = f"the {len(found)} first were: " + "; ".join(
                _short(one.text) for one in found[:_SHOWN]
            )
            why.append(f"did not return {wanted!r}; {got if found else 'it returned nothing'}")
    for unwanted in check.lacks:
        why += [
            f"returned {unwanted!r} as number {number}: {_short(one.text)}"
            for number, one in enumerate(found, start=1)
            if _is_in(unwanted, one)
        ]
    return why


def judge_brief(check: Check, text: str, tokens: int) -> list[str]:
    """Compare a brief with what it must and must not contain, and with its budget."""
    why = []
    if check.under and tokens >= check.under:
        why.append(f"has {tokens} tokens; it should have fewer than {check.under}")
    folded = _plain(text)
    why += [f"lacks {wanted!r}" for wanted in check.contains if _plain(wanted) not in folded]
    why += [f"contains {bad!r}" for bad in check.lacks if _plain(bad) in folded]
    return why


def judge_contradictions(check: Check, memories: Sequence[Text]) -> list[str]:
    """Compare memories with each other, except those that contain an excepted text."""
    excepted = [_plain(text) for text in check.excepted]
    compared = [one for one in memories if not any(text in _plain(one.text) for text in excepted)]
    why = []
    for at, one in enumerate(compared):
        rules = [Rule("", number, other.text) for number, other in enumerate(compared[:at])]
        for clash in clashes(one.text, rules):
            if clash.what == AGAINST:
                other = compared[clash.rule.line]
                names = f"{_named(other)} against {_named(one)}"
                why.append(f"{names}: {_short(other.text)} / {_short(one.text)} ({clash.why})")
    return why


def _is_in(wanted: str, one: Text) -> bool:
    """Return whether a text is in the results; `id:` and `key:` match whole names."""
    kind, colon, name = wanted.partition(":")
    if colon and kind in ("id", "key", "path"):
        return name.strip() in one.names
    return _plain(wanted) in _plain(one.text)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _short(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= _EXCERPT else line[: _EXCERPT - 1] + "\u2026")


def _named(one: Text) -> str:
    return one.names[0] if one.names else "a memory"
