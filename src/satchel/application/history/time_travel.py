"""All lines of a project's ledgers, for its history and its state at a given time.

The tracked ledger's lines pass its gate, then as now: unapproved ones are marked and hide nothing,
rejected ones are left out.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from satchel.application.services import Services, private_states
from satchel.core.trust import REPO, UNAPPROVED
from satchel.core.values import NamedTuple
from satchel.engine.search.documents import Filter, Source, View
from satchel.engine.search.index import Index
from satchel.engine.search.records import StoredMemory, end_of, parse_line, record_of, remembered
from satchel.features.memories.ledgers import PRIVATE, TEAM, TRACKED, USER
from satchel.features.memories.team_ledgers import TeamLedgers
from satchel.features.proposals.queue import Queue
from satchel.features.proposals.values import ACCEPTED
from satchel.features.proposals.waiting import LEDGER
from satchel.storage.files import read_file
from satchel.storage.ledger.lines import encode, records_in
from satchel.storage.ledger.record import Record
from satchel.storage.paths import PrivateState, archive_of

REMEMBERED, CHANGED, DELETED, NOTED = "remembered", "changed", "deleted", "noted"
#: A suggestion that was taken up into a file.
TAKEN_UP = "accepted"


class LedgerEntry(NamedTuple):
    """A ledger line, and its ledger's label: private, tracked, user, unapproved, or its name."""

    record: Record
    ledger: str
    operation: bool = False

    @property
    def identity(self) -> tuple[bool, str]:
        """Return the key shared by versions of one memory; an unapproved line is of none other."""
        return self.ledger == UNAPPROVED, self.record.identity


class Event(NamedTuple):
    """The effect of a line: a memory remembered, changed or deleted, or an operation.

    `before` is what the line changed or deleted; None where there was nothing.
    """

    what: str
    record: Record
    ledger: str
    before: Record | None = None


def events(lines: Iterable[LedgerEntry]) -> list[Event]:
    """Return the effects of lines, oldest first; duplicate lines count once.

    Within a second, the order of the ledger's lines decides: pass archives before ledgers.
    """
    once = {
        (one.operation and one.ledger, one.record.identity, one.record.version): one
        for one in lines
    }
    ordered = sorted(once.values(), key=lambda one: one.record.ts)
    live: dict[tuple[bool, str], Record] = {}
    found = []
    for one in ordered:
        if one.operation:
            found.append(Event(NOTED, one.record, one.ledger))
            continue
        identity = one.identity
        # What comes after a deletion is no change of it, though it has the same key.
        before = live.pop(identity, None)
        if before is not None and _is_copy(one.record, before):
            live[identity] = before
            continue
        what = REMEMBERED if before is None else CHANGED
        if one.record.deleted_at is not None:
            what = DELETED
        else:
            live[identity] = one.record
        found.append(Event(what, one.record, one.ledger, before))
    return found


def _is_copy(one: Record, other: Record) -> bool:
    """Return whether two lines are one version, shared: without what concerns this machine."""

    def said(record: Record) -> tuple[object, ...]:
        return (record.ts, record.id, record.rev, record.title, record.content, record.deleted_at)

    return said(one) == said(other) and not (one.edited or other.edited)


def state_at(lines: Iterable[LedgerEntry], at: float) -> list[LedgerEntry]:
    """Return the memories as of a given time, newest first.

    Args:
        lines: those of every ledger.
        at: Unix seconds; lines up to it count, by the ledgers' own order (`ts`).

    Memories deleted, expired or no longer valid by then are left out.
    """
    then = [one for one in lines if one.record.ts <= at and not one.operation]
    newest = _newest(then)
    # As in the index (`may_replace`): what was not shared from here is replaced by no colleague's.
    mine = [one for one in then if one.record.trust != REPO]
    shared = {one.identity for one in mine if one.ledger == TRACKED}
    unshared = _newest(one for one in mine if one.identity not in shared)
    beside = [one for name, one in unshared.items() if newest[name].record.trust == REPO]
    standing = [one for one in (*newest.values(), *beside) if _stands(one.record, at)]
    return sorted(standing, key=lambda one: one.record.version, reverse=True)


def _newest(lines: Iterable[LedgerEntry]) -> dict[tuple[bool, str], LedgerEntry]:
    newest: dict[tuple[bool, str], LedgerEntry] = {}
    for one in lines:
        known = newest.get(one.identity)
        if known is None or one.record.version > known.record.version:
            newest[one.identity] = one
    return newest


def _stands(record: Record, at: float) -> bool:
    if record.deleted_at is not None:
        return False
    until = end_of(record)
    return until is None or until > at


def matching(record: Record, kinds: Sequence[str]) -> bool:
    """Return whether a record is of one of these kinds; no kinds means all."""
    return not kinds or record.kind in kinds


def memory_lines(work: Services) -> list[LedgerEntry]:
    """Return the memory lines of the project, the user, and the team if there is one.

    The inbox is drained first. Unparsable lines are left out; `doctor` shows them.
    """
    work.refresh()
    found: list[LedgerEntry] = []
    for store in work.memories.stores.every():
        ledgers = store.ledgers
        if isinstance(ledgers, TeamLedgers):
            for name in ledgers.held():
                found += [
                    LedgerEntry(line.record, TEAM)
                    for line in ledgers.named(name).read()
                    if line.record
                ]
            continue
        for source in reversed(ledgers.sources()):  # archives first: they are older
            found += _judged_lines(source) if source.gate else _lines_in(source.path, source.label)
    return found


def operation_lines(work: Services) -> list[LedgerEntry]:
    """Return the lines of other ledgers: graph, rules, suggestions, approvals, tables."""
    found: list[LedgerEntry] = []
    memories = {
        os.path.basename(ledger.path) for ledger in work.memories.stores.ledgers.every_private()
    }
    for user, state in private_states(work):
        owner = USER if user else PRIVATE
        for name in _names(state):
            if name in memories or name.endswith(".archive.jsonl"):
                continue
            ledger = name.removesuffix(".jsonl")
            label = ledger if owner == PRIVATE else f"{USER}:{ledger}"
            path = os.path.join(state.ledgers, name)
            for one in (archive_of(path), path):
                found += [line._replace(operation=True) for line in _lines_in(one, label)]
    return found


def accepted_rules(work: Services) -> list[Event]:
    """Return the suggestions that now stand in files, such as CLAUDE.md, oldest first."""
    if not work.project.has_log(LEDGER):
        return []
    every = Queue(work.project.log(LEDGER)).all()
    accepted = [one for one in every if one.state == ACCEPTED and one.decided.files]
    events = []
    for proposal, decided, _ in sorted(accepted, key=lambda one: one.decided.at):
        record = Record(
            "suggestion", proposal.title, id=proposal.id, ts=decided.at, source=decided.by
        )
        files = dict.fromkeys(edit.path for edit in proposal.edits if edit.path)
        events.append(Event(TAKEN_UP, record, ", ".join(files)))
    return events


def listed_at(work: Services, at: float, only: Filter, limit: int) -> Sequence[StoredMemory]:
    """Return the memories as of a given time, newest first; like `Workspace.list` for now."""
    found = []
    for line in state_at(memory_lines(work), at):
        record = line.record
        wanted = (
            (not only.kinds or record.kind in only.kinds)
            and only.task in ("", record.task)
            and only.epic in ("", record.epic)
            and (not only.tag or only.tag in record.tags)
            and record.ts >= only.since
        )
        if wanted:
            found.append(StoredMemory(record, line.ledger))
    return found[:limit]


def recalled_at(work: Services, question: str, at: float, limit: int) -> Sequence[StoredMemory]:
    """Search memories as of a given time by words, best first.

    Today's index favors the newest versions, so those of the given time get a temporary index in
    memory.
    """
    import tempfile

    from satchel.project.derived_store import open_database

    with tempfile.TemporaryDirectory() as directory:
        standing = state_at(memory_lines(work), at)
        labels = {(line.identity[0], line.record.id): line.ledger for line in standing}
        sources = [Source(os.path.join(directory, name), name) for name in (PRIVATE, UNAPPROVED)]
        for source in sources:
            with open(source.path, "wb") as file:
                held = source.label == UNAPPROVED
                lines = [line for line in standing if (line.ledger == UNAPPROVED) == held]
                file.writelines(encode(line.record) for line in lines)
        database = open_database()
        try:
            index = Index(database, parse_line)
            index.catch_up(sources)
            hits = [
                hit
                for source in sources
                for hit in index.search(question, View([source], at), limit=limit)
            ]
        finally:
            database.close()
    best = sorted(hits, key=lambda hit: hit.score, reverse=True)[:limit]
    found = [remembered(hit) for hit in best]
    return [
        item._replace(source=labels[item.source == UNAPPROVED, item.record.id]) for item in found
    ]


def _names(state: PrivateState) -> list[str]:
    try:
        return sorted(n for n in os.listdir(state.ledgers) if n.endswith(".jsonl"))
    except OSError:
        return []


def _judged_lines(source: Source) -> Iterator[LedgerEntry]:
    """Yield a tracked ledger's lines with the trust that its gate gives them now."""
    judge = None if source.gate is None else source.gate.of_lines(source.path)
    for number, raw in enumerate(read_file(source.path).split(b"\n"), 1):
        document = parse_line(raw) if raw.strip() else ""
        if judge is None or isinstance(document, str):
            continue
        verdict = judge(record_of(document), number)
        if not verdict.refused:
            record = record_of(document.labelled(verdict.trust, verdict.author))
            yield LedgerEntry(record, source.label if verdict.passes else UNAPPROVED)


def _lines_in(path: str, label: str) -> Iterator[LedgerEntry]:
    for record in records_in(read_file(path)):
        yield LedgerEntry(record, label)
