"""The cascade: the tier that a question belongs to, memories beside it, else one after the other.

A tier that fails says why; the others answer.
"""

from __future__ import annotations

import time

from satchel.application.recall.results import WARM, Piece, Route, Routed, Routing, Told
from satchel.core.errors import SatchelError
from satchel.engine.ranking.rank_fusion import reciprocal_rank_fusion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: Memories that keep a place beside the answer of the tier that a question was routed to.
_BESIDE = 3


class Tiers:
    """Asks tiers and keeps account of what they said.

    Args:
        ask: (tier, source, limit) -> pieces, best first; source "" is everything in the tier.
    """

    def __init__(self, ask: Callable[[str, str, int], Sequence[Piece]]) -> None:
        self._ask = ask
        self.told: list[Told] = []

    def ask(self, tier: str, source: str, limit: int) -> list[Piece]:
        """Ask one tier. One that cannot answer gives nothing, and why is kept."""
        begun, why = time.perf_counter(), ""
        try:
            pieces = list(self._ask(tier, source, limit))[:limit]
        except SatchelError as error:
            pieces, why = [], str(error)
        spent = (time.perf_counter() - begun) * 1000
        self.told.append(Told(tier, source, len(pieces), round(spent, 2), why))
        return pieces


def routed(
    question: str,
    route: Route,
    routing: Routing,
    tiers: Tiers,
    memories: Callable[[], tuple[list[Piece], int]],
    *,
    limit: int,
) -> Routed:
    """Answer a question: its own tier first, memories beside it, else one tier after the other.

    Args:
        memories: search of everything remembered; its pieces, and how many weak ones were left
            out. It is always asked: what was learnt about a thing belongs to every question.
    """
    begun = time.perf_counter()
    beside, weak = memories()
    spent = (time.perf_counter() - begun) * 1000
    tiers.told.append(Told(WARM, "memories", len(beside), round(spent, 2)))
    asked = set()
    first: list[Piece] = []
    if route.matched:
        asked.add((route.tier, route.source))
        first = tiers.ask(route.tier, route.source, limit)
        if not first and route.source:
            asked.add((route.tier, ""))
            first = tiers.ask(route.tier, "", limit)
    pieces = _together(route, first, beside, limit)
    if not pieces and routing.cascades:
        for tier in routing.cascade:
            if (tier, "") in asked:
                continue
            pieces = tiers.ask(tier, "", limit)
            if pieces:
                break
    return Routed(question, route, tuple(pieces), tuple(tiers.told), weak)


def _together(
    route: Route, first: Sequence[Piece], beside: Sequence[Piece], limit: int
) -> list[Piece]:
    """Put the routed tier's pieces before the memories; within the warm tier they are peers."""
    if route.tier == WARM:
        return _once(_fused([beside, first]))[:limit]
    # However few may be shown, at least half of them are the routed tier's.
    room = max(limit - min(_BESIDE, len(beside)), (limit + 1) // 2)
    kept = first[:room] if len(first) + len(beside) > limit else first
    return _once([*kept, *beside])[:limit]


def _fused(rankings: Sequence[Sequence[Piece]]) -> list[Piece]:
    by_name = {_name(piece): piece for ranking in reversed(rankings) for piece in ranking}
    fused = reciprocal_rank_fusion([[_name(p) for p in ranking] for ranking in rankings])
    return [by_name[name] for name, _ in fused]


def fused(*rankings: Sequence[Piece]) -> list[Piece]:
    """Fuse answers of several sources by rank: scores of different engines say nothing together."""
    return _once(_fused([ranking for ranking in rankings if ranking]))


def _once(pieces: Sequence[Piece]) -> list[Piece]:
    kept: dict[str, Piece] = {}
    for piece in pieces:
        kept.setdefault(_name(piece), piece)
    return list(kept.values())


def _name(piece: Piece) -> str:
    return piece.identity or f"{piece.tier} {piece.place} {piece.title} {piece.text[:80]}"
