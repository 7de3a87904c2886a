"""The code map of a work tree: opened, kept up to date, queried."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Self

from satchel.core import times
from satchel.core.clock import Clock
from satchel.core.errors import BusyError, NoProjectError, NotWritableError, StoreError
from satchel.core.hashing import digest
from satchel.core.ids import new_ulid
from satchel.core.values import Closing
from satchel.engine.models import Models
from satchel.features.code.anchors.rules import Anchor, AnchorState
from satchel.features.code.loose_repository import LooseRepository, place_of_directory
from satchel.features.code.map.store import CodeStore
from satchel.features.code.map.updating import BinaryEncoder, RefreshReport
from satchel.features.code.map.writing import MapStatus
from satchel.features.code.packs.values import Pack, PackRequest
from satchel.features.code.search.queries import SymbolUsages
from satchel.features.code.search.ranking import Ranker
from satchel.features.code.symbols.values import RankedFile, Symbol, SymbolMatch
from satchel.project.derived_store import DerivedStore, open_database
from satchel.project.place import find_place
from satchel.project.store import ProjectStore
from satchel.storage.database.contract import Database
from satchel.storage.files import PRIVATE_FILE, read_file, replace_file, unique_suffix
from satchel.storage.inbox.faults import work_around
from satchel.storage.locks import FileLock

#: Suffix of the file beside a map that names its work tree.
_ROOT = ".root"
#: Up to this many texts are encoded one by one.
_FEW = 16
#: Seconds to wait for another process that creates the first map.
_FIRST = 300.0
#: Past commits to rank by.
_MOST_COMMITS = 2000


class Code(Closing):
    """The code of the project in the opened work tree.

    Args:
        models: encode names.

    `close` closes the map; the next query reopens it.
    """

    def __init__(self, project: ProjectStore | LooseRepository, models: Models) -> None:
        self.project, self.models = project, models
        self.root = project.place.root
        self._store = DerivedStore(
            self.path,
            project.state,
            self._built,
            what="map of the code",
            patience=project.patience,
            begin=self._begin,
        )
        self._ranker: Ranker | None = None
        #: Rebuilding: from the files alone, not from another work tree's map.
        self._alone = False
        #: Receives the number of files read and of all files, while a map is created.
        self.progress: Callable[[int, int], None] | None = None

    @classmethod
    def open(cls, start: str = ".", *, home: str = "", clock: Clock | None = None) -> Self:
        """Open the code around `start`: of a project, a git repository or a directory.

        Asking about code takes no `satchel init`. Raises `NoProjectError` for a person's home and
        its parents: nobody means all of that.
        """
        from satchel.project.home import open_home
        from satchel.project.store import ProjectStore

        user, clock = open_home(home), clock or Clock()
        project: ProjectStore | LooseRepository
        try:
            project = ProjectStore.open(start, user, clock)
        except NoProjectError:
            place = find_place(start) or place_of_directory(start)
            if place is None:
                raise
            project = LooseRepository(place, user, clock)
        return cls(project, Models(project.settings))

    def close(self) -> None:
        """Close the database, if it was opened."""
        self._store.close()
        self._ranker = None

    @property
    def pack_tokens(self) -> int:
        """Return the configured budget of a pack."""
        return self.project.settings.integer("pack.max_tokens")

    # The map

    @property
    def _tree(self) -> str:
        root = os.path.realpath(self.root)
        return digest(root.encode("utf-8", "surrogateescape")).hex()[:24]

    @property
    def path(self) -> str:
        """Return the map's file, one per work tree."""
        return self.project.state.code(self._tree)

    @property
    def store(self) -> CodeStore:
        """Return the store. A damaged or older one is rebuilt, since everything is derived."""
        return self._store.open()

    def _built(self, database: Database) -> CodeStore:
        self._ranker = None
        return CodeStore(database)

    def _begin(self) -> None:
        self._forget_gone_trees()
        if not self._alone:
            self._begin_from_neighbour(self.path)
        replace_file(self.path + _ROOT, os.fsencode(os.path.realpath(self.root)))

    def _forget_gone_trees(self) -> None:
        maps = self.project.state.code_maps
        for name in os.listdir(maps) if os.path.isdir(maps) else ():
            if name.endswith(_ROOT):
                note = os.path.join(maps, name)
                if not os.path.isdir(os.fsdecode(read_file(note))):
                    _remove_map(note.removesuffix(_ROOT))
                    _remove_map(note.removesuffix(_ROOT) + ".damaged")

    def _begin_from_neighbour(self, path: str) -> None:
        """Start a new work tree's map from a copy of another's."""
        maps = self.project.state.code_maps
        try:
            there = [os.path.join(maps, n) for n in os.listdir(maps) if n.endswith(".db")]
            newest = max(there, key=os.path.getmtime, default="")
        except OSError:
            return
        if not newest:
            return
        part = f"{path}.{unique_suffix()}.part"
        try:
            database = open_database(newest, 1.0)
            try:
                CodeStore(database)  # of the same release
                database.write("VACUUM INTO ?", (part,))
            finally:
                database.close()
            os.chmod(part, PRIVATE_FILE)
            os.replace(part, path)
        except (StoreError, BusyError, OSError):
            if os.path.exists(part):
                os.unlink(part)

    def refresh(self, *, force: bool = False) -> RefreshReport:
        """Update the map from the files. If another process is doing that, use the map as is."""
        return self._store.asked(lambda: self._refreshed(force=force))

    def _refreshed(self, *, force: bool) -> RefreshReport:
        from satchel.features.code.map.updating import RefreshReport

        whole = self.store.meta("whole") == "yes"
        patience = self.project.patience if whole else _FIRST
        lock = FileLock(self.project.state.lock(f"code-{self._tree}"), timeout=patience)
        try:
            if not lock.acquire():
                return RefreshReport(0, 0, 0, 0.0)
            done = self._updated(force=force)
        except NotWritableError as error:
            # A map in memory needs no lock: it is this process's own.
            state, told = self.project.state, f"{error} {error.hint}".strip()
            work_around(state.faults, "code", told, self.project.clock.now())
            self._store.open_in_memory(copied=os.path.exists(self.path))
            done = self._updated(force=force)
        finally:
            lock.release()
        if done.read or done.dropped or done.commits:
            self._ranker = None
        return done

    def _updated(self, *, force: bool) -> RefreshReport:
        from satchel.features.code.map.updating import refresh

        return refresh(
            self.store,
            self.root,
            common=self.project.place.common,
            most_commits=_MOST_COMMITS,
            force=force,
            progress=self.progress,
            coder=self._coder(),
        )

    def _coder(self) -> BinaryEncoder:
        """Return the encoder of file names, if the static table is available."""
        from satchel.features.code.map.updating import NO_CODER, BinaryEncoder

        table = self.models.table()
        if table is None:
            return NO_CODER

        def codes_of(texts: list[str]) -> list[bytes]:
            # The results are equal; many at once use numpy, which does not pay for a few.
            if len(texts) <= _FEW:
                return [table.code(text) for text in texts]
            return list(map(bytes, table.codes_of_many(texts)))

        return BinaryEncoder(table.identity, codes_of)

    def is_mapped(self) -> bool:
        """Return whether the whole code has been mapped."""
        return self.store.meta("whole") == "yes"

    def rebuild(self) -> RefreshReport:
        """Rebuild the map from the files and from git."""
        if self.store.database.size():  # one in memory replaces a newer release's
            self._store.close()
            _remove_map(self.path)
        self._alone = True
        return self._refreshed(force=True)

    @property
    def ranker(self) -> Ranker:
        """Return the ranker, cached until the map changes."""
        if self._ranker is None:
            from satchel.features.code.search.ranking import Ranker

            table = self.models.table()
            code_of = None if table is None else table.code
            own = self.project.tracked.owned()
            self._ranker = Ranker(self.store, code_of=code_of, own=own)
        return self._ranker

    # Asking

    def find(self, text: str, *, limit: int = 10) -> tuple[list[SymbolMatch], list[RankedFile]]:
        """Find where something is implemented: symbols, then files, each best first."""
        from satchel.features.code.search.queries import find

        self.refresh()
        return find(self.store, self.ranker, text, limit=limit)

    def rank(self, text: str, *, limit: int = 20, method: str = "codegraph") -> list[RankedFile]:
        """Rank files for a task text."""
        self.refresh()
        return self.ranker.rank(text, most=limit, method=method)

    def symbols(self, path: str) -> list[Symbol]:
        """Return a file's definitions in text order. Raises `NotFoundError`."""
        from satchel.features.code.search.queries import symbols_of

        self.refresh()
        return symbols_of(self.store, self._below(path))

    def warning_of(self, path: str) -> str:
        """Return what was wrong with a file when it was read, or ""."""
        from satchel.features.code.search.queries import warning_of

        return warning_of(self.store, self._below(path))

    def left_out(self) -> dict[str, Any]:
        """Return what the map leaves out: `submodules`, and the number of `sparse` files."""
        from satchel.features.code.map.repository import Repository
        from satchel.storage.git import GitError

        try:
            found = Repository(self.root).left_out() if self.project.place.common else ([], 0)
        except GitError:
            found = [], 0
        return {"submodules": found[0], "sparse": found[1]}

    def refs(self, symbol: str, *, limit: int = 50) -> SymbolUsages:
        """Return a symbol's users and what it uses. Raises `NotFoundError`."""
        from satchel.features.code.map.reading import Tree
        from satchel.features.code.search.queries import users_of

        self.refresh()
        return users_of(self.store, Tree(self.root), symbol, limit=limit)

    def status(self) -> dict[str, Any]:
        """Describe the map: files, symbols, commits, warnings, age of docs/CODEBASE_MAP.md."""
        from satchel.features.code.map.writing import age_of, is_fresh
        from satchel.features.code.search.queries import status_of

        done = self.refresh()
        told = status_of(self.store)
        hours = self.project.settings.number("code.map_ttl_hours")
        age = age_of(self.project.tracked.codebase_map, self.project.clock.now())
        told["map"] = {
            "path": "docs/CODEBASE_MAP.md",
            "ageHours": None if age is None else round(age, 1),
            "ttlHours": hours,
            "fresh": is_fresh(age, hours),
        }
        told["leftOut"] = self.left_out()
        told["database"] = {"path": self.path, "bytes": self.store.database.size()}
        told["refreshed"] = {
            "read": done.read,
            "dropped": done.dropped,
            "commits": done.commits,
            "ms": round(done.seconds * 1000, 1),
        }
        return told

    def write_map(self, *, force: bool = False, check: bool = False) -> MapStatus:
        """Write docs/CODEBASE_MAP.md if it is stale; `check` writes nothing."""
        from satchel.features.code.map.writing import write_map

        self.refresh()
        return write_map(
            self.store,
            self.root,
            self.project.tracked,
            now=self.project.clock.now(),
            hours=self.project.settings.number("code.map_ttl_hours"),
            force=force,
            check=check,
        )

    # Packs

    def pack(self, request: PackRequest) -> Pack:
        """Build a context pack. The request's `files` may be relative to the caller's directory."""
        from satchel.features.code.packs.building import Packer

        self.refresh()
        now = self.project.clock.now()
        request = request._replace(files=tuple(self._below(path) for path in request.files))
        return Packer(self.store, self.root, self.ranker).make(
            request,
            ident=new_ulid(int(now * 1000)),
            project=self.project.key,
            created=times.iso(int(now)),
        )

    # Anchors

    def pin(self, path: str, symbol: str = "") -> Anchor:
        """Return an anchor for a symbol's current state. Raises `NotFoundError`."""
        from satchel.features.code.anchors.pinning import pin

        return pin(self.root, self._below(path), symbol, in_git=bool(self.project.place.common))

    def states(self, anchors: Sequence[Anchor]) -> list[AnchorState]:
        """Return the states of anchors, in order. Uses the map only for code not at its path."""
        from satchel.features.code.anchors.pinning import states

        return states(self.root, anchors, self._map_for_anchors)

    def _map_for_anchors(self) -> CodeStore:
        self.refresh()
        return self.store

    def _below(self, path: str) -> str:
        """Return a file's path below the project root, given one relative to the caller."""
        if os.path.isabs(path) or not os.path.lexists(os.path.join(self.root, path)):
            whole, root = os.path.realpath(path), os.path.realpath(self.root)
            if whole.startswith(root + os.sep):
                return os.path.relpath(whole, root).replace(os.sep, "/")
        return os.path.normpath(path).replace(os.sep, "/")


def _remove_map(path: str) -> None:
    for ending in ("", "-wal", "-shm", _ROOT):
        if os.path.exists(path + ending):
            os.unlink(path + ending)
