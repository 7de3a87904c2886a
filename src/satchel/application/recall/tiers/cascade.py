"""The cascade: the question's own tier along with memories, then one tier after the other.

A tier that fails says why; the others answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

from satchel.application.recall.quoting import answers_little, stories_behind
from satchel.application.recall.results import (
    CODE,
    WARM,
    Result,
    Route,
    RoutedAnswer,
    Routing,
    TierReport,
    only_asks,
)
from satchel.core.errors import SatchelError
from satchel.core.trust import UNAPPROVED
from satchel.engine.ranking.fusion import reciprocal_rank_fusion
from satchel.engine.search.tokens import distinctive_words, shares_enough, words_of

#: How many memories keep a place beside the routed tier's answer.
_BESIDE = 3
#: The share of an episode's significant words that a checkpoint may lack and still say the same.
_MORE = 0.4
#: The same for an episode whose lessons were all found themselves: its labels say nothing more.
_NOTHING_MORE = 0.2


class TierCascade:
    """Queries tiers and records their reports.

    Args:
        ask: (tier, source, limit) -> pieces, best first; source "" is everything in the tier.
    """

    def __init__(self, ask: Callable[[str, str, int], Sequence[Result]]) -> None:
        self._ask = ask
        self.told: list[TierReport] = []

    def ask(self, tier: str, source: str, limit: int) -> list[Result]:
        """Query a tier. If it fails, return nothing and record why."""
        begun, why = time.perf_counter(), ""
        try:
            pieces = list(self._ask(tier, source, limit))[:limit]
        except SatchelError as error:
            pieces, why = [], str(error)
        spent = (time.perf_counter() - begun) * 1000
        self.told.append(TierReport(tier, source, len(pieces), round(spent, 2), why))
        return pieces


def answer_routed(
    question: str,
    route: Route,
    routing: Routing,
    tiers: TierCascade,
    memories: Callable[[], tuple[list[Result], int]],
    *,
    limit: int,
    order: Callable[[list[Result]], list[Result]] = list,
) -> RoutedAnswer:
    """Answer a question: its own tier and memories first, then one tier after the other.

    Args:
        memories: searches everything remembered; returns pieces, and how many weak ones were left
            out. Always called: what was learned about a thing belongs to every question.
        order: puts memories and the warm tier's results in their final order.
    """
    begun = time.perf_counter()
    beside, weak = memories()
    spent = (time.perf_counter() - begun) * 1000
    tiers.told.append(TierReport(WARM, "memories", len(beside), round(spent, 2)))
    asked = set()
    first: list[Result] = []
    if route.matched:
        asked.add((route.tier, route.source))
        first = tiers.ask(route.tier, route.source, limit)
        if not first and route.source:
            asked.add((route.tier, ""))
            first = tiers.ask(route.tier, "", limit)
    elif route.tier not in (WARM, CODE):
        # Questions without a pattern also go to the fallback, where one shared word is chance.
        asked.add((route.tier, ""))
        told = tiers.ask(route.tier, "", limit)
        first = [one for one in told if shares_enough(question, f"{one.title} {one.text}")]
    pieces = _together(route, first, beside, limit, order)
    if not pieces and routing.cascades:
        for tier in routing.cascade:
            if (tier, "") in asked:
                continue
            pieces = tiers.ask(tier, "", limit)
            pieces = order(pieces) if tier == WARM else pieces
            if pieces:
                break
    return RoutedAnswer(question, route, tuple(pieces), tuple(tiers.told), weak)


def _together(
    route: Route,
    first: Sequence[Result],
    beside: Sequence[Result],
    limit: int,
    order: Callable[[list[Result]], list[Result]],
) -> list[Result]:
    """Put the routed tier's results before memories; within the warm tier they are equal."""
    if route.tier == WARM:
        return order(_once(_fused([beside, first])))[:limit]
    beside = order(list(beside))
    if not route.matched:
        return _once([*beside, *first])[:limit]
    # However few are shown, at least half of them are the routed tier's.
    room = max(limit - min(_BESIDE, len(beside)), (limit + 1) // 2)
    kept = first[:room] if len(first) + len(beside) > limit else first
    return _once([*kept, *beside])[:limit]


def _fused(rankings: Sequence[Sequence[Result]]) -> list[Result]:
    by_name = {_name(piece): piece for ranking in reversed(rankings) for piece in ranking}
    fused = reciprocal_rank_fusion([[_name(p) for p in ranking] for ranking in rankings])
    return [by_name[name] for name, _ in fused]


def fuse_by_rank(*rankings: Sequence[Result]) -> list[Result]:
    """Fuse results of several sources by rank, because scores are not comparable."""
    return _once(_fused([ranking for ranking in rankings if ranking]))


def _once(pieces: Sequence[Result]) -> list[Result]:
    """Keep each result once, the first of those that say the same, and no bare questions."""
    kept: dict[str, Result] = {}
    said: set[tuple[str, str]] = set()
    for piece in _aside_last(_best_told(one, pieces) for one in pieces):
        # Two kinds of memory may say the same; a rule's line in a file says it to agents already.
        kind = piece.found.record.kind if piece.found else ""
        words = _in_lower_case(piece.text or piece.title)
        again = {(kind, words), ("", words)} if kind else {one for one in said if one[1] == words}
        if _name(piece) not in kept and said.isdisjoint(again) and not only_asks(piece):
            kept[_name(piece)] = piece
            said |= set() if _is_unapproved(piece) else {(kind, words)}
    told = [one for one in kept.values() if not _is_said_before(one, kept.values())]
    return stories_behind(
        told, lambda one: bool(one.story_of), lambda one: f"{one.title} {one.text}"
    )


def _aside_last(pieces: Iterable[Result]) -> list[Result]:
    """Put memories that were put aside, and bare requests, behind what answers, of any tier."""
    return sorted(pieces, key=lambda one: bool(one.found and answers_little(one.found.record)))


def _is_unapproved(piece: Result) -> bool:
    """Return whether nobody approved it: then it says nothing in place of what was approved."""
    return UNAPPROVED in (piece.trust, piece.found.source if piece.found else "")


def _in_lower_case(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")


def _is_said_before(piece: Result, among: Iterable[Result]) -> bool:
    """Return whether an episode only repeats lessons that were found beside it."""
    if piece.found or not piece.story_of:
        return False
    telling = set(distinctive_words(piece.text))
    others = (f"{one.title} {one.text}" for one in among if not one.story_of)
    told = {word for text in others for word in words_of(text)}
    return bool(telling) and len(telling - told) <= _NOTHING_MORE * len(telling)


def _best_told(piece: Result, among: Sequence[Result]) -> Result:
    """Return a session's checkpoint instead of its episode, if that hardly says more."""
    if piece.found or not piece.story_of:
        return piece
    telling = set(distinctive_words(piece.text))
    same = (one for one in among if one.found and one.story_of == piece.story_of)
    return next(
        (one for one in same if len(telling - set(words_of(one.text))) <= _MORE * len(telling)),
        piece,
    )


def _name(piece: Result) -> str:
    return piece.identity or f"{piece.tier} {piece.place} {piece.title} {piece.text[:80]}"
