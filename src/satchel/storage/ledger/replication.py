"""Replicates a ledger between a file and a team's server, line by line, byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from satchel.core.hashing import digest
from satchel.core.values import NamedTuple
from satchel.storage.files import read_file
from satchel.storage.ledger.file import Ledger, append_durably, are_clean
from satchel.storage.ledger.lines import Line, decode, split_lines
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.team import TeamLedger
from satchel.storage.paths import archive_of

T = TypeVar("T")


#: Lines per transaction, and per search for secrets.
_BATCH, _LOOKED_AT = 1000, 50


class ReplicationReport(NamedTuple):
    """The result: lines checked, new lines, lines left out."""

    read: int
    new: int
    left: int = 0


def lines_of(ledger: Ledger | TeamLedger) -> list[bytes]:
    """Return every line of a ledger verbatim, a file's archive first."""
    if isinstance(ledger, TeamLedger):
        return list(ledger.raws())
    archived = split_lines(read_file(archive_of(ledger.path)))
    return archived + split_lines(read_file(ledger.path))


def push(
    ledger: Ledger,
    team: TeamLedger,
    wanted: Callable[[Record], bool] | None = None,
    *,
    ended: Callable[[Record], bool] | None = None,
) -> ReplicationReport:
    """Send a file's lines that the server lacks; safe to retry.

    Args:
        ledger: the file and its archive.
        team: where to.
        wanted: which records to send; None for every line, including unparsable ones. The newest
            version of a memory decides for all its versions; lines with a secret are not sent.
        ended: records that the server has only an empty line of: nothing of them is sent again.
    """
    raws = lines_of(ledger)
    lines = {digest(raw): decode(raw) for raw in raws}
    held = team.held_marks(list(lines))
    missing = [line for mark, line in lines.items() if mark not in held]
    if ended is not None:
        missing = [line for line in missing if line.record is None or not ended(line.record)]
    chosen = missing if wanted is None else _chosen(lines.values(), missing, team, wanted)
    sent = 0

    def batches() -> Iterator[Sequence[Line]]:
        nonlocal sent
        for some in _batches(chosen, _BATCH):
            going = some if wanted is None else _clean(some)
            sent += len(going)
            yield going

    new = team.append_batches(batches())
    return ReplicationReport(len(raws), new, len(missing) - sent)


def _chosen(
    lines: Iterable[Line],
    missing: Sequence[Line],
    team: TeamLedger,
    wanted: Callable[[Record], bool],
) -> list[Line]:
    records = [line.record for line in lines if line.record is not None]
    newest = {one.identity: one for one in sorted(records, key=lambda one: one.version)}
    gone = {ident for ident, record in newest.items() if record.deleted_at is not None}
    # A deletion is sent if the server has the memory; nothing else of a deleted memory is.
    there = {r.identity for raw in team.raws() if (r := decode(raw).record)} if gone else set()

    def goes(record: Record) -> bool:
        ident = record.identity
        if ident in gone:
            return ident in there and record.deleted_at is not None
        last = newest[ident]
        return wanted(last) and (last is record or wanted(record))

    return [line for line in missing if line.record is not None and goes(line.record)]


def _clean(lines: Sequence[Line]) -> list[Line]:
    """Return the lines without secrets. Usually one search through many finds none."""
    kept: list[Line] = []
    for some in _batches(lines, _LOOKED_AT):
        records = [line.record for line in some if line.record is not None]
        if are_clean(records):
            kept += some
        else:
            kept += [line for line in some if line.record and are_clean([line.record])]
    return kept


def pull(team: TeamLedger, ledger: Ledger) -> ReplicationReport:
    """Append the server's lines that a file, with its archive, lacks."""
    lines = list(team.raws())
    with ledger.lock():
        held = {digest(raw) for raw in lines_of(ledger)}
        missing = [raw for raw in lines if digest(raw) not in held]
        if missing:
            append_durably(ledger.path, b"".join(raw + b"\n" for raw in missing))
    return ReplicationReport(len(lines), len(missing))


def follow(lines: Iterable[bytes], ledger: Ledger, is_newer_copy: Callable[[Record], bool]) -> int:
    """Fetch new versions of local copies, above all deletions.

    Args:
        lines: the server's lines, in order.
        ledger: receives those for which `is_newer_copy` is true.

    Returns how many lines were brought.
    """
    wanted = [raw for raw in lines if (one := decode(raw).record) and is_newer_copy(one)]
    if wanted:
        with ledger.lock():
            append_durably(ledger.path, b"".join(raw + b"\n" for raw in wanted))
    return len(wanted)


def _batches(lines: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(lines), size):
        yield lines[start : start + size]
