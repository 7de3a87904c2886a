"""Imports transcripts incrementally, without duplicates.

The progress in each file is recorded: how far it was read, and hashes of its beginning and last
part. A file that only grew is read from there; a rewritten one is read again, without turns already
in the archive. After a kill, the same part is read again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from satchel.clients.transcript_format.files import TranscriptFile
from satchel.clients.transcript_format.lines import open_regular
from satchel.clients.transcript_format.values import TranscriptHead, Turn
from satchel.clients.transcripts.reading import TranscriptReader, head_of
from satchel.core import quick_json
from satchel.core.errors import BadInputError, StoreError
from satchel.core.hashing import short_hash
from satchel.core.redaction.redactor import redact_value
from satchel.core.values import NamedTuple
from satchel.features.sessions.archive import (
    FORGOTTEN,
    append,
    head_line,
    held_in,
    path_in,
    turn_line,
)
from satchel.features.sessions.project_part import ProjectPart
from satchel.storage.files import read_file, replace_file, size_of

#: How many bytes at the beginning, and before the end of reading, must be unchanged.
_PROBE = 4096
#: Lines are written in batches of this size: memory stays flat, and members are not too small.
_BATCH = 1 << 20
#: How many files to read between two saves of the progress.
_SAVE_EVERY = 100
#: Most turns to remember until the index has them.
_REMEMBERED = 20_000
#: Increased when turns contain more than before: every existing transcript is read again.
_VERSION = 6


def _changed_at(file: TranscriptFile) -> int:
    try:
        return os.stat(file.path).st_mtime_ns
    except OSError:
        return 0


class ImportReport(NamedTuple):
    """The result of an import: files checked, files with content, turns, bytes read.

    `unknown` are files of no known client, `elsewhere` sessions of other directories, `unreadable`
    files with the reason.
    """

    files: int = 0
    changed: int = 0
    sessions: int = 0
    turns: int = 0
    copies: int = 0
    bytes: int = 0
    damaged: int = 0
    unknown: int = 0
    elsewhere: int = 0
    unreadable: tuple[str, ...] = ()

    def plus(self, more: ImportReport) -> ImportReport:
        """Add two reports."""
        pairs: list[tuple[Any, Any]] = list(zip(self, more, strict=True))
        sums: list[Any] = [mine + theirs for mine, theirs in pairs]
        return ImportReport(*sums)


class Progress(NamedTuple):
    """How far a file was read, and how to recognize it."""

    size: int = -1
    mtime_ns: int = 0
    inode: int = 0
    resume: int = 0
    beginning: str = ""
    before: str = ""
    head: str = ""
    elsewhere: bool = False


class Importer:
    """Imports transcripts into an archive. The caller holds the archive's lock.

    Args:
        directory: the archive's.
        state: the file with the progress.
        belongs: returns whether a session's directory is this project's.
        holder: returns the thread (`client:session`) with a turn's identity, or "".
        was_told: returns whether an agent was told something here in a session, by its id.
        part: what to keep of sessions that began above the project; None for nothing.
        settle: updates what `holder` queries, so that less must be remembered here.
    """

    def __init__(
        self,
        directory: str,
        state: str,
        belongs: Callable[[str], bool],
        holder: Callable[[str], str],
        *,
        was_told: Callable[[str], bool] | None = None,
        part: ProjectPart | None = None,
        settle: Callable[[], None] | None = None,
    ) -> None:
        self.directory, self.state = directory, state
        self._part = part
        self.holder, self.settle = holder, settle
        self._belongs, self._was_told = belongs, was_told
        self._places: dict[str, bool] = {}
        self._known = read_state(state)
        self._new: dict[str, str] = {}
        self._since_saved = 0

    def run(
        self,
        files: Iterable[TranscriptFile],
        *,
        since: float = 0.0,
        everything: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> ImportReport:
        """Import new content.

        Args:
            files: the candidates.
            since: skip files last changed before this time, seconds since 1970.
            everything: also import sessions of other directories: somebody named the files.
            progress: called with each file's bytes.
        """
        total = ImportReport()
        try:
            # A forked session repeats the turns of the one it began as, and is written later.
            for file in sorted(files, key=_changed_at):
                total = total.plus(self._one(file, since, everything=everything))
                if self.settle is not None and len(self._new) >= _REMEMBERED:
                    self.settle()
                    self._new.clear()
                if progress is not None:
                    progress(size_of(file.path))
        finally:
            self.save()
        return total

    def belongs(self, cwd: str) -> bool:
        """Return whether sessions in that directory are this project's, cached."""
        if cwd not in self._places:
            self._places[cwd] = self._belongs(cwd)
        return self._places[cwd]

    def save(self) -> None:
        """Save what was read."""
        if self._since_saved:
            text = quick_json.dumps(
                {"version": _VERSION, "files": {p: list(one) for p, one in self._known.items()}}
            )
            replace_file(self.state, text.encode("utf-8", "replace"))
            self._since_saved = 0

    def _one(self, file: TranscriptFile, since: float, *, everything: bool) -> ImportReport:
        looked = ImportReport(files=1)
        try:
            status = os.stat(file.path)
        except OSError:
            return looked
        if since and status.st_mtime < since:
            return looked
        known = self._known.get(file.path, Progress())
        same = known.inode == status.st_ino and known.size <= status.st_size
        if known.elsewhere and same and not everything:
            return looked._replace(elsewhere=1)
        if (known.size, known.mtime_ns, known.inode) == (
            status.st_size,
            status.st_mtime_ns,
            status.st_ino,
        ):
            return looked
        try:
            return self._read(file, status, known, everything=everything)
        except StoreError as error:
            if not isinstance(error.__cause__, OSError | None) or self.directory in str(error):
                raise
            return looked._replace(unreadable=(f"{file.path}: {error}",))

    def _read(
        self, file: TranscriptFile, status: os.stat_result, known: Progress, *, everything: bool
    ) -> ImportReport:
        path = file.path
        grown = known.resume > 0 and same_so_far(path, status.st_size, known)
        head = _head_from(known.head) if grown else None
        cwd = file.cwd or (head.cwd if head else "")
        if not grown and not everything:
            near = file.near
            if near and not (self._may_be_gone(near) or self.belongs(near) or self._part_in(near)):
                return ImportReport(files=1, elsewhere=1)
            cwd = cwd or head_of(path).cwd
            if not (self.belongs(cwd) or self._was_here(cwd, path) or self._part_in(cwd)):
                # A session without a directory yet is checked again.
                if cwd:
                    elsewhere = Progress(status.st_size, inode=status.st_ino, elsewhere=True)
                    self._remember(path, elsewhere)
                return ImportReport(files=1, elsewhere=1)
        reader = TranscriptReader(path, start=known.resume if grown else 0, head=head)
        if not reader.client:
            if not everything:  # a named file is reported each time with the reason for skipping it
                self._remember(path, _progress_of(status, reader, path))
            return ImportReport(files=1, unknown=1)
        part = None if everything else self._part_in(cwd)
        written = _Writing(self, file, status.st_mtime, part)
        for turn in reader if part is None else part.turns(reader, cwd):
            written.add(reader.head, turn)
        written.close(reader.head)
        self._remember(path, _progress_of(status, reader, path))
        read = status.st_size - (known.resume if grown else 0)
        wrote = written.lines > 0
        return ImportReport(
            files=1,
            changed=int(wrote),
            sessions=int(wrote and written.began),
            turns=written.turns,
            copies=written.copies,
            bytes=max(0, read),
            damaged=reader.damaged,
        )

    def _part_in(self, cwd: str) -> ProjectPart | None:
        """Return what picks the project's part of a directory's sessions, if they began above."""
        return self._part if self._part is not None and self._part.holds(cwd) else None

    def _was_here(self, cwd: str, path: str) -> bool:
        """Return whether a session ran here, in a work tree that was removed since."""
        told = self._was_told
        return self._may_be_gone(cwd) and told is not None and told(head_of(path).session)

    def _may_be_gone(self, cwd: str) -> bool:
        return self._was_told is not None and bool(cwd) and not os.path.isdir(cwd)

    def _remember(self, path: str, progress: Progress) -> None:
        self._known[path] = progress
        self._since_saved += 1
        if self._since_saved >= _SAVE_EVERY:
            self.save()

    def copied(self, thread: str, identity: str) -> bool:
        """Return whether another session already has a turn."""
        holder = self._new.get(identity) or self.holder(identity)
        return bool(holder) and holder != thread

    def note(self, thread: str, identity: str) -> None:
        """Record which session has a turn, until it is indexed."""
        self._new[identity] = thread


class _Writing:
    """A transcript's turns on their way into the archive."""

    def __init__(
        self, importer: Importer, file: TranscriptFile, mtime: float, part: ProjectPart | None
    ) -> None:
        self.importer, self.file, self.mtime, self.part = importer, file, mtime, part
        self.turns = self.copies = self.lines = 0
        self.began = False
        self._path = ""
        self._head: TranscriptHead | None = None
        self._held: dict[str, str] = {}
        self._lines: list[bytes] = []
        self._bytes = 0

    def add(self, head: TranscriptHead, turn: Turn) -> None:
        """Add a turn, unless the archive already has it unchanged."""
        self._open(head)
        if not turn.at:
            turn = turn._replace(at=head.started or self.mtime)
        thread, identity = f"{head.client}:{head.session}", f"turn:{head.client}:{turn.id}"
        line, mark = turn_line(turn)
        if self._held.get(turn.id) in (mark, FORGOTTEN):
            return
        if turn.id not in self._held and self.importer.copied(thread, identity):
            self.copies += 1
            return
        self.turns += turn.id not in self._held
        self.lines += 1
        self._held[turn.id] = mark
        self.importer.note(thread, identity)
        self._lines.append(line)
        self._bytes += len(line)
        if self._bytes >= _BATCH:
            self._flush()

    def close(self, head: TranscriptHead) -> None:
        """Write the rest, and the session's current head."""
        if self._path and (self.lines or not self.began):
            head = self._placed(head)
            if FORGOTTEN in self._held.values():
                head = head._replace(title="")
            elif not head.title and self._head is not None:
                head = head._replace(title=self._head.title)
            if head != self._head:
                self._lines.append(head_line(head))
                self._head = head
            self._flush()

    def _open(self, head: TranscriptHead) -> None:
        if self._path:
            return
        self._path = path_in(self.importer.directory, head)
        self._head, self._held = held_in(self._path)
        if self._head is None:
            self.began = True
            self._head = self._placed(head)
            self._lines.append(head_line(self._head))

    def _placed(self, head: TranscriptHead) -> TranscriptHead:
        head = head.filled_in(cwd=self.file.cwd)
        return head if self.part is None else self.part.head(head)

    def _flush(self) -> None:
        if self._lines:
            append(self._path, self._lines)
            self._lines, self._bytes = [], 0


def read_state(path: str) -> dict[str, Progress]:
    """Read the saved state; empty if damaged, since the archive knows its turns."""
    try:
        value: Any = quick_json.loads(read_file(path).decode("utf-8", "replace"))
        files = value["files"] if value["version"] == _VERSION else {}
        return {str(name): Progress(*one) for name, one in files.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}


def same_so_far(path: str, size: int, known: Progress) -> bool:
    """Return whether a file still begins with what was read, judged by two samples."""
    if size < known.resume:
        return False
    return _probes(path, known.resume) == (known.beginning, known.before)


def named_files(paths: Sequence[str]) -> list[TranscriptFile]:
    """Return the named files, and those in named directories."""
    found = []
    for path in paths:
        if os.path.isdir(path):
            for above, folders, names in os.walk(path):
                folders.sort()
                found += [
                    TranscriptFile("", os.path.join(above, name))
                    for name in sorted(names)
                    if name.endswith((".jsonl", ".json"))
                ]
        elif os.path.exists(path):
            found.append(TranscriptFile("", os.path.abspath(path)))
        else:
            raise BadInputError(f"There is no {path}.", hint="Name a transcript or a directory.")
    return found


def _progress_of(status: os.stat_result, reader: TranscriptReader, path: str) -> Progress:
    beginning, before = _probes(path, reader.resume) if reader.resume else ("", "")
    # Forgetting would not find a title here.
    head = quick_json.dumps(redact_value(list(reader.head._replace(title="")))[0])
    return Progress(
        status.st_size,
        status.st_mtime_ns,
        status.st_ino,
        resume=reader.resume,
        beginning=beginning,
        before=before,
        head=head,
    )


def _probes(path: str, end: int) -> tuple[str, str]:
    with open_regular(path) as file:
        beginning = file.read(min(_PROBE, end))
        file.seek(max(0, end - _PROBE))
        before = file.read(min(_PROBE, end))
    return short_hash(beginning), short_hash(before)


def _head_from(text: str) -> TranscriptHead | None:
    try:
        return TranscriptHead(*quick_json.loads(text))
    except (ValueError, TypeError):
        return None
