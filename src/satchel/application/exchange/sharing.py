"""Sharing: copy private memories meant for the team to the ledger that git tracks."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from satchel.application.outlet import ASIDE
from satchel.core.errors import ConflictError
from satchel.core.ids import short_id
from satchel.core.kinds import LESSON, RULE, kinds_for
from satchel.core.redaction.second_pass import second_pass
from satchel.core.trust import clean_line
from satchel.engine.search.documents import Filter
from satchel.engine.search.records import is_private, record_of
from satchel.engine.statements.contradictions import AGAINST, Rule, clashes
from satchel.features.memories.contradicting import settled
from satchel.features.memories.ledgers import PRIVATE, TRACKED
from satchel.features.memories.service import Memories
from satchel.features.memories.shared import is_still_shared
from satchel.storage.files import read_file
from satchel.storage.git_attributes import keep_attributes
from satchel.storage.ledger.file import redacted
from satchel.storage.ledger.lines import decode, split_lines
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.rotation import rotate
from satchel.storage.safe_open import is_within
from satchel.storage.settings.table import Settings

_MOST_COMPARED = 500
#: Most contradictions to show at once.
MOST_CONTRADICTIONS = 50
#: Fields about this machine or session, which mean nothing to a team.
_LOCAL: dict[str, Any] = {
    "session": "",
    "chat": "",
    "worktree": "",
    "client": "",
    "visibility": "",
    "hash": "",
}


def shareable_records(memories: Memories, kinds: tuple[str, ...]) -> list[Record]:
    """Return what could be shared: live private records, and ends of shared ones.

    Memories rejected or replaced before anybody saw them stay here.
    """
    private = [s for s in memories.sources if s.label == PRIVATE]
    tracked = [s for s in memories.sources if s.label == TRACKED]
    latest = [hit.document for hit in memories.index.latest(tracked)]
    shared = {document.identity: document for document in latest}
    # What a purge leaves of a memory has its id, but no key to recognize it by.
    by_id = {document.id: document for document in latest}
    live = memories.index.live(memories.view(Filter(kinds=kinds)))
    mine = {h.document.identity for h in memories.index.latest(private)}
    standing = [(hit.document, record_of(hit.document)) for hit in live]
    replaced = {ident for _, record in standing for ident in record.supersedes}
    found = []
    for document, record in standing:
        if document.identity not in mine or is_private(record):
            continue
        theirs = shared.get(document.identity)
        outdated = ASIDE in record.tags or record.id in replaced
        if (theirs is None and not outdated) or (theirs is not None and _newer(document, theirs)):
            found.append(record)
    for hit in memories.index.latest(private):
        theirs = shared.get(hit.document.identity) or by_id.get(hit.document.id)
        if theirs is None or theirs.deleted or not _newer(hit.document, theirs):
            continue
        record = record_of(hit.document)
        # Ends of memories that the team still sees: a deletion, or a newer fact.
        if record.deleted_at is not None or record.valid_to is not None:
            found.append(record)
    return found


def left_out(memories: Memories, kinds: tuple[str, ...]) -> list[Record]:
    """Return memories that are not shared because they name a person; they can be shared by id.

    Memories marked private are left out silently, as their author wished.
    """
    private = [s for s in memories.sources if s.label == PRIVATE]
    tracked = [s for s in memories.sources if s.label == TRACKED]
    there = {hit.document.identity for hit in memories.index.latest(tracked)}
    view = memories.view(Filter(kinds=kinds))._replace(sources=private)
    live = memories.index.live(view)
    records = [record_of(hit.document) for hit in live]
    replaced = {ident for record in records for ident in record.supersedes}
    return [
        one
        for one in records
        if look_first(one) and one.visibility != "private" and one.identity not in there
        if ASIDE not in one.tags and one.id not in replaced
    ]


def look_first(record: Record) -> str:
    """Return why a person should check a memory before it is shared; "" for no reason."""
    if record.deleted_at is None and is_private(record._replace(visibility="")):
        return "it names an e-mail address or a phone number"
    return ""


def contradictions_of(memories: Memories, records: Sequence[Record]) -> list[str]:
    """Return live memories that these contradict, side by side, one line each.

    At most `MOST_CONTRADICTIONS`, since nobody reads further.
    """
    kinds = (*kinds_for(RULE), LESSON)
    live = memories.live(kinds=kinds, limit=_MOST_COMPARED)
    rules = [Rule(other.id, at, other.content) for at, other in enumerate(live)]
    told: dict[frozenset[str], str] = {}
    for one in records:
        if one.kind not in kinds or one.deleted_at is not None:
            continue
        if len(told) >= MOST_CONTRADICTIONS:
            break
        for clash in clashes(one.content, rules):
            other = live[clash.rule.line]
            if clash.what == AGAINST and other.id != one.id and not settled(one, other):
                pair = frozenset((one.id, clash.rule.path))
                told.setdefault(pair, f"{one.content} / {clash.rule.text} ({clash.why})")
    return list(told.values())[:MOST_CONTRADICTIONS]


def deletion_note(memories: Memories, record: Record) -> str:
    """Return a note if colleagues still see a memory deleted here, otherwise ""."""
    if not is_still_shared(memories, record):
        return ""
    tracked = memories.ledgers.tracked
    where = f", in {os.path.relpath(tracked.path, memories.ledgers.root)}" if tracked else ""
    return clean_line(f"It was shared: colleagues go on seeing it{where}.")


def shared_deletion(memories: Memories, record: Record) -> str:
    """Return what colleagues still see after a deletion, and how to end that; or ""."""
    note = deletion_note(memories, record)
    return f"{note} {sharing_step(record)}" if note else ""


def sharing_step(record: Record) -> str:
    """Return the command that publishes a memory's new state to colleagues."""
    return f"`satchel share {short_id(record.id)}` shares the deletion."


def _newer(one: object, other: object) -> bool:
    """Compare versions; content that differs only by scrubbing is not newer."""

    def order(document: object) -> tuple[object, ...]:
        return tuple(getattr(document, name) for name in ("ts", "id", "rev"))

    return order(one) > order(other)


def scrubbed_for_team(record: Record) -> Record:
    """Return a record redacted again and without data specific to this machine.

    Off the hot path there is time for a second detector, if installed.
    """
    clean = redacted(record)
    content, title = second_pass(clean.content)[0], second_pass(clean.title)[0]
    return clean._replace(content=content, title=title, **_LOCAL)


def share(memories: Memories, records: Sequence[Record]) -> list[Record]:
    """Append reviewed records to the tracked ledger, and return the new lines."""
    ledger = memories.ledgers.tracked
    if ledger is None:
        raise ConflictError("This place has no tracked ledger.")
    _refuse_elsewhere(ledger.path, memories.ledgers.root)
    lines = [scrubbed_for_team(record) for record in records]
    keep_attributes(ledger.path)
    archived = (decode(raw) for raw in split_lines(read_file(ledger.archive)))
    every = (line.record for lines in (ledger.read(), archived) for line in lines)
    held = {(r.id, r.rev, r.ts) for r in every if r is not None}
    fresh = [line for line in lines if (line.id, line.rev, line.ts) not in held]
    return ledger.append(fresh)


def rotate_shared(memories: Memories, settings: Settings) -> int:
    """Move the oldest lines out of an overgrown tracked ledger; return how many."""
    ledger = memories.ledgers.tracked
    if ledger is None:
        return 0
    above, move = settings.integer("rotation.above"), settings.integer("rotation.move")
    return rotate(ledger, above=above, move=move).moved


def unshare(memories: Memories, ids: Sequence[str]) -> int:
    """Remove just-shared lines from the tracked ledger; return how many.

    Those who committed or pulled them meanwhile keep them.
    """
    ledger = memories.ledgers.tracked
    if ledger is None:
        return 0
    _refuse_elsewhere(ledger.path, memories.ledgers.root)
    return ledger.take_back(ids)


def _refuse_elsewhere(path: str, root: str) -> None:
    """Raise if a symbolic link puts the ledger outside the work tree."""
    if os.path.islink(path) or not is_within(os.path.realpath(path), os.path.realpath(root)):
        raise ConflictError(
            f"{path} is a symbolic link, or leads through one; Satchel does not write there.",
            hint="Put a regular file there.",
        )
