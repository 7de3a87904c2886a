"""The inventory of a home: files that cannot be rebuilt, with their kinds.

Unknown files are included: one file too many in a backup is better than one too few. Derived files,
files of this machine (locks, the registry) and anything but regular files are left out.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence

from satchel.core.errors import BadInputError, NotReadableError
from satchel.core.kinds import KINDS
from satchel.core.values import NamedTuple
from satchel.storage.files import names_in
from satchel.storage.home_paths import restoring_in, sync_in
from satchel.storage.paths import (
    ANSWERS,
    BRANCHES,
    BROWSER_SESSIONS,
    ROUTED_MESSAGES,
    ROUTING_OUTCOMES,
    TASK_INDEXES,
    ArchiveState,
    PrivateState,
    UserHome,
)

#: How a file changes: a ledger by whole lines, under its lock; packed lines by whole members;
#: any other as a whole.
LEDGER, LINES, PACKED, WHOLE = "ledger", "lines", "packed", "whole"
MEMORIES, SETTINGS, APPROVALS, OTHER = "memories", "settings", "approvals", "other"
INBOX, IDENTITY, NOTES, ARCHIVE, SESSIONS = "inbox", "identity", "notes", "archive", "sessions"
#: Kinds of files, as accepted by `--kind` and `--only`.
FILE_KINDS = (
    MEMORIES,
    "graph",
    "tables",
    "instincts",
    "guards",
    "proposals",
    "outcomes",
    "injections",
    "ledgers",
    SESSIONS,
    ARCHIVE,
    NOTES,
    "agents",
    SETTINGS,
    "instructions",
    APPROVALS,
    "research",
    "quarantine",
    INBOX,
    "machine",
    IDENTITY,
    OTHER,
    "tracked",
)

_HOME, _STATE = UserHome(""), PrivateState("")
_SESSIONS = ArchiveState("")
_DERIVED_ENDINGS = (".db", ".db-wal", ".db-shm", ".db-journal", ".lock", ".tmp", ".rewriting")
_DERIVED = frozenset(
    {
        _STATE.settings_snapshot,
        _STATE.guards,
        _STATE.intent,
        _STATE.memory_files,
        _STATE.code_maps,
        _STATE.file_authors,
        _STATE.lost,
        _STATE.last_brief,
        _STATE.asking,
        "seen",
        "locks",
        TASK_INDEXES,
        ROUTING_OUTCOMES,
        ROUTED_MESSAGES,
        BRANCHES,
        # Sign-ins to a server, and its stored answers: of this machine, and short-lived.
        BROWSER_SESSIONS,
        ANSWERS,
        # How far transcripts were read: if the archive goes back in time, so must this.
        _SESSIONS.imported,
    }
)
_NOT_OURS = frozenset(
    {
        _HOME.server_token,
        _HOME.server_database,
        _HOME.registry,
        _HOME.metrics,
        _HOME.patterns,
        restoring_in(""),
        sync_in(""),
        "locks",
        "repositories",
    }
)
_IN_STATE = {
    _STATE.identity: IDENTITY,
    _STATE.inbox: INBOX,
    _STATE.episodes: NOTES,
    _STATE.research: "research",
    _STATE.quarantine: "quarantine",
    _STATE.graph_settings: SETTINGS,
    _STATE.collections: SETTINGS,
    _SESSIONS.hooks: SETTINGS,
    _SESSIONS.own: SESSIONS,
    _SESSIONS.learnings: SESSIONS,
    _SESSIONS.archive: ARCHIVE,
    _SESSIONS.old: ARCHIVE,
    _STATE.journals: "machine",
    _STATE.faults: "machine",
    _STATE.memory_sessions: "machine",
}
_IN_HOME = {
    _HOME.configuration: SETTINGS,
    _HOME.routing: SETTINGS,
    _HOME.instructions: "instructions",
    _HOME.memory_trust: APPROVALS,
    _HOME.agents: "agents",
    _HOME.skills: "agents",
    "learnings": NOTES,
    _STATE.journals: "machine",
}
_MEMORY_LEDGERS = {"knowledge", *(kind.name for kind in KINDS.values() if not kind.long_lived)}
_LEDGER_KINDS = {
    "guards": APPROVALS,
    "guard-firings": "guards",
    "usefulness": "outcomes",
    # This installation's server: who may use it, and who did.
    "access": "machine",
    "audit": "machine",
}


class HomeFile(NamedTuple):
    """A durable file: its path in the home with `/`, its kind, and how it changes."""

    path: str
    kind: str
    sort: str

    @property
    def state(self) -> str:
        """The path of its private state in the home; "" for the home itself."""
        parts = self.path.split("/")
        if parts[0] == "user":
            return "user"
        return "/".join(parts[:2]) if parts[0] == "projects" else ""

    @property
    def ledger(self) -> str:
        """The name of the ledger that it is, or is the archive of."""
        name = self.path.rpartition("/")[2]
        return name.removesuffix(".jsonl").removesuffix(".archive")


def home_file_of(path: str) -> HomeFile | None:
    """Classify a path in the home; None for derived and irrelevant files."""
    parts = path.split("/")
    if parts[0] == "user":
        return _in_state(path, parts[1:])
    if parts[0] == "projects":
        return _in_state(path, parts[2:])
    if parts[0] in _NOT_OURS or path.endswith(_DERIVED_ENDINGS):
        return None
    return HomeFile(path, _IN_HOME.get(parts[0], OTHER), WHOLE)


def _in_state(path: str, below: Sequence[str]) -> HomeFile | None:
    if not below or below[0] in _DERIVED:
        return None
    name = below[-1]
    if name.endswith(_DERIVED_ENDINGS) or ".db.damaged" in name or name == "lock":
        return None
    if below[0] == _STATE.ledgers and len(below) == 2 and name.endswith(".jsonl"):  # noqa: PLR2004
        ledger = HomeFile(path, "", LEDGER).ledger
        return HomeFile(path, _ledger_kind(ledger), LEDGER)
    kind = _IN_STATE.get(below[0], OTHER)
    if kind == SESSIONS and name.endswith(".jsonl"):
        return HomeFile(path, kind, LINES)
    packed = kind in (SESSIONS, ARCHIVE) and name.endswith(".jsonl.gz")
    return HomeFile(path, kind, PACKED if packed else WHOLE)


def _ledger_kind(ledger: str) -> str:
    if ledger in _MEMORY_LEDGERS:
        return MEMORIES
    kind = _LEDGER_KINDS.get(ledger, ledger)
    return kind if kind in FILE_KINDS else "ledgers"


def home_files(home: UserHome, *, kinds: Sequence[str] = ()) -> list[HomeFile]:
    """Return a home's durable files by path. Links are not followed."""
    found = []
    for path in _files_below(home.path, ""):
        file = home_file_of(path)
        if file is not None and (not kinds or file.kind in kinds):
            found.append(file)
    return sorted(found)


def refuse_misplaced(home: UserHome) -> None:
    """Raise `NotReadableError` if a link, pipe or directory stands where a ledger is.

    `home_files` follows no links and opens no pipes: the ledger would silently be missing.
    """
    root = os.path.join(home.path, "projects")
    states = [home.user_state.path, *(os.path.join(root, name) for name in names_in(root))]
    for state in states:
        directory = PrivateState(state).ledgers
        ledgers = [one for one in names_in(directory) if one.endswith(".jsonl")]
        for path in (root, state, directory):
            _refuse_unless(path, stat.S_ISDIR, "directory")
        for name in ledgers:
            _refuse_unless(os.path.join(directory, name), stat.S_ISREG, "file")


def _refuse_unless(path: str, is_right: Callable[[int], bool], what: str) -> None:
    if os.path.lexists(path) and not is_right(os.lstat(path).st_mode):
        raise NotReadableError(
            f"{path} is a link or no {what}, so what it holds would be left out; nothing was done.",
            hint=f"Put the {what} itself there; SATCHEL_HOME moves the whole home.",
        )


def check_kinds(kinds: Sequence[str]) -> None:
    """Raise if a kind is unknown."""
    for kind in kinds:
        if kind not in FILE_KINDS:
            raise BadInputError(
                f"There is no kind {kind[:40]!r} of stored data.",
                hint=f"Kinds are {', '.join(FILE_KINDS)}.",
            )


def state_at(home: UserHome, state: str) -> PrivateState:
    """Return a private state by its path in the home."""
    return PrivateState(os.path.join(home.path, *state.split("/")))


def local_path(root: str, path: str) -> str:
    """Convert a path with `/` to a path below a directory of this machine.

    Raises `BadInputError` if it leads out of the directory, since the path came from outside.
    """
    parts = path.split("/")
    if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts):
        raise BadInputError(f"{path[:200]!r} is not a path inside a home.")
    return os.path.join(root, *parts)


def _files_below(root: str, below: str) -> Iterator[str]:
    """Yield regular files, skipping directories without durable ones."""
    try:
        with os.scandir(os.path.join(root, *below.split("/"))) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
    except (FileNotFoundError, NotADirectoryError):
        return
    for entry in listed:
        path = f"{below}/{entry.name}" if below else entry.name
        try:
            mode = entry.stat(follow_symlinks=False).st_mode
        except FileNotFoundError:
            continue
        if stat.S_ISDIR(mode):
            if _may_hold(path):
                yield from _files_below(root, path)
        elif stat.S_ISREG(mode):
            yield path


def _may_hold(path: str) -> bool:
    parts = path.split("/")
    if parts[0] in ("user", "projects"):
        below = parts[1:] if parts[0] == "user" else parts[2:]
        return not below or below[0] not in _DERIVED
    return parts[0] not in _NOT_OURS
