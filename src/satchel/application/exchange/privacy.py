"""What may leave this machine: no secrets, personal data, or anything marked private.

And what was forgotten: a line purged here does not come back from elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from satchel.core.errors import NotReadableError
from satchel.core.redaction.personal import is_personal
from satchel.core.redaction.redactor import redact
from satchel.core.shapes import list_of
from satchel.features.sessions.compression import lines_in
from satchel.project.inventory import INBOX, PACKED, HomeFile
from satchel.storage.git import is_local
from satchel.storage.ledger.file import redacted
from satchel.storage.ledger.lines import Line, decode
from satchel.storage.ledger.record import Record

#: Kinds that concern only this machine, or quote others verbatim.
PRIVATE_KINDS = frozenset({INBOX, "quarantine", "machine", "injections"})
#: What the tombstone of a purged or forgotten line names.
_FORGOTTEN = "forgotten"
TOMBSTONES = ("purged", _FORGOTTEN)


def shareable_lines(lines: Sequence[bytes]) -> list[bytes]:
    """Return the lines of a ledger that may leave this machine.

    If one version of a memory is marked private or names somebody, all its versions stay here, as
    do lines with a secret, and unreadable ones, which cannot be judged.
    """
    read = [line for line in map(decode, lines) if line.record is not None]
    private = {line.record.identity for line in read if line.record and _stays(line)}
    return [line.raw for line in read if line.record and line.record.identity not in private]


def _stays(line: Line) -> bool:
    record = line.record
    if record is None or record.visibility == "private":
        return True
    return is_personal(line.raw.decode("utf-8", "replace")) or redacted(record) != record


def is_shareable_file(file: HomeFile, data: bytes) -> bool:
    """Return whether a file that is not a ledger may leave this machine."""
    if file.kind in PRIVATE_KINDS or is_local(file.path):
        return False
    try:
        whole = b"\n".join(lines_in(data)) if file.sort == PACKED else data
        text = whole.decode("utf-8")
    except (UnicodeDecodeError, NotReadableError):
        return False  # it cannot be judged
    return not is_personal(text) and redact(text)[0] == text


def purged_by(lines: Iterable[bytes]) -> Callable[[Record], bool]:
    """Return what tells the records that tombstones among these lines stand for.

    By their hashes, and by id: another home may have versions that nobody purged. All of them go
    with what was forgotten; a version newer than its deletion outlives a purge.
    """
    hashes: set[str] = set()
    before: dict[str, tuple[int, str, int, str]] = {}
    forgotten: set[str] = set()
    for stone, names in _tombstones(lines):
        hashes.update(names)
        before[stone.id] = max(before.get(stone.id, stone.version), stone.version)
        forgotten |= {stone.id} if _FORGOTTEN in (stone.data or {}) else set()

    def purged(record: Record) -> bool:
        if record.hash in hashes or record.id not in before:
            return record.hash in hashes
        older = record.id in forgotten or record.version < before[record.id]
        return older and not _is_tombstone(record)

    return purged


def ended_by(lines: Iterable[bytes]) -> Callable[[Record], bool]:
    """Return what tells the records that were purged or forgotten where these lines are."""
    stones = [(stone, names) for stone, names in _tombstones(lines) if names]
    ids = {stone.id for stone, _ in stones}
    hashes = {name for _, names in stones for name in names}

    def ended(record: Record) -> bool:
        return record.id in ids or record.hash in hashes

    return ended


def _tombstones(lines: Iterable[bytes]) -> Iterator[tuple[Record, list[str]]]:
    """Yield every tombstone, and the hashes that it names."""
    for raw in lines:
        if not any(mark.encode() in raw for mark in TOMBSTONES):
            continue
        record = decode(raw).record
        if record is not None and _is_tombstone(record):
            named = [(record.data or {}).get(mark) for mark in TOMBSTONES]
            yield record, [str(one) for names in named for one in list_of(names)]


def _is_tombstone(record: Record) -> bool:
    is_empty = record.deleted_at is not None and not record.content
    return is_empty and not set(TOMBSTONES).isdisjoint(record.data or {})


def without_purged(lines: Iterable[bytes], purged: Callable[[Record], bool]) -> list[bytes]:
    """Return the lines that were not purged."""
    return [raw for raw in lines if (record := decode(raw).record) is None or not purged(record)]
