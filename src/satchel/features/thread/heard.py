"""Commits that hooks observed, known without a transcript.

They are activities of the project's private ledger, which no clone can bring along.
"""

from __future__ import annotations

import os

from satchel.core.kinds import COMMIT_KEY
from satchel.core.line_marks import mark_of
from satchel.core.values import NamedTuple
from satchel.storage.ledger.lines import decode, split_lines
from satchel.storage.locks import read_file
from satchel.storage.paths import archive_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.ledger.record import Record


class Heard(NamedTuple):
    """An observed commit: its id as git printed it, and the mark of its subject."""

    ident: str
    subject: str
    session: str
    client: str
    branch: str
    at: float


def stamp_of(ledger: str) -> str:
    """Return the state of a ledger and its archive, or ""."""
    found = []
    for path in (archive_of(ledger), ledger):
        try:
            status = os.stat(path)
        except OSError:
            continue
        found.append(f"{status.st_size}:{status.st_mtime_ns}")
    return " ".join(found)


def heard_in(ledger: str) -> list[Heard]:
    """Return commits noted in a ledger's activities, including its archive."""
    newest: dict[str, Record] = {}
    for path in (archive_of(ledger), ledger):
        if not os.path.exists(path):
            continue
        for raw in split_lines(read_file(path)):
            record = decode(raw).record if COMMIT_KEY.encode() in raw else None
            if record is None or record.key != COMMIT_KEY or record.edited:
                continue
            known = newest.get(record.id)
            if known is None or record.version > known.version:
                newest[record.id] = record
    return [one for record in newest.values() for one in _heard(record)]


def _heard(record: Record) -> list[Heard]:
    made = (record.data or {}).get("commits")
    if record.deleted_at is not None or not record.session or not isinstance(made, list):
        return []
    at = float(record.when)
    of = (record.session, record.client, record.branch, at)
    pairs = (one.partition(" ")[::2] for one in made if isinstance(one, str))
    return [Heard(ident, mark_of(subject), *of) for ident, subject in pairs]
