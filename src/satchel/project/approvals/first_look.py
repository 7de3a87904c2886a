"""Holds back what lay uncommitted in a work tree before Satchel first saw it.

An unpacked archive looks like a clone or like a directory of one's own, and git does not know who
wrote what is in it. What is written after the first look is this person's.
"""

from __future__ import annotations

import os

from satchel.core.errors import SatchelError
from satchel.project.approvals.authorship import NOBODY, FileAuthors
from satchel.project.approvals.rules import line_mark, place_mark
from satchel.storage.files import TOLD_SIZE, read_file
from satchel.storage.ledger.lines import decode
from satchel.storage.paths import archive_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from satchel.project.approvals.gate import Gate
    from satchel.project.place import Place
    from satchel.storage.tracked_files import TrackedFiles


def uncommitted(place: Place, tracked: TrackedFiles, gate: Gate) -> list[str]:
    """Return the marks of a new work tree's uncommitted lines and files, to be held back."""
    ledger = tracked.knowledge
    lines = (mark for path in (ledger, archive_of(ledger)) for mark in _lines(place, path, gate))
    return [*lines, *_files(place, tracked, gate)]


def _lines(place: Place, ledger: str, gate: Gate) -> Iterator[str]:
    authors = FileAuthors(place, ledger, gate)
    try:
        data = read_file(ledger)
    except SatchelError:
        return  # a directory or a pipe has no lines
    for number, raw in enumerate(data.split(b"\n"), 1):
        record = decode(raw).record if raw.strip() else None
        # Without an answer of git's, whoever wrote it waits as well.
        if record is not None and (authors.at(number) == NOBODY or not gate.settled):
            yield line_mark(record.hash)


def _files(place: Place, tracked: TrackedFiles, gate: Gate) -> Iterator[str]:
    root, files = os.path.realpath(place.root), {}
    for path in tracked.spoken():
        try:
            files[path] = read_file(path, most=TOLD_SIZE)
        except SatchelError:
            continue  # a broken file reaches nobody
    for path, authors in gate.authors_of_files({p: d for p, d in files.items() if d}).items():
        if NOBODY in authors or not gate.settled:
            yield place_mark(os.path.relpath(os.path.realpath(path), root))
