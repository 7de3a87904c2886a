"""Updates anchors: code that moved unchanged is pinned at its new place."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.services import Services
from satchel.core.values import NamedTuple
from satchel.features.code.anchored import CodeState, code_states, pinned
from satchel.storage.ledger.record import Record

_TOGETHER = 50


class Anchored(NamedTuple):
    """A memory about code, the state of that code, and whether it was re-pinned."""

    record: Record
    state: CodeState
    repinned: bool = False


def follow_anchors(work: Services, *, dry_run: bool = False) -> list[Anchored]:
    """Re-pin memories whose code only moved; return all memories about code."""
    live = work.memories.own.live()
    records = [one for one in live if one.data and one.data.get("anchors")]
    found = []
    for at in range(0, len(records), _TOGETHER):
        states = code_states(work.code, records[at : at + _TOGETHER])
        for record in records[at : at + _TOGETHER]:
            state = states.get(record.id)
            if state is None:
                continue
            moves = {one.state for one in state.states} in ({"moved"}, {"fresh", "moved"})
            if moves and not dry_run:
                places = [f"{one.path}:{one.symbol}".rstrip(":") for one in state.states]
                repin(work, record.id, places)
            found.append(Anchored(record, state, moves and not dry_run))
    return found


def repin(work: Services, reference: str, places: Sequence[str]) -> Record:
    """Pin a memory to these places, `path` or `path:symbol`, in their current state."""
    return work.memories.annotate(reference, pinned(work.code, places))
