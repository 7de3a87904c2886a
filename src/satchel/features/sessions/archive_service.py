"""A project's archive and its sessions: opened, refreshed, searched, imported."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from satchel.clients.registry import ALIASES
from satchel.clients.transcripts.reading import transcript_files
from satchel.core.errors import AmbiguousIdError, BusyError, NotFoundError, NotWritableError
from satchel.core.values import Any, Closing
from satchel.engine.search.catching_up import forget_sources, held_paths
from satchel.engine.search.documents import Filter, Source, View
from satchel.engine.search.index import Index
from satchel.features.sessions.archive import ENDING, files_in, forgotten_in, path_in, read_session
from satchel.features.sessions.documents import DAY, holders_in, parse_file
from satchel.features.sessions.files import SessionFiles
from satchel.features.sessions.importing import Importer, ImportReport, named_files
from satchel.features.sessions.project_part import ProjectPart
from satchel.features.sessions.retention import (
    CleanupReport,
    Rule,
    clean_up,
    close_stale,
    last_turn,
    pack_closed,
)
from satchel.features.sessions.search import ArchiveSearch, catch_up, search_archive
from satchel.features.sessions.shared import SharedSessions
from satchel.features.sessions.store import SessionStore
from satchel.features.sessions.values import IMPORTED, NEWEST, ArchiveHit, Session
from satchel.features.sessions.whose import belongs, was_told
from satchel.project.derived_store import DerivedStore
from satchel.storage.files import size_of
from satchel.storage.inbox.faults import note_fault
from satchel.storage.locks import FileLock, NestingLock
from satchel.storage.safe_open import escapes_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.clients.transcript_format.values import TranscriptHead, Turn
    from satchel.engine.search.documents import Hit
    from satchel.features.sessions.archive import ArchivedSession
    from satchel.project.person import PersonStore
    from satchel.project.store import ProjectStore
    from satchel.storage.database.contract import Database
    from satchel.storage.paths import SessionsState


class SessionArchive(Closing):
    """An open project's sessions as files, with the archive.

    Args:
        person: whose transcripts the archive holds; None where nothing of a person is read: then
            there are only the project's own sessions.

    `close` closes the index; it is opened again when it is asked.
    """

    def __init__(self, project: ProjectStore, person: PersonStore | None) -> None:
        self.project, self.person = project, person
        self.state = project.state.sessions
        self._lock = NestingLock(self.state.lock("own"))
        shared = project.shared_state
        self._shared = None if shared is None else SharedSessions(shared, self.state)
        self._archive = None if person is None else person.archive(project.key)
        self._index = DerivedStore(
            self.place.index,
            self.place,
            self._built,
            what="index of sessions",
            patience=project.patience,
        )
        self._holds: Callable[[str], str] | None = None

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    @property
    def store(self) -> SessionStore:
        """Satchel's own sessions: this machine's, or those that a team's servers share."""
        return SessionStore(self._shared or self._files(), self.project.clock)

    def _files(self) -> SessionFiles:
        # A pull may turn the tracked directory into a link.
        project, places = self.project, [self.state.own]
        if not escapes_root(project.tracked.sessions, project.place.root):
            places.append(project.tracked.sessions)
        if project.settings.flag("sessions.tracked"):
            places.reverse()
        return SessionFiles(places, self._lock)

    @property
    def place(self) -> SessionsState:
        """The index's location: of own sessions with the archive, or alone."""
        return self._archive or self.state

    def directories(self) -> list[str]:
        """Return the archive's directories: the searched one and the old one."""
        return [] if self._archive is None else [self._archive.archive, self._archive.old]

    def files(self) -> list[str]:
        """Return the archive's files, one per transcript."""
        return [] if self._archive is None else files_in(self._archive.archive)

    def every_file(self) -> list[str]:
        """Return the archive's files, including those too old to be searched."""
        return [path for folder in self.directories() for path in files_in(folder)]

    # The archive

    def import_transcripts(
        self,
        *,
        clients: Sequence[str] = ALIASES,
        paths: Sequence[str] = (),
        since: float = 0.0,
        progress: Callable[[int, int], None] | None = None,
    ) -> ImportReport:
        """Import new content of transcripts into the archive.

        Args:
            clients: whose transcripts to import, from their own directories.
            paths: files or directories instead, of any project.
            since: skip files last changed before this time, seconds since 1970.
            progress: called with bytes done, and bytes in total.

        Raises `BusyError` if another process is importing.
        """
        person, archive = self.person, self._archive
        if person is None or archive is None:
            raise NotFoundError("A team's server keeps no transcripts.")
        root = os.path.realpath(self.project.place.root)
        files = (
            named_files(paths)
            if paths
            else [
                file
                for client in clients
                for file in transcript_files(client, person.client_home(client), root)
            ]
        )
        total, done = sum(size_of(file.path) for file in files), 0

        def tell(size: int) -> None:
            nonlocal done
            done += size
            if progress is not None:
                progress(done, total)

        with FileLock(self.state.lock("archive"), timeout=max(self.project.patience, 1.0)):
            if files_in(archive.archive):
                self.index()
            importer = Importer(
                archive.archive,
                archive.imported,
                partial(belongs, self.project),
                self._holder,
                was_told=partial(was_told, self.project),
                part=ProjectPart(self.project),
                settle=self._refresh,
            )
            imported = importer.run(files, since=since, everything=bool(paths), progress=tell)
        if imported.changed:
            self._refresh()
        return imported

    def clients(self) -> Sequence[str]:
        """Return the clients whose transcripts are kept."""
        settings = self.project.settings
        if self.person is None or not settings.flag("sessions.import"):
            return ()
        wanted = settings.words("sessions.clients")
        return ALIASES if "all" in wanted else wanted

    def catch_up(self) -> None:
        """Import what clients have written since, within a second or two."""
        clients = self.clients()
        if clients:
            catch_up(
                self.project, lambda tell: self.import_transcripts(clients=clients, progress=tell)
            )

    def not_forgotten(self, turns: Iterable[Turn], head: TranscriptHead) -> list[Turn]:
        """Leave out turns that the user forgot; the client's file still has them."""
        gone = self.forgotten(head)
        return [turn for turn in turns if turn.id not in gone]

    def forgotten(self, head: TranscriptHead) -> frozenset[str]:
        """Return the ids of a session's turns that the user forgot."""
        folders = self.directories()
        return frozenset[str]().union(*(forgotten_in(path_in(one, head)) for one in folders))

    def _holder(self, identity: str) -> str:
        if not self._index.is_open:
            return ""  # the archive was empty when the import began
        if self._holds is None:
            self._holds = holders_in(self._index.open().database)
        return self._holds(identity)

    def search(
        self, question: str, limit: int = 10, *, now: float | None = None, weak: bool = False
    ) -> list[ArchiveHit]:
        """Search the archive: words, words in a period, or events in a period.

        Args:
            question: any text; "yesterday", "last week", "in May" name a time, in UTC.
            limit: the most hits.
            now: the time of the question; defaults to the clock's.
            weak: also return weak matches.
        """
        at = self.project.clock.now() if now is None else now
        self.catch_up()
        if not os.path.exists(self.place.index) and not self.sources():
            return []
        if self._index.is_open:
            self._refresh()

        def ask() -> list[ArchiveHit]:
            searched = ArchiveSearch(self.index(), View(self.sources(), at), weak=weak)
            return search_archive(searched, question, limit)

        return self._index.asked(ask)

    def archived(self, reference: str) -> ArchivedSession:
        """Read a whole archived session, by the client's id, its prefix, or `last`."""
        from satchel.storage.files import read_file

        archive = self._archive
        if reference in NEWEST:
            newest = max(self.imported(), key=lambda one: one.last_activity_at, default=None)
            reference = newest.id if newest else reference
        folders = () if archive is None else (archive.archive, archive.old)
        paths = [p for folder in folders for p in files_in(folder)]
        named = {path: _session_named(path) for path in paths}
        wanted = [p for p in paths if named[p] == reference] or [
            p for p in paths if reference and named[p].startswith(reference)
        ]
        if len(wanted) > 1:
            names = ", ".join(named[path] for path in wanted[:5])
            raise AmbiguousIdError(f"{reference!r} could be {names}.", hint="Give more of the id.")
        found = read_session(read_file(wanted[0])) if wanted else ""
        if isinstance(found, str) and any(one.startswith(reference) for one in self.store.ids()):
            raise NotFoundError(
                f"{reference[:60]} is one of Satchel's own sessions, not a transcript.",
                hint=f"`satchel sessions show {reference[:60]}` shows it.",
            )
        if isinstance(found, str):
            raise NotFoundError(
                f"The archive has no session {reference[:60]!r}.",
                hint="`satchel sessions search` shows ids; `satchel sessions import` imports more.",
            )
        return found

    def sources(self) -> list[Source]:
        """Return the files that the index follows."""
        paths = [*self.files(), *self.store.place.sources()]
        return [Source(path, "archive", whole=True) for path in paths if os.path.exists(path)]

    def index(self) -> Index:
        """Open and refresh the index, unless another process is doing so."""
        if not self._index.is_open:
            self._refresh()
        return self._index.open()

    def _built(self, database: Database) -> Index:
        self._holds = None
        return Index(database, lambda _: "a session is not a ledger", parse_file)

    def _refresh(self) -> None:
        """Index changes. A busy index is read as is; a broken one is rebuilt."""
        try:
            self._index.asked(self._catch_up)
        except (BusyError, NotWritableError) as error:
            note_fault(self.project.state.faults, "sessions", str(error), self.project.clock.now())

    def _catch_up(self) -> None:
        index, sources = self._index.open(), self.sources()
        there = {source.path for source in sources}
        index.catch_up(sources)
        gone = [path for path in held_paths(index.database) if path not in there]
        if gone:
            forget_sources(index.database, gone)

    def follow_servers(self) -> None:
        """Take out of this machine's copies, and of the index's file, what servers no longer keep.

        A search leaves what it no longer finds in unused parts of that file.
        """
        if self._shared is not None and os.path.exists(self.place.index):
            self._refresh()
            self._shared.forget_lost(self._index.open().compact)
            self.close()

    def rebuild(self) -> int:
        """Rebuild the index; return the number of files."""
        self.close()
        self._index.open().reindex(self.sources())
        return len(self.sources())

    # With time

    def clean_up(
        self,
        *,
        older_than: float = 0.0,
        dry_run: bool = False,
        removes: bool = False,
        closes: bool = True,
    ) -> CleanupReport:
        """Move old sessions out of the searched archive, and close abandoned ones.

        Args:
            older_than: seconds; 0 for `sessions.keep_days`.
            dry_run: show what would be done.
            removes: also remove what is due for removal.
            closes: close own sessions that were inactive for this long.
        """
        settings = self.project.settings
        seconds = older_than or settings.number("sessions.keep_days") * 86_400
        rule = Rule(seconds, settings.text("sessions.old"), removes)
        now = self.project.clock.now()
        closed = close_stale(self.store, now, seconds, dry_run=dry_run) if closes else []
        archive = self._archive
        if archive is None:
            return CleanupReport(closed=tuple(closed))
        with FileLock(self.state.lock("archive"), timeout=max(self.project.patience, 1.0)):
            ends = self._ends() if files_in(archive.archive) else {}
            done = clean_up(
                archive.archive,
                archive.old,
                lambda path: ends.get(path) or last_turn(path),
                now,
                rule,
                dry_run=dry_run,
            )
        if not dry_run and (done.moved or done.removed) and self._index.is_open:
            self._refresh()
        return done._replace(closed=tuple(closed))

    def imported(self) -> list[Session]:
        """Return clients' sessions here, without those of subagents."""
        found: dict[tuple[str, str], Session] = {}
        for hit, day in self._days():
            if day.get("parent"):
                continue
            client, ident = str(day["client"]), str(day["session"])
            one = found.get((client, ident)) or Session(
                id=ident,
                project_id=self.project.place.project_id,
                status=IMPORTED,
                title=hit.document.title,
                created_at=float(day["begin"]),
                agent_name=client,
                extra=(("branch", day["branch"]),) if day.get("branch") else (),
            )
            found[client, ident] = one._replace(
                created_at=min(one.created_at, float(day["begin"])),
                last_activity_at=max(one.last_activity_at, float(day["end"])),
                metrics=one.metrics._replace(messages=one.metrics.messages + int(day["turns"])),
            )
        return list(found.values())

    def _ends(self) -> dict[str, float]:
        """Return each archived file's last turn time, from the index."""
        ends: dict[str, float] = {}
        for hit, day in self._days():
            ends[hit.path] = max(ends.get(hit.path, 0.0), float(day.get("end") or 0.0))
        return ends

    def _days(self) -> list[tuple[Hit, dict[str, Any]]]:
        """Return the indexed days of each session, with their fields."""
        from satchel.core import quick_json

        view = View(self.sources(), self.project.clock.now(), Filter(kinds=(DAY,)))
        hits = self.index().live(view)
        return [(hit, quick_json.loads(hit.document.fields)) for hit in hits]

    def pack(self) -> list[str]:
        """Compress sessions closed long enough ago; return their ids."""
        days = self.project.settings.number("sessions.pack_days")
        packed = pack_closed(self.store, self.project.clock.now(), after_days=days)
        if packed and self._index.is_open:
            self._refresh()
        return packed

    def size(self) -> int:
        """Return the disk use of sessions, archive and index in bytes."""
        paths = [self.place.index]
        if self._archive is not None:
            paths += [*files_in(self._archive.archive), *files_in(self._archive.old)]
        return self.store.size() + sum(size_of(path) for path in paths)


def _session_named(path: str) -> str:
    """Return the session id in a file's name, after the client's name."""
    return os.path.basename(path).removesuffix(ENDING).partition("-")[2]
