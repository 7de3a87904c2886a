"""Purging: removes long-deleted memories from private ledgers, leaving tombstones.

The tracked ledger is never touched: what is in git, only git's own tools can remove.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from satchel.core.hashing import digest
from satchel.core.times import DAY
from satchel.storage.files import read_file
from satchel.storage.ledger.file import Ledger, append_durably
from satchel.storage.ledger.lines import decode, encode, split_lines
from satchel.storage.ledger.record import ID_KINDS, Record
from satchel.storage.ledger.rewriting import drop_unfinished, rewrite

_MARK = "purged"
#: What was forgotten has a tombstone already, which says more than one of a purge.
_FORGOTTEN = "forgotten"


class PurgeReport(NamedTuple):
    """The result of a purge or dry run: memory ids, lines removed, ledgers rewritten."""

    memories: tuple[str, ...]
    lines: int
    ledgers: tuple[str, ...]


class _Version(NamedTuple):
    raw: bytes
    record: Record


class _Group(NamedTuple):
    """A deleted memory in a private ledger: its newest version, and lines to remove."""

    newest: Record
    lines: frozenset[bytes]
    stones: tuple[Record, ...]


def purge(
    private: Iterable[Ledger],
    tracked: Ledger | None = None,
    *,
    now: float,
    after_days: float = 30,
    elsewhere: Sequence[str] = (),
    dry_run: bool = False,
) -> PurgeReport:
    """Remove all lines of memories deleted more than `after_days` ago.

    Args:
        private: the ledgers to purge, with their archives.
        tracked: the tracked one beside them, which is only read.
        now: Unix seconds.
        after_days: how many days a deletion is kept.
        elsewhere: tracked ledgers of other work trees that may have versions.
        dry_run: only report what would be removed.
    """
    paths = {*elsewhere, *((tracked.path, tracked.archive) if tracked else ())}
    shared = [v.record for path in sorted(paths) for v in _versions(split_lines(read_file(path)))]
    before = now - after_days * DAY
    ids: list[str] = []
    lines = 0
    touched: list[str] = []
    for ledger in private:
        groups = _purged(ledger, shared, before, dry_run=dry_run)
        if groups:
            ids += [group.newest.id for group in groups]
            lines += sum(len(group.lines) for group in groups)
            touched.append(ledger.path)
    return PurgeReport(tuple(ids), lines, tuple(touched))


def purge_ledger(
    ledger: Ledger, *, now: float, after_days: float = 30, dry_run: bool = False
) -> PurgeReport:
    """Purge a ledger without a tracked counterpart."""
    groups = _purged(ledger, (), now - after_days * DAY, dry_run=dry_run)
    return PurgeReport(
        tuple(group.newest.id for group in groups),
        sum(len(group.lines) for group in groups),
        (ledger.path,) if groups else (),
    )


def _purged(
    ledger: Ledger, shared: Sequence[Record], before: float, *, dry_run: bool
) -> list[_Group]:
    if dry_run:
        return _doomed(ledger, shared, before)
    # Decided under the lock: otherwise a line moved to the archive meanwhile would stay.
    with ledger.lock():
        groups = _doomed(ledger, shared, before)
        _remove(ledger, groups)
    return groups


def _doomed(ledger: Ledger, shared: Sequence[Record], before: float) -> list[_Group]:
    """Return memories whose newest version, here or in a tracked ledger, is an old deletion."""
    here = _grouped(
        version
        for path in (ledger.path, ledger.archive)
        for version in _versions(split_lines(read_file(path)))
    )
    there = {one.identity: one for one in sorted(shared, key=lambda one: one.version)}
    groups: dict[str, _Group] = {}
    unfinished: set[str] = set()
    for identity, versions in here.items():
        records = [version.record for version in versions]
        named = {identity, *(record.identity for record in records)}
        theirs = [there[one] for one in sorted(named) if one in there]
        newest = max([*records, *theirs], key=lambda r: r.version)
        if newest.deleted_at is None or newest.deleted_at > before:
            continue
        if all(map(_is_stone, records)) and len({v.raw for v in versions}) == len(
            {record.id for record in records}
        ):
            continue
        stone = _stone(newest, is_shared=bool(theirs))
        if stone.identity != identity:
            # A killed purge has already left this one's tombstone.
            versions.extend(here.get(stone.identity, []))
            unfinished.add(stone.identity)
        stones = _stones(stone, [v.record for v in versions], newest)
        groups[identity] = _Group(newest, frozenset(v.raw for v in versions), stones)
    return [group for identity, group in groups.items() if identity not in unfinished]


def _grouped(versions: Iterable[_Version]) -> dict[str, list[_Version]]:
    """Return versions by memory; older ones that came after a tombstone of their id belong to it.

    Another machine that was away may have held them, and a tombstone has a key of its own.
    """
    every = list(versions)
    stones: dict[str, Record] = {}
    for one in (version.record for version in every if _is_stone(version.record)):
        known = stones.get(one.id)
        stones[one.id] = one if known is None or one.version > known.version else known
    found: dict[str, list[_Version]] = {}
    for version in every:
        record = version.record
        stone = stones.get(record.id)
        ended = stone is not None and record.version < stone.version
        identity = stone.identity if stone is not None and ended else record.identity
        found.setdefault(identity, []).append(version)
    return found


def tombstones_of(versions: Sequence[Record]) -> tuple[Record, ...]:
    """Return the tombstones of a memory of which all versions go, the newest version's first."""
    newest = max(versions, key=lambda record: record.version)
    return _stones(_stone(newest, is_shared=False), versions, newest)


def _stones(stone: Record, versions: Sequence[Record], newest: Record) -> tuple[Record, ...]:
    stone = stone._replace(data={_MARK: _hashes(versions)})
    # One for each id: a merge may bring back any version, which is recognized by its id.
    ids = dict.fromkeys([newest.id, *sorted({one.id for one in versions})])
    return tuple(stone._replace(id=ident) for ident in ids)


def _stone(newest: Record, *, is_shared: bool) -> Record:
    """Return a purged memory's tombstone: no content, and no key derived from it."""
    # A key is made from the content. It is kept if a tracked ledger has the memory, which would
    # come back otherwise; a preference's key is a name that somebody chose.
    named = newest.kind == "preference"
    keeps_key = (is_shared and newest.kind not in ID_KINDS) or named
    key = newest.key
    if not keeps_key and not key.startswith(_MARK + "-"):
        # Includes the text's id: two tombstones with the same key would count as one.
        whole = f"{key}#{newest.text_id}" if newest.text_id else key
        key = f"{_MARK}-{digest(whole.encode('utf-8', 'replace')).hex()[:16]}"
    return Record(
        kind=newest.kind,
        key=key,
        source="satchel",
        ts=newest.ts,
        id=newest.id,
        rev=newest.rev + 1,
        category=newest.category if keeps_key else "",
        text_id=newest.text_id if keeps_key else "",
        agent=newest.agent if named else "",
        deleted_at=newest.deleted_at,
        wall=newest.wall,
    )


def _hashes(records: Iterable[Record]) -> list[str]:
    """Return the hashes of removed lines, including those removed earlier."""
    found: dict[str, None] = {}
    for record in records:
        data = record.data or {}
        earlier = data.get(_MARK) or data.get(_FORGOTTEN) if _is_stone(record) else None
        found |= dict.fromkeys(earlier if isinstance(earlier, list) else [record.hash])
    return list(found)


def _is_stone(record: Record) -> bool:
    marked = not {_MARK, _FORGOTTEN}.isdisjoint(record.data or {})
    return record.deleted_at is not None and not record.content and marked


def _remove(ledger: Ledger, groups: Sequence[_Group]) -> None:
    """Rewrite archive and ledger. If interrupted, nothing deleted becomes visible again.

    First the new lines are appended, so that no id is lost; then the archive is reduced to the
    newest versions, then the ledger is rewritten, then the archive again: each deletion stays until
    its replacement is on disk.
    """
    for path in (ledger.path, ledger.archive):
        drop_unfinished(path)
    if not groups:
        return
    every = {raw for group in groups for raw in group.lines}
    newest = {raw for group in groups for raw in group.lines if _is_newest(raw, group)}
    stones = [encode(stone).rstrip(b"\n") for group in groups for stone in group.stones]
    append_durably(ledger.path, b"\n".join(stones) + b"\n")
    rewrite(ledger.archive, lambda lines: [raw for raw in lines if raw not in every - newest])
    gone = every.difference(stones)
    rewrite(ledger.path, lambda lines: list(dict.fromkeys(raw for raw in lines if raw not in gone)))
    rewrite(ledger.archive, lambda lines: [raw for raw in lines if raw not in every])


def _is_newest(raw: bytes, group: _Group) -> bool:
    record = decode(raw).record
    return record is not None and record.version == group.newest.version


def _versions(lines: Iterable[bytes]) -> list[_Version]:
    decoded = ((raw, decode(raw).record) for raw in lines)
    return [_Version(raw, record) for raw, record in decoded if record is not None]
