"""What may leave this machine: no secrets, personal data, or anything marked private.

And what was forgotten: a line purged here does not come back from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from satchel.core.errors import NotReadableError
from satchel.core.redaction.personal import is_personal
from satchel.core.redaction.redactor import redact
from satchel.core.shapes import list_of
from satchel.features.sessions.compression import lines_in
from satchel.project.inventory import INBOX, PACKED, HomeFile
from satchel.storage.git import is_local
from satchel.storage.ledger.file import redacted
from satchel.storage.ledger.lines import Line, decode

#: Kinds that concern only this machine, or quote others verbatim.
PRIVATE_KINDS = frozenset({INBOX, "quarantine", "machine", "injections"})
_MARKS = ("purged", "forgotten")


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


def purged_hashes(lines: Iterable[bytes]) -> frozenset[str]:
    """Return the hashes of purged or forgotten lines, as named by tombstones."""
    found: set[str] = set()
    for raw in lines:
        if not any(mark.encode() in raw for mark in _MARKS):
            continue
        record = decode(raw).record
        if record is not None and record.deleted_at is not None and not record.content:
            for mark in _MARKS:
                hashes = (record.data or {}).get(mark)
                found.update(map(str, list_of(hashes)))
    return frozenset(found)


def without_purged(lines: Iterable[bytes], purged: frozenset[str]) -> list[bytes]:
    """Return the lines that were not purged."""
    if not purged:
        return list(lines)
    return [
        raw for raw in lines if (record := decode(raw).record) is None or record.hash not in purged
    ]
