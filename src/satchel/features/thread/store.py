"""The store of session evidence: the only file here that uses the storage layer."""

from __future__ import annotations

import os
from collections import Counter

from satchel.core.kinds import COMMIT_KEY
from satchel.core.line_marks import LENGTH, mark_of
from satchel.core.quick_json import dumps
from satchel.core.values import NamedTuple
from satchel.features.thread.values import (
    FileEdit,
    PrintedCommit,
    SessionFacts,
    Written,
    WrittenFile,
)
from satchel.storage.database.versions import DerivedTables
from satchel.storage.files import file_stamp, read_file, stamp_text
from satchel.storage.ledger.lines import decode, split_lines
from satchel.storage.paths import archive_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, TypeVar

    from satchel.storage.database.contract import Database

    Did = TypeVar("Did", PrintedCommit, FileEdit, Written)
    from satchel.storage.ledger.record import Record


class HookCommit(NamedTuple):
    """An observed commit: its id as git printed it, and the mark of its subject."""

    ident: str
    subject: str
    session: str
    client: str
    branch: str
    at: float


def stamp_of(ledger: str) -> str:
    """Return the state of a ledger and its archive, or ""."""
    stamps = [stamp_text(file_stamp(path)) for path in (archive_of(ledger), ledger)]
    return " ".join(filter(None, stamps))


def heard_in(ledger: str) -> list[HookCommit]:
    """Return commits recorded in a ledger's activities, including its archive."""
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


def _heard(record: Record) -> list[HookCommit]:
    made = (record.data or {}).get("commits")
    if record.deleted_at is not None or not record.session or not isinstance(made, list):
        return []
    at = float(record.when)
    of = (record.session, record.client, record.branch, at)
    pairs = (one.partition(" ")[::2] for one in made if isinstance(one, str))
    return [HookCommit(ident, mark_of(subject), *of) for ident, subject in pairs]


#: Increased whenever schema.sql, or what is read from the archive, changes: an older store is
#: rebuilt.
SCHEMA = "8"
#: Fewest and most digits that git prints of a commit's id.
_SHORTEST, _LONGEST = 7, 64
_TABLES = ("prompts", "edits", "made")


class ThreadStore(DerivedTables):
    """Sessions, what they wrote and the commits they made.

    Args:
        database: an open database; its schema is created if missing.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database, __file__, SCHEMA, "The thread")

    # Writing

    def file_stats(self) -> dict[str, str]:
        """Return the files that were read, with their states."""
        return dict(self.ask("file_stats"))

    def drop(self, sources: Iterable[str]) -> None:
        """Remove what came from some files."""
        for source in sources:
            for (number,) in self.ask("number_of", source):
                self.database.write(self.sql["drop_lines"], (number,))
                for table in _TABLES:
                    self.database.write(f"DELETE FROM {table} WHERE session = ?", (number,))
                self.database.write("DELETE FROM sessions WHERE number = ?", (number,))

    def put(self, source: str, stamp: str, facts: SessionFacts) -> None:
        """Replace a file's evidence."""
        self.drop([source])
        write = self.database.write
        head = (source, stamp, *facts[:-1])
        number = write(self.sql["put_session"], head)
        prompt, asked = -1, facts.began
        for turn in facts.turns:
            if turn.is_prompt:
                prompt, asked = turn.place, turn.at
                write(self.sql["put_prompt"], (number, turn.place, turn.id, turn.at))
            where = (number, -1 if facts.parent else prompt, turn.id)
            for ident, subject in turn.commits:
                write(self.sql["put_made"], (*where, turn.at, asked, ident, subject))
            for one in turn.wrote:
                self._put_edit((*where, one.at or turn.at, asked), one)

    def _put_edit(self, where: tuple[Any, ...], one: WrittenFile) -> None:
        name = one.path.replace("\\", "/").rpartition("/")[2]
        edit = self.database.write(self.sql["put_edit"], (*where, one.path, name, int(one.whole)))
        counts = Counter(one.marks)
        counts.subtract(one.gone)
        rows = [(int(mark, 16), edit, count) for mark, count in counts.items() if count]
        self.database.write_many(self.sql["put_line"], rows)

    def heard_stamp(self) -> str:
        """Return the ledger's stamp when hook observations were read, or ""."""
        return self.meta("heard")

    def put_hook_commits(self, stamp: str, heard: Iterable[HookCommit]) -> None:
        """Replace hook observations."""
        self.database.write(self.sql["drop_heard"])
        self.database.write_many(self.sql["put_hook_commits"], heard)
        self.put_meta("heard", stamp)

    def idents(self) -> dict[str, str | None]:
        """Return sessions' commits with their changes; None if not looked up."""
        return dict(self.ask("idents"))

    def put_changes(self, changes: dict[str, tuple[str, float]]) -> None:
        """Store commits' changes and times, and drop those no session made."""
        rows = ((ident, *change) for ident, change in changes.items())
        self.database.write_many(self.sql["put_change"], rows)
        self.database.write(self.sql["drop_changes"])

    # Asking

    def _made(self, query: str, *values: Any) -> list[PrintedCommit]:
        return [
            self._owned(PrintedCommit(*row[:-2]), *row[-2:]) for row in self.ask(query, *values)
        ]

    def _owned(self, one: Did, parent: str, asked: float) -> Did:
        """Attribute a subagent's work to its parent's session, and to the prompt that began it."""
        if not parent:
            return one
        ((place,),) = self.ask("prompt_before", parent, asked)
        return one._replace(session=parent, place=-1 if place is None else place)

    def wrote(self, marks: Iterable[str], until: float) -> list[Written]:
        """Return who wrote or removed lines up to a time, oldest first."""
        numbers = dumps([int(mark, 16) for mark in marks if mark])
        found = []
        for mark, edit, path, whole, *rest, parent, asked in self.ask("wrote", numbers, until):
            one = Written(f"{mark:0{LENGTH}x}", edit, path, bool(whole), *rest)
            found.append(self._owned(one, parent, asked))
        return found

    def sessions_printing(self, sha: str) -> list[PrintedCommit]:
        """Return the sessions in which git printed this commit."""
        forms = [sha[:length] for length in range(_SHORTEST, _LONGEST + 1)]
        return self._made("sessions_printing", dumps(forms))

    def sessions_with_subject(self, subject: str, first: float, last: float) -> list[PrintedCommit]:
        """Return sessions' commits with a message mark, within a period."""
        return self._made("sessions_with_subject", subject, first, last)

    def sessions_with_change(self, change: str) -> list[PrintedCommit]:
        """Return sessions' commits with the same change, at git's own times."""
        return self._made("sessions_with_change", change)

    def touched(self, names: Sequence[str], first: float, last: float) -> list[FileEdit]:
        """Return who wrote files with these names within a period."""
        rows = self.ask("touched", dumps(list(names)), first, last)
        return [self._owned(FileEdit(*row[:-2]), *row[-2:]) for row in rows]

    def spans(self, after: float, before: float) -> list[tuple[str, str, str, float, float]]:
        """Return sessions in a period: id, client, branch, start, end."""
        return self.ask("spans", after, before)

    def sessions(self, reference: str) -> list[SessionFacts]:
        """Return sessions by id or prefix, without turns; only an exact match if any.

        Those known only from hooks come last.
        """
        escaped = reference.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        found = [SessionFacts(*row) for row in self.ask("session_like", reference, escaped + "%")]
        known = {one.session for one in found}
        heard = [SessionFacts(*row) for row in self.ask("heard_like", reference, escaped + "%")]
        found += [one for one in heard if one.session not in known]
        exact = [one for one in found if one.session == reference]
        return exact[:1] or found

    def counts(self) -> dict[str, int]:
        """Count sessions, edits, lines and commits."""
        (row,) = self.ask("counts")
        return dict(zip(("sessions", "edits", "lines", "commits"), row, strict=True))

    def compact(self) -> None:
        """Compact the file, so that no deleted content is left in it."""
        self.database.script("VACUUM")
        self.database.read("PRAGMA wal_checkpoint(TRUNCATE)")
