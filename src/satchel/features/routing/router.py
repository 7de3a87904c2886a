"""The router: chooses an agent, records the decision, and learns from its outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from satchel.core.clock import Clock
from satchel.core.errors import BadInputError
from satchel.core.hashing import digest
from satchel.core.ids import derived_ulid
from satchel.features.routing.decisions import (
    Decisions,
    decision_of,
    decision_record,
    outcome_record,
)
from satchel.features.routing.messages import RoutedMessages
from satchel.features.routing.outcome_stats import WINDOW, Mark, OutcomeStats
from satchel.features.routing.scoring import Scorer
from satchel.features.routing.values import (
    FAILURE,
    OUTCOMES,
    SUCCESS,
    Choice,
    Decision,
    Message,
    Profiles,
    Tally,
)

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


#: Messages whose decisions are written in one append.
_AT_ONCE = 50


class Router:
    """Routes messages to agents.

    Args:
        profiles: of the agents.
        decisions: recorded ones, and the ledger that acknowledges new ones.
        stats: what outcomes taught so far.
        own: agents of the person's own. A decision that names one is told to nobody else.
    """

    def __init__(
        self,
        profiles: Profiles,
        decisions: Decisions,
        stats: OutcomeStats,
        clock: Clock,
        *,
        own: frozenset[str] = frozenset(),
    ) -> None:
        self.profiles = profiles
        self.decisions = decisions
        self.stats = stats
        self.clock = clock
        self.own = own

    def close(self) -> None:
        """Save deferred changes."""
        self.stats.flush()

    def choose(self, text: str, *, division: str = "") -> Choice:
        """Return the agent for a message, without recording anything."""
        if not text.strip():
            raise BadInputError("There is nothing to route.", hint='Try `satchel route "text"`.')
        return self._scorer().choose(text, division=division)

    def route(self, text: str, *, division: str = "", task: str = "") -> Decision:
        """Choose the agent for a message and record it, durably."""
        choice = self.choose(text, division=division)
        record = decision_record(text, choice, task=task, came="command", own=self.own)
        (written,) = self.decisions.ledger.append([record])
        return decision_of(written, choice=choice)

    def outcome(self, given: str, outcome: str, *, note: str = "") -> Decision:
        """Record a decision's outcome; a repeated call corrects it."""
        named = outcome_named(outcome)
        record = self.decisions.find(given)
        self._learn()
        before = decision_of(record)
        (written,) = self.decisions.ledger.append([outcome_record(record, named, note)])
        decision = decision_of(written)
        mark = self.stats.mark
        self.stats.add(decision, Mark(mark.decided + (not before.outcome), written.hash))
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
        written = {record.id: record for record in self.decisions.ledger.append_new(records)}
        for ident, (message, choice) in chosen.items():
            if ident in written:
                yield decision_of(written[ident], choice=choice)
            else:
                held = self.decisions.with_id(ident)
                if held is not None:
                    yield decision_of(held, again=True)
            remembered.add(f"{source}/{message.id}")

    def tallies(self) -> list[Tally]:
        """Return each agent's outcomes within the window."""
        self._learn()
        return self.stats.tallies()

    def _learn(self) -> None:
        self.stats.refresh(self.decisions.mark(), lambda: self.decisions.decided(WINDOW))

    def _scorer(self) -> Scorer:
        self._learn()
        multipliers = self.stats.multipliers()
        return Scorer(self.profiles, multipliers.get)
