"""Whether one statement permits skipping what another wants done first. Pure.

"You can commit without showing the diff" takes back "always show the diff before you commit".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from satchel.core.values import NamedTuple

_MAY = frozenset("can may could ok okay fine allowed free".split())
_NOT = frozenset("not never no don't dont cannot can't".split())
_NO_NEED = (("no", "need"), ("don't", "need"), ("dont", "need"), ("don't", "have"), ("not", "need"))
#: Fewest letters by which a word may match a longer one.
_ALIKE = 4
_ENDS = frozenset("because since when if unless as but so i we".split())


class Order(NamedTuple):
    """An act, what comes before it, and whether that may be skipped, as beginnings of words."""

    act: set[str]
    before: set[str]
    left_out: bool


def order_of(words: Sequence[str], telling: Callable[[set[str]], set[str]]) -> Order | None:
    """Return what a statement wants before an act, or permits skipping; None for neither."""
    if "without" in words:
        at = words.index("without")
        head = words[:at]
        may = next((place for place, word in enumerate(head) if word in _MAY), -1)
        if may < 0 or not _NOT.isdisjoint(head):
            return None
        return Order(telling(set(head[may:]) - _MAY), telling(_up_to_why(words[at + 1 :])), True)
    if "before" not in words:
        return None
    at = words.index("before")
    needless = any(pair in _NO_NEED for pair in pairwise(words[:at]))
    return Order(telling(_up_to_why(words[at + 1 :])), telling(set(words[:at])), needless)


def is_let_off(one: Order | None, other: Order | None) -> bool:
    """Return whether one permits skipping what the other wants before the same act."""
    if one is None or other is None or one.left_out == other.left_out:
        return False
    return _meet(one.act, other.act) and _meet(one.before, other.before)


def _meet(some: set[str], others: set[str]) -> bool:
    """Return whether one word of each begins alike: "lint" and "linter"."""
    return any(
        a == b or (min(len(a), len(b)) >= _ALIKE and (a.startswith(b) or b.startswith(a)))
        for a in some
        for b in others
    )


def _up_to_why(words: Sequence[str]) -> set[str]:
    end = next((at for at, word in enumerate(words) if at and word in _ENDS), len(words))
    return set(words[:end])
