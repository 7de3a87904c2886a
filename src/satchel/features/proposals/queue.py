"""The review queue: suggestions and decisions as lines of a private ledger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from satchel.core.errors import AmbiguousIdError, NotFoundError
from satchel.core.shapes import dict_of, list_of
from satchel.core.values import Any
from satchel.features.proposals.selection import in_review_order
from satchel.features.proposals.values import (
    KINDS,
    OPERATIONS,
    PENDING,
    STATES,
    Decision,
    Edit,
    Proposal,
    QueuedProposal,
    Scan,
)
from satchel.storage.ledger.contract import RecordLog
from satchel.storage.ledger.lines import records_in
from satchel.storage.ledger.record import Record

#: The kind of their lines.
KIND = "proposal"
_PROPOSED, _DECIDED, _SCANNED = "proposed", "decided", "scanned"
_EDIT_FIELDS = Edit._fields
_KEPT_APART = ("id", "ts", "title", "session", "agent", "trust", "derived_from", "edits")


class Queue:
    """A project's suggestions.

    Args:
        ledger: its own private ledger; every proposal and decision is a line.
    """

    def __init__(self, ledger: RecordLog) -> None:
        self.ledger = ledger
        #: What was read of the ledger, up to the end of a line, and the records in it.
        self._read, self._known = b"", list[Record]()

    def close(self) -> None:
        """Close the ledger."""
        self.ledger.close()

    def _records(self) -> list[Record]:
        """Return its records; reflection asks after every session, so each is decoded once."""
        data = self.ledger.data()
        if not data.startswith(self._read):
            self._read, self._known = b"", []
        new = data[len(self._read) : data.rfind(b"\n") + 1]
        self._known += filter(_is_ours, records_in(new))
        self._read += new
        return [*self._known, *filter(_is_ours, records_in(data[len(self._read) :]))]

    def all(self) -> list[QueuedProposal]:
        """Return every suggestion with its state and number, oldest first."""
        proposals: dict[str, Proposal] = {}
        decided: dict[str, tuple[tuple[int, str], Decision]] = {}
        numbers = Numbers()
        for record in self._records():
            assert record.data is not None  # noqa: S101 -- only those come
            if record.data.get("op") == _PROPOSED:
                proposal = _proposal(record)
                if proposal is not None:
                    proposals[proposal.id] = proposal
                    numbers.propose(proposal)
            elif record.data.get("op") == _DECIDED:
                ident, order = str(record.data.get("of", "")), (record.ts, record.id)
                if ident not in decided or decided[ident][0] < order:
                    decided[ident] = (order, _decision(record))
                    numbers.decide(ident, decided[ident][1].state)
        return [
            QueuedProposal(
                one, decided[one.id][1] if one.id in decided else Decision(), numbers.of[one.id]
            )
            for one in sorted(proposals.values(), key=lambda p: (p.ts, p.id))
        ]

    def pending(self) -> list[QueuedProposal]:
        """Return pending suggestions by their numbers."""
        waiting = [one for one in self.all() if one.state == PENDING]
        return sorted(waiting, key=lambda one: one.number)

    def find(self, given: str) -> QueuedProposal:
        """Return a suggestion by its id, or the start or end of it."""
        every = self.all()
        wanted = given.strip().upper()
        found = [s for s in every if s.proposal.id == wanted] or [
            s
            for s in every
            if wanted and (s.proposal.id.startswith(wanted) or s.proposal.id.endswith(wanted))
        ]
        if len(found) > 1:
            raise AmbiguousIdError(
                f"{given!r} could be {len(found)} suggestions.", hint="Give more of the id."
            )
        if not found:
            raise NotFoundError(
                f"There is no suggestion {given[:40]!r}.",
                hint="`satchel review --json` lists them.",
            )
        return found[0]

    def propose(self, proposals: Sequence[Proposal]) -> list[Proposal]:
        """Add suggestions, skipping those made before, whatever the decision."""
        fresh = in_review_order(self.new(proposals))
        written = self.ledger.append([_record(one) for one in fresh])
        return [
            one._replace(id=record.id, ts=record.ts)
            for one, record in zip(fresh, written, strict=True)
        ]

    def new(self, proposals: Sequence[Proposal]) -> list[Proposal]:
        """Return suggestions that were never made before, without duplicates.

        A resumed session repeats the earlier one's words, which do not confirm a rule again.
        """
        queued = self.all()
        every = [one.proposal for one in queued]
        # Two sessions may take back one thing.
        waiting = [one.proposal.edits for one in queued if one.state == PENDING]
        known, said = {one.key for one in every}, {(one.turns, one.quote) for one in every}
        fresh: list[Proposal] = []
        for proposal in proposals:
            if proposal.confirms and (proposal.turns, proposal.quote) in said:
                continue
            repeats = bool(proposal.edits) and proposal.edits in waiting
            if proposal.key not in known and (proposal.confirms or not repeats):
                known.add(proposal.key)
                fresh.append(proposal)
        return fresh

    def note_scan(self, scan: Scan) -> None:
        """Record that a session was scanned, and its number of signals."""
        data = {"op": _SCANNED, "source": scan.source, "mark": scan.mark, "found": scan.found}
        self.ledger.append([Record(kind=KIND, source="reflect", session=scan.session, data=data)])

    def scans(self) -> list[Scan]:
        """Return each session's last scan, in order of scanning."""
        last: dict[str, Scan] = {}
        for record in self._records():
            data = record.data or {}
            if data.get("op") == _SCANNED:
                found = data.get("found")
                counts = dict_of(found)
                source = str(data.get("source", ""))
                scan = Scan(record.session, source, str(data.get("mark", "")), counts, record.ts)
                last.pop(source, None)
                last[source] = scan
        return list(last.values())

    def decide(self, proposal: Proposal, decision: Decision) -> None:
        """Record a decision; it is on disk on return."""
        data: dict[str, Any] = {"op": _DECIDED, "of": proposal.id, "state": decision.state}
        for name in ("by", "commit", "note", "answer"):
            if getattr(decision, name):
                data[name] = getattr(decision, name)
        if decision.files:
            data["files"] = [list(one) for one in decision.files]
        self.ledger.append([Record(kind=KIND, source=decision.by or "user", data=data)])


def _is_ours(record: Record) -> bool:
    return record.kind == KIND and isinstance(record.data, dict)


def _record(proposal: Proposal) -> Record:
    data: dict[str, Any] = {"op": _PROPOSED}
    for name, value in proposal._asdict().items():
        if name not in _KEPT_APART and value not in ("", (), None):
            data[name] = list(value) if isinstance(value, tuple) else value
    data["edits"] = [
        {name: value for name, value in edit._asdict().items() if value not in ("", None)}
        for edit in proposal.edits
    ]
    return Record(
        kind=KIND,
        source="reflect",
        title=proposal.title,
        session=proposal.session,
        agent=proposal.agent,
        trust=proposal.trust,
        derived_from=proposal.derived_from,
        data=data,
    )


def _proposal(record: Record) -> Proposal | None:
    data = record.data or {}
    edits = tuple(_edits(data.get("edits")))
    if data.get("kind") not in KINDS or not edits:
        return None
    return Proposal(
        kind=str(data["kind"]),
        group=str(data.get("group", "")),
        title=record.title,
        why=str(data.get("why", "")),
        tier=str(data.get("tier", "low")),
        edits=edits,
        key=str(data.get("key", "")),
        quote=str(data.get("quote", "")),
        session=record.session,
        turns=_words(data.get("turns")),
        derived_from=record.derived_from,
        warnings=_words(data.get("warnings")),
        agent=record.agent,
        trust=record.trust,
        learning_type=str(data.get("learning_type", "")),
        scope=str(data.get("scope", "project")),
        id=record.id,
        ts=record.ts,
    )


def _edits(rows: Any) -> Iterable[Edit]:
    for row in list_of(rows):
        if isinstance(row, dict) and row.get("operation") in OPERATIONS:
            yield Edit(**{name: value for name, value in row.items() if name in _EDIT_FIELDS})


def _decision(record: Record) -> Decision:
    data = record.data or {}
    state = data.get("state")
    rows = data.get("files")
    files = tuple(
        (str(row[0]), str(row[1]), None if row[2] is None else str(row[2]))
        for row in list_of(rows)
        if isinstance(row, list) and len(row) == 3  # noqa: PLR2004
    )
    return Decision(
        str(state) if state in STATES else PENDING,
        record.ts,
        str(data.get("by", "")),
        commit=str(data.get("commit", "")),
        note=str(data.get("note", "")),
        files=files,
        line=record.id,
        answer=str(data.get("answer", "")),
    )


def _words(value: Any) -> tuple[str, ...]:
    return tuple(str(one) for one in list_of(value))


class Numbers:
    """The numbers that name suggestions in a review.

    They follow from the ledger's order, so that no number changes between looking and answering:
    other suggestions may come, and be decided, at any time.
    """

    def __init__(self) -> None:
        self.of: dict[str, int] = {}
        self._waiting: set[str] = set()
        #: No waiting one has a higher number.
        self._last = 0

    def propose(self, proposal: Proposal) -> None:
        """Give a new suggestion the next number, or that of the waiting one that it rewords."""
        if proposal.id in self.of:
            return
        original = next(iter(proposal.derived_from), "")
        if original in self._waiting:
            self.of[proposal.id] = self.of[original]
        else:
            self._take_next(proposal.id)
        self._waiting.add(proposal.id)

    def decide(self, ident: str, state: str) -> None:
        """Note a decision; one that waits again keeps its number if no other has it."""
        if state != PENDING:
            self._waiting.discard(ident)
        elif ident in self.of and ident not in self._waiting:
            number = self.of[ident]
            if any(self.of[one] == number for one in self._waiting):
                self._take_next(ident)
            else:
                # Counting begins at 1 when none waits: this number may be of the count before.
                self._last = max(self._last, number) if self._waiting else number
            self._waiting.add(ident)

    def _take_next(self, ident: str) -> None:
        self._last = self._last + 1 if self._waiting else 1
        self.of[ident] = self._last
