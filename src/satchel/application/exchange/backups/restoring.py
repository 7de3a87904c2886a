"""Restores a home, or parts of it, from a backup.

Everything is staged and flushed first; then, under all ledgers' locks, the current state is backed
up and a list of moves is recorded. From then on the restore will happen: if it is killed in the
middle of the moves, the next run finishes it (`finish`).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from satchel.application.exchange.backups.forgotten import SurvivingRecords
from satchel.application.exchange.backups.snapshot import take_snapshot
from satchel.application.exchange.backups.vault import Backup, StoredFile, Vault
from satchel.core import quick_json
from satchel.core.errors import NotReadableError
from satchel.core.hashing import digest, new_hasher, sealed
from satchel.core.values import NamedTuple
from satchel.project.interrupted_restore import JOURNAL, finish_moves, ledger_locks
from satchel.project.inventory import LEDGER, HomeFile, home_file_of, home_files, local_path
from satchel.storage.files import (
    RAW,
    flush_to_disk,
    make_private_directory,
    own,
    read_file,
    replace_file,
    size_of,
    write_all,
)
from satchel.storage.home_paths import lock_in, restoring_in
from satchel.storage.ledger.lines import decode
from satchel.storage.locks import FileLock
from satchel.storage.paths import UserHome

NEW, CHANGED, REMOVED, SAME = "new", "changed", "removed", "same"


class Change(NamedTuple):
    """What a restore does to a file: new, changed, removed; its size before and after."""

    path: str
    kind: str
    what: str
    before: int
    after: int


class RestoreReport(NamedTuple):
    """What was changed, and the name of the backup of the previous state."""

    changes: tuple[Change, ...]
    safety: str


def as_of(contents: Iterator[bytes], at: float) -> Iterator[bytes]:
    """Yield the lines of a ledger written up to a time, including newlines.

    The ledger's own order decides: `ts`, whole seconds. An unparsable line goes with the one before
    it.
    """
    kept, rest = True, b""
    for block in contents:
        *lines, rest = (rest + block).split(b"\n")
        for raw in lines:
            kept = _written_by(raw, at, before=kept)
            if kept:
                yield raw + b"\n"
    if rest and _written_by(rest, at, before=kept):
        yield rest


def _written_by(raw: bytes, at: float, *, before: bool) -> bool:
    record = decode(raw).record
    return before if record is None else record.ts <= at


def plan(
    home: UserHome,
    vault: Vault,
    backup: Backup,
    *,
    kinds: Sequence[str] = (),
    at: float | None = None,
) -> list[Change]:
    """Return what a restore would change, by path, after reading everything it needs."""
    changes, carried = [], SurvivingRecords(home, vault, backup)
    wanted = {one.file.path: one for one in _wanted(vault, backup, kinds, carried)}
    for path, one in wanted.items():
        mark, size = _hash_of(_contents(vault, one, at, carried))
        before = _state_of(local_path(home.path, path))
        what = NEW if before is None else SAME if before == (mark, size) else CHANGED
        changes.append(Change(path, one.file.kind, what, before[1] if before else 0, size))
    for there in home_files(home, kinds=kinds):
        if there.path not in wanted and not carried.keeps(there):
            size = size_of(local_path(home.path, there.path))
            changes.append(Change(there.path, there.kind, REMOVED, size, 0))
    return sorted(changes)


def restore(
    home: UserHome,
    vault: Vault,
    backup: Backup,
    safe: Vault,
    *,
    now: float,
    kinds: Sequence[str] = (),
    at: float | None = None,
) -> RestoreReport:
    """Restore a home, or some kinds of its contents; the previous state is backed up in `safe`.

    Raises `NotReadableError` naming a damaged file, with nothing changed.
    """
    with FileLock(lock_in(home.path, "restore"), timeout=30.0):
        finish_moves(home)
        stage = restoring_in(home.path)
        shutil.rmtree(stage, ignore_errors=True)
        make_private_directory(stage)
        with ExitStack() as locks:
            locks.callback(_leave_nothing, stage)
            named = (one.file for one in backup.files if _chosen(one.file, kinds))
            every = {*home_files(home), *named}
            for lock in [*ledger_locks(home, sorted(every)), safe.lock()]:
                locks.enter_context(lock)
            carried = SurvivingRecords(home, vault, backup)
            moves = _staged(home, vault, _wanted(vault, backup, kinds, carried), at, carried)
            safe.prepare()
            before = safe.keep(take_snapshot(home, locked=True), made=now)
            changes = plan(home, vault, backup, kinds=kinds, at=at)
            # An event that a hook recorded meanwhile is in no backup, so it stays.
            held = {one.file.path: (one.hash, one.size) for one in before.files}
            removed = [c.path for c in changes if c.what == REMOVED]
            gone = [p for p in removed if held.get(p) == _state_of(local_path(home.path, p))]
            states = sorted({one.state for one in every if one.state})
            fields = {"moves": moves, "remove": gone, "states": states}
            replace_file(os.path.join(stage, JOURNAL), sealed(quick_json.dumps(fields))[0])
            finish_moves(home)
    done = [c for c in changes if c.what != SAME and (c.what != REMOVED or c.path in gone)]
    return RestoreReport(tuple(done), before.name)


def _wanted(
    vault: Vault, backup: Backup, kinds: Sequence[str], carried: SurvivingRecords
) -> list[StoredFile]:
    """Return the files of a backup to restore."""
    chosen = [one for one in backup.files if _chosen(one.file, kinds)]
    return [one for one in chosen if not carried.leaves_out(vault, one)]


def _leave_nothing(stage: str) -> None:
    """Remove staged copies, unless the moves are recorded and must be finished."""
    if not os.path.exists(os.path.join(stage, JOURNAL)):
        shutil.rmtree(stage, ignore_errors=True)


def _staged(
    home: UserHome,
    vault: Vault,
    wanted: Sequence[StoredFile],
    at: float | None,
    carried: SurvivingRecords,
) -> list[tuple[int, str]]:
    moves = []
    for number, one in enumerate(wanted):
        # Rejected before anything is written: a manifest may come from anywhere.
        local_path(home.path, one.file.path)
        known = home_file_of(one.file.path)
        if known is None or (known.kind, known.sort) != (one.file.kind, one.file.sort):
            raise NotReadableError(f"The backup has {one.file.path[:200]!r}, which is not kept.")
        path = os.path.join(restoring_in(home.path), str(number))
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | RAW, 0o600)
        try:
            own(fd, one.mode & 0o700)
            for block in _joined(_contents(vault, one, at, carried)):
                write_all(fd, block)
            flush_to_disk(fd)
        finally:
            os.close(fd)
        moves.append((number, one.file.path))
    return moves


def _contents(
    vault: Vault, one: StoredFile, at: float | None, carried: SurvivingRecords
) -> Iterator[bytes]:
    contents = vault.contents(one)
    cut_off = at is not None and one.file.sort == LEDGER
    kept = as_of(contents, at) if cut_off and at is not None else contents
    return carried.contents(one.file, kept)


def _joined(blocks: Iterator[bytes], size: int = 1 << 16) -> Iterator[bytes]:
    """Join short chunks, because one write per line would be slow."""
    held: list[bytes] = []
    length = 0
    for block in blocks:
        held.append(block)
        length += len(block)
        if length >= size:
            yield b"".join(held)
            held, length = [], 0
    if held:
        yield b"".join(held)


def _chosen(file: HomeFile, kinds: Sequence[str]) -> bool:
    return not kinds or file.kind in kinds


def _hash_of(blocks: Iterator[bytes]) -> tuple[str, int]:
    whole, size = new_hasher(), 0
    for block in blocks:
        whole.update(block)
        size += len(block)
    return whole.hexdigest(), size


def _state_of(path: str) -> tuple[str, int] | None:
    if not os.path.lexists(path):
        return None
    data = read_file(path)
    return digest(data).hex(), len(data)
