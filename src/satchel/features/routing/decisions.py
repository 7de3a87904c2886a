"""Routing decisions: lines of a ledger, and values read from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from satchel.core.errors import NotFoundError
from satchel.engine.search.contracts import SearchIndex
from satchel.engine.search.documents import Filter, Source, View
from satchel.engine.search.records import StoredMemory, record_of
from satchel.features.routing.outcome_stats import Mark
from satchel.features.routing.values import OUTCOMES, Choice, Decision, Score
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.record import Record


class Memories(Protocol):
    """The memories that decisions are stored in."""

    @property
    def index(self) -> SearchIndex:
        """The index."""

    @property
    def sources(self) -> Sequence[Source]:
        """The ledgers that are read."""

    def view(self, only: Filter = ...) -> View:
        """Return what a query sees of them now."""

    def find(self, given: str) -> StoredMemory:
        """Return a memory by id."""


class Decided(Protocol):
    """Where decisions are written and found."""

    def ledger(self, kind: str) -> Ledger:
        """Return the ledger of a kind."""

    def caught_up(self) -> Memories:
        """Return the project's memories, fully indexed."""

    def rotate(self) -> None:
        """Rotate ledgers that are too long."""


KIND = "routing_decision"
#: A tag by which decisions with an outcome are found.
DECIDED = "outcome-known"
_LONGEST = 2000
_LONGEST_NOTE = 1000
_RANKED = 5
_DECIDED = Filter(kinds=(KIND,), tag=DECIDED)


def decision_record(
    text: str,
    choice: Choice,
    *,
    message: str = "",
    task: str = "",
    came: str = "",
    own: frozenset[str] = frozenset(),
) -> Record:
    """Build a decision's line; the ledger adds its id and time.

    One that names an agent of the person's `own` is private.
    """
    best = next((one for one in choice.ranked if one.agent == choice.agent), None)
    data: dict[str, Any] = {
        "score": best.score if best is not None else 0.0,
        "threshold": choice.threshold,
        "fallback": choice.fallback,
        "ranked": [[one.agent, one.score] for one in choice.ranked[:_RANKED]],
    }
    if best is not None:
        data["signals"] = signals(best)
    if message:
        data["message"] = message
    if came:
        data["from"] = came
    named = {choice.agent, *(one.agent for one in choice.ranked[:_RANKED])}
    return Record(
        kind=KIND,
        content=text.strip()[:_LONGEST],
        agent=choice.agent,
        task=task,
        title=f"to {choice.agent}",
        source="satchel",
        data=data,
        visibility="private" if named & own else "",
    )


def outcome_record(record: Record, outcome: str, note: str = "") -> Record:
    """Build a decision's new version with its outcome."""
    data = {**(record.data or {}), "outcome": outcome}
    data.pop("note", None)
    if note.strip():
        data["note"] = note.strip()[:_LONGEST_NOTE]
    return record._replace(
        rev=record.rev + 1,
        ts=0,
        wall=None,
        hash="",
        edited=False,
        data=data,
        tags=(DECIDED, f"outcome-{outcome}"),
    )


def decision_of(record: Record, *, again: bool = False, choice: Choice | None = None) -> Decision:
    """Parse a decision, tolerating edited lines."""
    data = record.data if isinstance(record.data, dict) else {}
    outcome = data.get("outcome")
    score = data.get("score")
    return Decision(
        record.id,
        record.agent,
        record.content,
        at=record.when,
        score=float(score) if isinstance(score, int | float) else 0.0,
        fallback=data.get("fallback") is True,
        message=str(data.get("message") or ""),
        outcome=outcome if outcome in OUTCOMES else "",
        note=str(data.get("note") or ""),
        again=again,
        choice=choice,
        order=record.ts,
    )


def signals(score: Score) -> dict[str, Any]:
    """Return the parts of a score, without absent ones."""
    fields = score._asdict()
    del fields["agent"], fields["score"]
    return {k: list(v) if isinstance(v, tuple) else v for k, v in fields.items() if v}


class Decisions:
    """A project's decisions, from the index.

    Args:
        memories: where they are written and found.
    """

    def __init__(self, memories: Decided) -> None:
        self._memories = memories

    @property
    def ledger(self) -> Ledger:
        """The ledger they are in. What it has taken is on disk."""
        return self._memories.ledger(KIND)

    def mark(self) -> Mark:
        """Return the number of decisions with outcome, and the newest version."""
        store = self._store()
        counts = store.index.counts(store.view(_DECIDED))
        newest = store.index.live(store.view(_DECIDED), limit=1)
        return Mark(counts.get(KIND, 0), newest[0].document.hash if newest else "")

    def decided(self, limit: int) -> Iterable[Decision]:
        """Return the newest `limit` decisions with outcome."""
        store = self._store()
        hits = store.index.live(store.view(_DECIDED), limit=limit)
        return [decision_of(record_of(hit.document)) for hit in hits]

    def latest(self, limit: int) -> list[Decision]:
        """Return the newest decisions, newest first."""
        store = self._store()
        hits = store.index.live(store.view(Filter(kinds=(KIND,))), limit=limit)
        return [decision_of(record_of(hit.document)) for hit in hits]

    def find(self, given: str) -> Record:
        """Return a decision by id or prefix, or `-` for the newest."""
        if given == "-":
            newest = self.latest(1)
            given = newest[0].id if newest else ""
        try:
            record = self._store().find(given).record
        except NotFoundError:
            record = None
        if record is None or record.kind != KIND or record.deleted_at is not None:
            raise NotFoundError(
                f"No routing decision has the id {given[:60]!r}.",
                hint="`satchel route stats` shows the newest.",
            )
        return record

    def with_id(self, ident: str) -> Record | None:
        """Return a decision by its full id."""
        store = self._store()
        hits = store.index.with_id(ident, store.sources)
        found = [record_of(hit.document) for hit in hits if hit.document.id == ident]
        return next((one for one in found if one.deleted_at is None), None)

    def _store(self) -> Memories:
        return self._memories.caught_up()
