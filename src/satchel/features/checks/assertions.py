"""Compares results with assertions: returns reasons for failure, none on success. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from satchel.core.excerpts import clipped
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


def judge_contradictions(check: Check, pairs: Iterable[tuple[Text, Text, str]]) -> list[str]:
    """Describe contradictions, except those of memories that contain an excepted text.

    Args:
        check: has the exceptions.
        pairs: two memories, and how they contradict.
    """
    excepted = [_plain(text) for text in check.excepted]
    return [
        f"{_named(one)} against {_named(other)}: {_short(one.text)} / {_short(other.text)} ({why})"
        for one, other, why in pairs
        if not any(text in _plain(memory.text) for text in excepted for memory in (one, other))
    ]


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
    return repr(clipped(line, _EXCERPT))


def _named(one: Text) -> str:
    return one.names[0] if one.names else "a memory"
