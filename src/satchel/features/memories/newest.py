"""The memory last written by a command, and undoing that."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from satchel.core.kinds import BY_THE_WAY
from satchel.core.trust import AGENT, USER
from satchel.core.values import NamedTuple
from satchel.engine.search.documents import Filter
from satchel.engine.search.records import record_of
from satchel.features.memories.ledgers import TRACKED
from satchel.features.memories.service import Memories
from satchel.storage.ledger.record import Record

#: Hooks' automatic writes are not commands that somebody would undo.
_BY_HOOKS = (*BY_THE_WAY, "checkpoint", "injection")


#: The field of a memory's data with its former version of another kind.
REFILED = "refiled"
#: Marks a deletion that `undo` made, which the next `undo` does not take back.
TAKEN_BACK = "taken-back"


class Newest(NamedTuple):
    """A live memory, when it was first written, and its key's earlier version; None for none.

    `closed` are facts that it ended.
    """

    of: Memories
    record: Record
    at: int
    before: Record | None = None
    closed: tuple[Record, ...] = ()


def newest_of(stores: Iterable[Memories], but_of: Collection[str]) -> Newest | None:
    """Return what was last remembered in these stores, not derived from `but_of`."""
    found = [_newest(memories, frozenset(but_of)) for memories in stores]
    return max(filter(None, found), key=lambda one: one.at, default=None)


def withdraw(newest: Newest) -> Record:
    """Hide the memory; the facts that it ended hold again."""
    memories, record = newest.of, newest.record
    now = int(memories.clock.now())
    gone = record._replace(content="", title="", data=None, deleted_at=now)
    gone = gone._replace(tags=(*record.tags, TAKEN_BACK))
    open_again = [fact._replace(valid_to=None) for fact in newest.closed]
    return memories.append([one.following(now) for one in (*open_again, gone)])[-1]


def _newest(memories: Memories, but_of: frozenset[str]) -> Newest | None:
    mine = [one for one in memories.sources if one.label != TRACKED]
    hits = memories.index.latest(mine, only=Filter(without=_BY_HOOKS))
    records = [record_of(hit.document) for hit in hits if not hit.document.deleted]
    best: Newest | None = None
    for one in sorted(records, key=lambda record: record.version, reverse=True):
        if best is not None and one.ts < best.at:
            break  # nothing is created after its newest version
        if one.valid_to is None and _is_said(one, but_of):
            born, before = _birth(memories, one)
            if best is None or born.ts > best.at:
                best = Newest(memories, one, born.ts, before)
    if best is None or best.record.kind != "fact":
        return best
    from satchel.features.memories.replacing import replaced_by

    return best._replace(closed=tuple(replaced_by(memories, best.record)))


def _is_said(record: Record, but_of: frozenset[str]) -> bool:
    refiled = REFILED in (record.data or {})
    return (
        record.trust in (USER, AGENT)
        and not refiled
        and not but_of.intersection(record.derived_from)
    )


def _birth(memories: Memories, record: Record) -> tuple[Record, Record | None]:
    """Return the version that first had the current text, and the key's version before that."""
    if not (record.rev or record.key):
        return record, None
    every = [one.record for one in memories.history(record.id)] or [record]
    same = min((r for r in every if r.content == record.content), key=lambda r: r.version)
    born = min((r for r in every if r.id == same.id), key=lambda r: r.version)
    earlier = [r for r in every if r.version < born.version]
    last = max(earlier, key=lambda r: r.version, default=None)
    return born, last if last is not None and last.deleted_at is None else None
