"""The files of a home and a work tree that may match, and how to rewrite each."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from satchel.application.forgetting.matching import TraceMatcher
from satchel.application.forgetting.scrub import (
    Goes,
    contains_trace,
    keeps_all_records,
    without_lines,
    without_text,
    without_turns,
)
from satchel.application.forgetting.state_files import ARCHIVES, locks_in_state, place_in_state
from satchel.application.forgetting.values import (
    DERIVED,
    EPISODE,
    KEPT,
    LAST_BRIEF,
    LEDGER_FILE,
    LINES,
    MARK,
    OWNED,
    REMOVE,
    SHORT_ID,
    TEXT,
    TURNS,
    Place,
)
from satchel.core.errors import SatchelError
from satchel.core.hashing import digest
from satchel.core.values import NamedTuple
from satchel.features.sessions.archive import subagents_of
from satchel.project.store import ProjectStore
from satchel.storage.database.raw_bytes import raw_bytes
from satchel.storage.files import flush_directory, read_file, replace_file
from satchel.storage.ledger.lines import split_lines
from satchel.storage.ledger.rewriting import drop_unfinished, rewrite
from satchel.storage.locks import FileLock
from satchel.storage.owned_files import OwnedFile
from satchel.storage.paths import PrivateState, UserHome, archive_of
from satchel.storage.safe_open import escapes_root

#: Largest file to read whole, and largest user-owned file, in bytes.
_LARGEST, _OWNED = 512 << 20, 4 << 20
#: Most files of a work tree to check.
_MOST = 50_000
_GIT_SECONDS = 30.0
#: How many bytes at an episode's start have its metadata.
_HEAD = 2_000
#: What stands for a space in a file's name.
_BETWEEN_WORDS = str.maketrans("-_.", "   ")


class Rules(NamedTuple):
    """What to match, which records to remove whole, and which to leave alone."""

    traces: TraceMatcher
    goes: Goes
    stays: Goes
    now: int = 0
    ids: frozenset[str] = frozenset()


def without_removal(rules: Rules) -> Rules:
    """Return rules that take the words out of what quotes a record, and leave the record."""
    return rules._replace(
        goes=keeps_all_records, stays=lambda one: rules.stays(one) or rules.goes(one)
    )


class SearchedFiles:
    """The files to search for one project.

    Args:
        project: the project, opened from one of its work trees.
        home: the home of the person who forgets.
        everywhere: the user's own memory is forgotten, which any project may have shown.
        session: the beginning of the id of a session to remove whole.
    """

    def __init__(
        self, project: ProjectStore, home: UserHome, *, everywhere: bool = False, session: str = ""
    ) -> None:
        self.project, self.home = project, home
        self.session = session
        self.everywhere = everywhere
        #: Files too large to be looked at.
        self.passed_over: list[str] = []
        self._trees: list[str] | None = None
        self._subagents: dict[str, frozenset[str]] = {}

    def states(self) -> list[PrivateState]:
        """Return private states: the project's, the user's, and with `everywhere` all others."""
        found = [self.project.state, self.home.user_state]
        if self.everywhere:
            directory = os.path.join(self.home.path, "projects")
            names = sorted(os.listdir(directory)) if os.path.isdir(directory) else []
            every = [self.home.project_state(name) for name in names]
            found += [one for one in every if one.path != self.project.state.path]
        return found

    def trees(self) -> list[str]:
        """Return the project's work trees: this one and its siblings."""
        if self._trees is None:
            from satchel.storage.git import GitError
            from satchel.storage.work_trees import work_trees

            root = os.path.realpath(self.project.place.root)
            found = [root]
            try:
                common = self.project.place.common
                trees = work_trees(root, seconds=_GIT_SECONDS) if common else []
            except GitError:
                trees = []
            below = self.project.place.below
            for one in trees:
                tree = os.path.join(one.path, below).rstrip(os.sep)
                if os.path.isdir(tree) and os.path.realpath(tree) not in found:
                    found.append(os.path.realpath(tree))
            self._trees = found
        return self._trees

    def ledgers(self) -> Iterator[str]:
        """Return every ledger file, including archives."""
        for state in self.states():
            for path in files_below(state.ledgers):
                if path.endswith(".jsonl") and _is_regular(path):
                    yield path
        for tree in self.trees():
            path = self._tracked(tree)
            if not escapes_root(path, *self.trees()):
                yield from (one for one in (path, archive_of(path)) if _is_regular(one))

    def found(self, rules: Rules) -> list[Place]:
        """Return every file that matches or holds a record to remove."""
        return [one for one in self.every() if self.holds(one, rules)]

    def holds(self, place: Place, rules: Rules) -> bool:
        """Return whether a file contains something to remove."""
        try:
            data = raw_bytes(place.path) if place.action == DERIVED else read_file(place.path)
        except SatchelError:
            return False
        if place.action == LINES:
            lines = split_lines(data)
            return _chosen(place, lines, rules) != lines
        if place.action == TURNS:
            return without_turns(data) != data
        whole = place.action == REMOVE and place.what in ("a session", EPISODE, LAST_BRIEF)
        return whole or contains_trace(data, rules.traces)

    def every(self) -> Iterator[Place]:
        """Return every searched file, with how to treat it."""
        for state in self.states():
            for path in files_below(state.path):
                yield from self._kept(self._of_session(state, place_in_state(state, path)))
        yield from self.outside()

    def outside(self) -> Iterator[Place]:
        """Return every searched file that is not in private state: the person's, and the trees'."""
        home = self.home.path
        base = self.home.knowledge_base(self.project.settings.text("layout.preset"))
        for path in files_below(home, without=("projects", "user", "repositories", "registry")):
            yield from self._kept(self._of_person(path, base, "a file of yours in the home"))
        if not base.startswith(home + os.sep):
            for path in files_below(base):
                yield from self._kept(self._of_person(path, base, "a learning note of yours"))
        for tree in self.trees():
            for path in self._work_tree(tree):
                yield from self._kept(self._in_tree(tree, path))

    def _of_person(self, path: str, base: str, what: str) -> Place:
        # Episodes are written automatically, so they are not protected as the user's own.
        if path.startswith(os.path.join(base, "episodes") + os.sep):
            whole = self._retells(path)
            return Place(path, REMOVE if whole else TEXT, EPISODE)
        return Place(path, OWNED, what)

    def _retells(self, path: str) -> bool:
        """Return whether an episode is about the session to remove whole."""
        if len(self.session) < SHORT_ID:
            return False
        try:
            head = read_file(path)[:_HEAD].decode("utf-8", "replace")
        except (OSError, SatchelError):
            return False
        return f"\nsession: {self.session}" in head or f"\nsession: '{self.session}" in head

    def _of_session(self, state: PrivateState, place: Place) -> Place:
        """Return the place; it is removed whole if it belongs to the forgotten session."""
        below = os.path.relpath(place.path, state.path).split(os.sep)
        if len(self.session) < SHORT_ID or len(below) < 2:  # noqa: PLR2004
            return place
        if below[0] in ARCHIVES and (
            f"-{self.session}" in below[1] or place.path in self._of_subagents(state)
        ):
            return place._replace(action=TURNS)
        if place.what == EPISODE and self._retells(place.path):
            return place._replace(action=REMOVE)
        if below[0] == "sessions" and below[1].startswith(self.session):
            return place._replace(action=REMOVE)
        return place

    def _of_subagents(self, state: PrivateState) -> frozenset[str]:
        """Return the archive's files of the session's subagents, and of theirs."""
        if state.path not in self._subagents:
            folders = [os.path.join(state.path, name) for name in ARCHIVES]
            self._subagents[state.path] = subagents_of(self.session, folders)
        return self._subagents[state.path]

    def _kept(self, place: Place) -> Iterator[Place]:
        if not place.action:
            return
        try:
            status = os.lstat(place.path)
        except OSError:
            return
        if not stat.S_ISREG(status.st_mode):
            return
        if status.st_size > _LARGEST:
            self.passed_over.append(place.path)
            return
        large = place.action == OWNED and status.st_size > _OWNED
        yield Place(place.path, KEPT, "a large file of yours") if large else place

    def _tracked(self, tree: str) -> str:
        below = os.path.relpath(self.project.tracked.knowledge, self.project.place.root)
        return os.path.join(tree, below)

    def _in_tree(self, tree: str, path: str) -> Place:
        tracked = self._tracked(tree)
        if path in (tracked, archive_of(tracked)):
            return Place(path, LINES, f"{LEDGER_FILE} that git tracks")
        sessions = os.path.relpath(self.project.tracked.sessions, self.project.place.root)
        if path.startswith(os.path.join(tree, sessions) + os.sep):
            return Place(path, LINES if path.endswith(".jsonl") else TEXT, "a session in git")
        return Place(path, OWNED, "a file of the work tree")

    def _work_tree(self, tree: str) -> Iterator[str]:
        from satchel.storage import git

        try:
            in_git = self.project.place.common
            known = git.files(tree, seconds=_GIT_SECONDS) if in_git else None
        except git.GitError:
            known = None
        if known is None:
            yield from (path for _, path in zip(range(_MOST), files_below(tree), strict=False))
            return
        names = sorted(known[:_MOST])
        # Files that git ignores and Satchel wrote are checked too.
        own = files_below(os.path.join(tree, ".satchel"))
        yield from sorted({*(os.path.join(tree, name) for name in names), *own})

    def named(self, rules: Rules) -> list[str]:
        """Return the directories of files whose name matches: names are not rewritten."""
        every = {one.path for one in self.every() if without_name(one.path, rules) != one.path}
        return sorted({os.path.dirname(path) for path in every})

    # Rewriting

    def scrub(self, place: Place, rules: Rules) -> None:
        """Scrub one file under its writers' locks."""
        if place.action == REMOVE:
            os.unlink(place.path)
            flush_directory(os.path.dirname(place.path))
            return
        if place.action == OWNED:
            self._owned(place).change(
                lambda text: without_text(text.encode("utf-8"), rules.traces).decode("utf-8")
            )
            return
        with ExitStack() as stack:
            for lock in self._locks(place.path):
                stack.enter_context(FileLock(lock, timeout=30.0))
            if place.action == LINES:
                drop_unfinished(place.path)
                rewrite(place.path, lambda lines: _chosen(place, lines, rules))
            elif place.action in (TEXT, TURNS):
                data = read_file(place.path)
                turns = place.action == TURNS
                made = without_turns(data) if turns else without_text(data, rules.traces)
                if made != data:
                    mode = stat.S_IMODE(os.stat(place.path).st_mode)
                    replace_file(place.path, made, mode=mode)

    def _owned(self, place: Place) -> OwnedFile:
        roots = [*self.trees(), self.home.path]
        inside = [root for root in roots if place.path.startswith(root + os.sep)]
        root = inside[0] if inside else os.path.dirname(place.path)
        name = digest(place.path.encode("utf-8", "surrogateescape")).hex()[:16]
        return OwnedFile(place.path, self.project.state.lock(f"forget-{name}"), root=root)

    def _locks(self, path: str) -> list[str]:
        """Return a file's locks in a fixed order, to avoid deadlocks."""
        for state in self.states():
            if path.startswith(state.path + os.sep):
                return locks_in_state(state, path)
        state = self.project.state
        for tree in self.trees():
            tracked = self._tracked(tree)
            if path in (tracked, archive_of(tracked)):
                name = digest(tracked.encode("utf-8", "surrogateescape")).hex()[:16]
                return [state.lock("tracked-" + name)]
        return [state.sessions.lock("own")]


def without_name(path: str, rules: Rules) -> str:
    """Return a path, without the file's name if that matches, as `DATE_the-words.md` does."""
    directory, name = os.path.split(path)
    said = name.translate(_BETWEEN_WORDS)
    return os.path.join(directory, MARK) if rules.traces.hits(said) else path


def _is_regular(path: str) -> bool:
    """Return whether a path is a regular file, not a link or a pipe."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def _chosen(place: Place, lines: Sequence[bytes], rules: Rules) -> list[bytes]:
    """Return a file's lines after scrubbing. Only ledger lines are records."""
    if not place.what.startswith(LEDGER_FILE):
        return without_lines(lines, rules.traces, keeps_all_records, now=rules.now)
    return without_lines(lines, rules.traces, rules.goes, rules.stays, now=rules.now, ids=rules.ids)


def scrubbed(place: Place, data: bytes, rules: Rules) -> bytes:
    """Return a copy's scrubbed bytes; empty if it is removed whole."""
    if place.action == LINES:
        lines = split_lines(data)
        made = _chosen(place, lines, rules)
        return data if made == lines else b"".join(raw + b"\n" for raw in made)
    if place.action in (TEXT, OWNED):
        return without_text(data, rules.traces)
    said = place.action == REMOVE and contains_trace(data, rules.traces)
    return b"" if said else data


def files_below(directory: str, without: Sequence[str] = ()) -> Iterator[str]:
    """Yield the files below a directory, without git's own and those of some names at its top."""
    for above, folders, names in os.walk(directory):
        if above == directory:
            folders[:] = [name for name in folders if name not in without]
        folders[:] = sorted(name for name in folders if name != ".git")
        for name in sorted(names):
            yield os.path.join(above, name)
