"""Replicates a ledger between a file and a team's server, line by line, byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from satchel.core.hashing import digest
from satchel.core.values import NamedTuple
from satchel.storage.ledger.file import Ledger, append_durably, redacted
from satchel.storage.ledger.lines import decode, split_lines
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.team import TeamLedger
from satchel.storage.locks import read_file
from satchel.storage.paths import archive_of

_BATCH = 2000


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
    ledger: Ledger, team: TeamLedger, wanted: Callable[[Record], bool] | None = None
) -> ReplicationReport:
    """Send a file's lines that the server lacks; safe to retry.

    Args:
        ledger: the file and its archive.
        team: where to.
        wanted: which records go; None for every line, those that do not parse too. The newest
            version of a thing decides for all of them, and what holds a secret stays.
    """
    lines = lines_of(ledger)
    chosen = lines if wanted is None else _chosen(lines, team, wanted)
    new = 0
    for batch in _batches(chosen):
        new += team.append_lines(batch)
    return ReplicationReport(len(lines), new, len(lines) - len(chosen))


def _chosen(
    lines: Sequence[bytes], team: TeamLedger, wanted: Callable[[Record], bool]
) -> list[bytes]:
    records = [(raw, record) for raw in lines if (record := decode(raw).record) is not None]
    newest: dict[str, Record] = {}
    for _, record in records:
        known = newest.get(record.identity)
        if known is None or record.version > known.version:
            newest[record.identity] = record
    gone = {ident for ident, record in newest.items() if record.deleted_at is not None}
    # A deletion is sent of what is there, and nothing else of what is deleted.
    there = {r.identity for raw in team.raws() if (r := decode(raw).record)} if gone else set()
    chosen = []
    for raw, record in records:
        ident = record.identity
        if ident in gone:
            goes = ident in there and record.deleted_at is not None
        else:
            goes = wanted(newest[ident]) and wanted(record)
        if goes and redacted(record) == record:
            chosen.append(raw)
    return chosen


def pull(team: TeamLedger, ledger: Ledger) -> ReplicationReport:
    """Append the server's lines that a file, with its archive, lacks."""
    lines = list(team.raws())
    with ledger.lock():
        held = {digest(raw) for raw in lines_of(ledger)}
        missing = [raw for raw in lines if digest(raw) not in held]
        for batch in _batches(missing):
            append_durably(ledger.path, b"".join(raw + b"\n" for raw in batch))
    return ReplicationReport(len(lines), len(missing))


def follow(lines: Iterable[bytes], ledger: Ledger, is_newer_copy: Callable[[Record], bool]) -> int:
    """Fetch new versions of local copies, above all deletions.

    Args:
        lines: of the server, in their order.
        ledger: where those are appended that `is_newer_copy` says yes to.

    Returns how many lines were brought.
    """
    wanted = []
    for raw in lines:
        record = decode(raw).record
        if record is not None and is_newer_copy(record):
            wanted.append(raw)
    if wanted:
        with ledger.lock():
            for batch in _batches(wanted):
                append_durably(ledger.path, b"".join(raw + b"\n" for raw in batch))
    return len(wanted)


def fingerprint(lines: Iterable[bytes]) -> str:
    """Return a hash of a ledger's content that ignores the order of lines."""
    marks = sorted({digest(raw) for raw in lines})
    return digest(b"".join(marks)).hex()


def _batches(lines: Sequence[bytes]) -> Iterable[Sequence[bytes]]:
    for start in range(0, len(lines), _BATCH):
        yield lines[start : start + _BATCH]
