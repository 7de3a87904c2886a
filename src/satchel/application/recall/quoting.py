"""Puts a session's story behind the results that it quotes: they say it without the rest."""

from __future__ import annotations

from satchel.application.outlet import ASIDE
from satchel.engine.search.tokens import coverage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from satchel.storage.ledger.record import Record

    T = TypeVar("T")

#: The share of a result's significant words with which a story quotes it.
_QUOTED = 0.6


def answers_little(record: Record) -> bool:
    """Return whether a memory is put aside, or a checkpoint that says only what was asked."""
    data = record.data or {}
    told = any(data.get(field) for field in ("summary", "next_steps"))
    asked = record.kind == "checkpoint" and bool(data.get("asked")) and not told
    return asked or ASIDE in record.tags


def stories_behind(
    found: Sequence[T], is_story: Callable[[T], bool], text_of: Callable[[T], str]
) -> list[T]:
    """Return results in their order, except that no story is before a result that it quotes."""
    places = {}
    for at, one in enumerate(found):
        if is_story(one):
            quoted = (
                other
                for other in range(len(found) - 1, at, -1)
                if not is_story(found[other])
                and coverage(text_of(found[other]), text_of(one)) >= _QUOTED
            )
            places[at] = next(quoted, at)
    # A story that moved stands behind the result that was in its new place.
    return [
        found[at]
        for at in sorted(range(len(found)), key=lambda at: (places.get(at, at), at in places))
    ]
