"""Memories whose words contradict each other, until somebody says that both hold."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.shapes import list_of
from satchel.core.trust import REPO, TRUST_ORDER
from satchel.core.values import NamedTuple
from satchel.engine.statements.contradictions import AGAINST, Rule, clashes
from satchel.storage.ledger.record import Record

#: The field of a memory's data with the ids of others that hold along with it.
BESIDE = "beside"
_DECISION = "decision"


class Contradiction(NamedTuple):
    """Two memories, the earlier one first, and how their words contradict each other."""

    earlier: Record
    later: Record
    why: str


def contradicting(records: Sequence[Record]) -> list[Contradiction]:
    """Return the pairs that contradict each other; compares every record with every other."""
    found = []
    rules: list[Rule] = []
    for at, one in enumerate(records):
        for clash in clashes(one.content, rules):
            other = records[clash.rule.line]
            if clash.what == AGAINST and not settled(one, other):
                earlier, later = sorted((one, other), key=lambda r: (r.when, r.ts, r.id))
                found.append(Contradiction(earlier, later, clash.why))
        rules.append(Rule(one.id, at, one.content))
    return found


def needs_decision(one: Contradiction) -> bool:
    """Return whether a person must decide which holds.

    One's own later decision replaces the earlier one as it is written; a merge brings both.
    """
    pair = (one.earlier, one.later)
    own_decisions = all(r.kind == _DECISION and r.trust != REPO for r in pair)
    return not own_decisions


def settled(one: Record, other: Record) -> bool:
    """Return whether it is known which of two holds: both, or the one that replaced the other."""
    return hold_together(one, other) or _replaces(one, other) or _replaces(other, one)


def _replaces(later: Record, earlier: Record) -> bool:
    trusted = TRUST_ORDER.get(later.trust or REPO, 0) >= TRUST_ORDER.get(earlier.trust or REPO, 0)
    return trusted and earlier.id in later.supersedes


def hold_together(one: Record, other: Record) -> bool:
    """Return whether somebody said that both memories hold."""
    return other.id in _beside(one) or one.id in _beside(other)


def beside(one: Record, other: Record, *, holds: bool) -> dict[str, list[str]]:
    """Return the data that says whether a memory holds along with another."""
    others = [ident for ident in _beside(one) if ident != other.id]
    return {BESIDE: [*others, other.id] if holds else others}


def _beside(record: Record) -> list[str]:
    listed = (record.data or {}).get(BESIDE)
    return [str(one) for one in list_of(listed)]
