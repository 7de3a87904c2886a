"""Importing an archive: adds what is missing and overwrites nothing."""

from __future__ import annotations

import os

from satchel.application.exchange.export.archive import PERSON, PROJECT, Entry
from satchel.application.exchange.privacy import purged_by, without_purged
from satchel.core.hashing import digest
from satchel.core.values import NamedTuple
from satchel.features.sessions.compression import lines_in, packed
from satchel.project.inventory import (
    IDENTITY,
    LEDGER,
    LINES,
    PACKED,
    HomeFile,
    home_file_of,
    local_path,
    state_at,
)
from satchel.storage.files import read_file, replace_file
from satchel.storage.home_paths import lock_name
from satchel.storage.ledger.file import append_durably
from satchel.storage.ledger.lines import split_lines
from satchel.storage.locks import FileLock
from satchel.storage.paths import UserHome, archive_of


class ImportReport(NamedTuple):
    """The result of an import: new and known lines and files, and what was skipped.

    `differ` are existing files with other content, which were left unchanged; `left` are files
    unknown to this release, and of an archive that may be anybody's, what cannot wait for approval.
    """

    lines: int = 0
    known_lines: int = 0
    files: int = 0
    known_files: int = 0
    purged: int = 0
    differ: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    def plus(self, other: ImportReport) -> ImportReport:
        """Combine two reports."""
        return ImportReport(
            self.lines + other.lines,
            self.known_lines + other.known_lines,
            self.files + other.files,
            known_files=self.known_files + other.known_files,
            purged=self.purged + other.purged,
            differ=self.differ + other.differ,
            left=self.left + other.left,
        )


def import_home_file(home: UserHome, key: str, entry: Entry, data: bytes) -> ImportReport:
    """Import a file of a project's state or of the user's into a home."""
    root, _, below = entry.path.partition("/")
    path = {PROJECT: f"projects/{key}/{below}", PERSON: below}.get(root, "")
    file = home_file_of(path) if path else None
    if file is None or file.sort != entry.sort or (root == PERSON and _in_project(path)):
        return ImportReport(left=(entry.path,))
    if file.kind == "machine":
        return ImportReport(left=(entry.path,))
    if file.kind == IDENTITY:
        return ImportReport()
    target = local_path(home.path, path)
    if file.sort == LEDGER:
        state = state_at(home, file.state)
        with FileLock(state.lock(lock_name(file.ledger))):
            return import_lines(target, data, _beside(home, file))
    if file.sort == LINES:
        return import_lines(target, data, [target])
    if file.sort == PACKED:
        return _take_packed(target, data)
    return import_file(target, entry.path, data)


def _in_project(path: str) -> bool:
    return path.split("/", maxsplit=1)[0] == "projects"


def _beside(home: UserHome, file: HomeFile) -> list[str]:
    """Return the ledger and its archive; a line in either is known."""
    path = state_at(home, file.state).ledger(file.ledger)
    return [path, archive_of(path)]


def import_lines(target: str, data: bytes, beside: list[str]) -> ImportReport:
    """Append lines that none of the `beside` files has; the caller holds the lock."""
    there = [raw for path in beside for raw in split_lines(read_file(path))]
    held = {digest(raw) for raw in there}
    given = list(dict.fromkeys(split_lines(data)))
    new = [raw for raw in given if digest(raw) not in held]
    kept = without_purged(new, purged_by(there))
    if kept:
        append_durably(target, b"".join(raw + b"\n" for raw in kept))
    return ImportReport(len(kept), len(given) - len(new), purged=len(new) - len(kept))


def _take_packed(target: str, data: bytes) -> ImportReport:
    held = set(lines_in(read_file(target), whole=True))
    given = [raw for raw in dict.fromkeys(lines_in(data, whole=True)) if raw]
    new = [raw for raw in given if raw not in held]
    if new:
        append_member(target, new)
    return ImportReport(len(new), len(given) - len(new))


def append_member(path: str, lines: list[bytes]) -> None:
    """Append lines to a packed file, durably, as one member."""
    from satchel.features.sessions.archive import append

    if os.path.exists(path):
        append(path, lines)
    else:
        replace_file(path, packed(b"\n".join(lines) + b"\n"))


def import_file(target: str, name: str, data: bytes, *, mode: int = 0o600) -> ImportReport:
    """Write a file if it does not exist; one that differs is kept and reported."""
    if os.path.lexists(target):
        same = os.path.isfile(target) and read_file(target) == data
        return ImportReport(known_files=1) if same else ImportReport(differ=(name,))
    replace_file(target, data, mode=mode)
    return ImportReport(files=1)
