"""The router: chooses an agent, records the decision, and learns from its outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from satchel.core.clock import Clock
from satchel.core.errors import BadInputError
from satchel.core.hashing import digest
from satchel.core.ids import derived_ulid
from satchel.features.routing.messages import RoutedMessages
from satchel.features.routing.outcome_stats import Mark, OutcomeStats
from satchel.features.routing.scoring import Scorer
from satchel.features.routing.values import (
    FAILURE,
    OUTCOMES,
    SUCCESS,
    Choice,
    Decision,
    Message,
    Profiles,
    Score,
    Tally,
)
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Kept(Protocol):
        """The queries on recorded decisions."""

        def mark(self) -> Mark:
            """Return the number of decisions with outcome, and the newest version."""

        def decided(self, limit: int) -> Iterable[Decision]:
            """Return the newest `limit` decisions with outcome."""

        def find(self, given: str) -> Record:
            """Return a decision by id. Raises `NotFoundError` if there is none."""

        def with_id(self, ident: str) -> Record | None:
            """Return a decision by its full id."""

    from typing import Any

KIND = "routing_decision"
#: A tag by which decisions with an outcome are found.
DECIDED = "outcome-known"
_LONGEST = 2000
_LONGEST_NOTE = 1000
_RANKED = 5
_SPELLED = {
    "success": SUCCESS,
    "ok": SUCCESS,
    "good": SUCCESS,
    "done": SUCCESS,
    "yes": SUCCESS,
    "failure": FAILURE,
    "failed": FAILURE,
    "fail": FAILURE,
    "bad": FAILURE,
    "no": FAILURE,
}


def outcome_named(text: str) -> str:
    """Parse an outcome. Raises `BadInputError` if it is invalid."""
    found = _SPELLED.get(text.strip().lower())
    if found is None:
        raise BadInputError(
            f"There is no outcome {text[:40]!r}.", hint=f"Outcomes are {' and '.join(OUTCOMES)}."
        )
    return found


def message_ulid(source: str, message: str) -> str:
    """Return the fixed id of the decision on a message.

    It is made of the message's own, so that one which comes again is found in the ledger, under
    whose lock that is asked. Its time is not real: it lies before all others, so that ids that are
    handed out later still grow, and tells ids apart where lists cut them short.
    """
    mark = digest(f"{source}\0{message}".encode("utf-8", "replace"))
    return derived_ulid(int.from_bytes(mark[10:15], "big"), mark)


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


#: Messages whose decisions are written in one append.
_AT_ONCE = 50


class Router:
    """Routes messages to agents.

    Args:
        profiles: of the agents.
        ledger: of the kind `routing_decision`. What it has taken is on disk: that is what a
            decision or an outcome is acknowledged by.
        kept: finds what was written down.
        standing: what outcomes taught so far.
        own: agents of the person's own. A decision that names one is told to nobody else.
    """

    def __init__(
        self,
        profiles: Profiles,
        ledger: Ledger,
        kept: Kept,
        standing: OutcomeStats,
        clock: Clock,
        *,
        own: frozenset[str] = frozenset(),
    ) -> None:
        self.profiles = profiles
        self.ledger = ledger
        self.kept = kept
        self.standing = standing
        self.clock = clock
        self.own = own

    def close(self) -> None:
        """Save deferred changes."""
        self.standing.flush()

    def choose(self, text: str, *, division: str = "") -> Choice:
        """Return the agent for a message, without recording anything."""
        if not text.strip():
            raise BadInputError("There is nothing to route.", hint='Try `satchel route "text"`.')
        return self._scorer().choose(text, division=division)

    def route(self, text: str, *, division: str = "", task: str = "") -> Decision:
        """Choose the agent for a message and record it, durably."""
        choice = self.choose(text, division=division)
        record = decision_record(text, choice, task=task, came="command", own=self.own)
        (written,) = self.ledger.append([record])
        return decision_of(written, choice=choice)

    def outcome(self, given: str, outcome: str, *, note: str = "") -> Decision:
        """Record a decision's outcome; a repeated call corrects it."""
        named = outcome_named(outcome)
        record = self.kept.find(given)
        self._learn()
        before = decision_of(record)
        (written,) = self.ledger.append([outcome_record(record, named, note)])
        decision = decision_of(written)
        mark = self.standing.mark
        self.standing.add(decision, Mark(mark.decided + (not before.outcome), written.hash))
        return decision

    def bridge(
        self, source: str, messages: Iterable[Message], remembered: RoutedMessages
    ) -> Iterator[Decision]:
        """Route unrouted messages; yields each decision once it is on disk.

        A message counts as done when its decision has been taken by whoever iterates. Killed
        before that, the next run gives the same decision again, with `again`; no message is ever
        decided twice.

        Args:
            source: where the messages are from; ids are unique within it.
            messages: in their order.
            remembered: ids of those that are done. Whoever calls flushes it at the end.
        """
        scorer = self._scorer()
        batch: list[Message] = []
        named = set[str]()
        for message in messages:
            name = f"{source}/{message.id}"
            if name not in remembered and name not in named:
                named.add(name)
                batch.append(message)
            if len(batch) >= _AT_ONCE:
                yield from self._bridged(source, batch, scorer, remembered)
                batch = []
        yield from self._bridged(source, batch, scorer, remembered)

    def _bridged(
        self, source: str, batch: Sequence[Message], scorer: Scorer, remembered: RoutedMessages
    ) -> Iterator[Decision]:
        now = int(self.clock.now())
        chosen: dict[str, tuple[Message, Choice]] = {}
        records = []
        for message in batch:
            choice = scorer.choose(message.text, division=message.division)
            ident = message_ulid(source, message.id)
            chosen[ident] = (message, choice)
            record = decision_record(
                message.text,
                choice,
                message=message.id,
                task=message.task,
                came=source,
                own=self.own,
            )
            records.append(record._replace(id=ident, ts=now))
        written = {record.id: record for record in self.ledger.append_new(records)}
        for ident, (message, choice) in chosen.items():
            if ident in written:
                yield decision_of(written[ident], choice=choice)
            else:
                held = self.kept.with_id(ident)
                if held is not None:
                    yield decision_of(held, again=True)
            remembered.add(f"{source}/{message.id}")

    def tallies(self) -> list[Tally]:
        """Return each agent's outcomes within the window."""
        self._learn()
        return self.standing.tallies()

    def _learn(self) -> None:
        from satchel.features.routing.outcome_stats import WINDOW

        self.standing.refresh(self.kept.mark(), lambda: self.kept.decided(WINDOW))

    def _scorer(self) -> Scorer:
        self._learn()
        multipliers = self.standing.multipliers()
        return Scorer(self.profiles, multipliers.get)
