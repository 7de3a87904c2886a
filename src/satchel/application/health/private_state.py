"""The private state's directory: whether it is writable and private, and who holds its locks."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import time
from collections.abc import Callable

from satchel.application.findings import ERROR, NOTE, WARNING, Finding, listed
from satchel.core.errors import BusyError, SatchelError, StoreError
from satchel.engine.search.contracts import SearchIndex
from satchel.engine.search.index import SCHEMA
from satchel.project.registry import read_identity
from satchel.storage.files import NO_LOCKS, is_foreign, is_open_to, names_in
from satchel.storage.locks import FileLock, lock_refusal
from satchel.storage.paths import PrivateState, UserHome

LEAST_FREE = 50 * 1024 * 1024
_LONG = 1.0
#: How the names of files end that lie beside the ledgers.
_STORES = (".db", ".json")
#: Rights of group and others that private files, and directories of them, must not grant.
_FILE_RIGHTS, _DIRECTORY_RIGHTS = 0o066, 0o022


def writable(state: PrivateState) -> list[Finding]:
    """Write a byte to every existing directory, and remove it again."""
    found = []
    inner = [os.path.join(state.path, name) for name in ("ledgers", "inbox", "locks")]
    for directory in (state.path, *inner, state.quarantine):
        if directory != state.path and not os.path.lexists(directory):
            continue  # made when it is needed
        probe = os.path.join(directory, f".doctor-{os.getpid()}")
        try:
            os.makedirs(directory, 0o700, exist_ok=True)
            with open(probe, "wb", buffering=0) as file:
                file.write(b"x")
        except OSError as error:
            what = f"nothing can be written here: {error.strerror}"
            step = "Check who owns it and that it is a directory; nothing is remembered until then."
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                step = "Free some space; nothing is remembered until then."
            found.append(Finding(ERROR, directory, what, step))
        finally:
            with contextlib.suppress(OSError):
                os.unlink(probe)
    return found


def misplaced_findings(state: PrivateState) -> list[Finding]:
    """Report pipes, directories and files of the wrong type."""
    found = []
    for name in ("ledgers", "inbox", "locks"):
        path = os.path.join(state.path, name)
        if os.path.lexists(path) and not os.path.isdir(path):
            found.append(_misplaced(path, "a directory"))
        found += [
            _misplaced(os.path.join(path, inner), "a file")
            for inner in names_in(path)
            if not os.path.isfile(os.path.join(path, inner))
        ]
    stores = [os.path.join(state.path, name) for name in names_in(state.path)]
    stores = [path for path in stores if path.endswith(_STORES) and path != state.index]
    for path in (state.index, state.faults, state.settings_snapshot, *stores):
        if os.path.lexists(path) and not os.path.isfile(path):
            found.append(_misplaced(path, "a file"))
    return found


def identity_findings(home: UserHome, key: str) -> list[Finding]:
    """Report what keeps clones from finding their private memory."""
    identity, found = home.project_state(key).identity, []
    if os.path.lexists(home.registry) and not os.path.isdir(home.registry):
        found.append(_misplaced(home.registry, "a directory"))
    if not read_identity(home, key):
        lost = "is damaged" if os.path.lexists(identity) else "is missing"
        what = f"{lost}: a new clone of this project begins with a private memory of its own"
        found.append(Finding(ERROR, identity, what, "`satchel upkeep` writes it again."))
    return found


def _misplaced(path: str, belongs: str) -> Finding:
    what = f"is not {belongs}, and what belongs there cannot be kept"
    return Finding(ERROR, path, what, "Move it away; Satchel makes what it needs.")


def disk_space_findings(state: PrivateState, least: int = LEAST_FREE) -> list[Finding]:
    """Report a disk with fewer than `least` free bytes."""
    if not os.path.isdir(state.path):
        return []
    free = shutil.disk_usage(state.path).free
    if free >= least:
        return []
    what = f"the disk has {free // (1024 * 1024):,} MiB left"
    return [
        Finding(
            WARNING, state.path, what, "Free some space; nothing can be remembered on a full disk."
        )
    ]


def permission_findings(state: PrivateState) -> list[Finding]:
    """Report files and directories that others can read, change or own."""
    open_to_others, foreign = [], []
    for path in _every_path(state.path):
        try:
            status = os.lstat(path)
        except OSError:
            continue
        if stat.S_ISLNK(status.st_mode):
            continue
        rights = _DIRECTORY_RIGHTS if stat.S_ISDIR(status.st_mode) else _FILE_RIGHTS
        if is_open_to(status, rights):
            open_to_others.append(path)
        if is_foreign(status):
            foreign.append(path)
    found = []
    if open_to_others:
        step = f"Remove the permissions of group and others from {state.path}, with `chmod`."
        what = f"others may read or change {listed(open_to_others)}"
        found.append(Finding(WARNING, "private files", what, step))
    if foreign:
        step = "Take ownership with `chown`; `sudo` may have created them."
        found.append(
            Finding(WARNING, "private files", f"another user owns {listed(foreign)}", step)
        )
    return found


def lock_findings(state: PrivateState, seconds: float = _LONG) -> list[Finding]:
    """Report locks that do not work, and those still held after `seconds`."""
    refusal = lock_refusal(state.path)
    if refusal:
        return [Finding(ERROR, state.path, f"files here cannot be locked: {refusal}", NO_LOCKS)]
    directories = (os.path.dirname(state.lock("x")), state.inbox)
    paths = [
        os.path.join(directory, name)
        for directory in directories
        for name in names_in(directory)
        if name == "lock" or name.endswith(".lock")
    ]
    held = [path for path in paths if _is_held(path)]
    if held:
        time.sleep(seconds)
    found = []
    for path in held:
        if _is_held(path):
            what = f"has been held for more than {seconds:g} s{_holder(path)}"
            step = "If that process hangs, end it; a lock ends with its process."
            found.append(Finding(WARNING, path, what, step))
    return found


def moved_index_findings(state: PrivateState, index: SearchIndex) -> list[Finding]:
    """Report an index that was moved aside or left alone: damaged or of another version."""
    there = _schema_of(state.index, index) if os.path.exists(state.index) else ""
    if there.isdigit() and int(there) > int(SCHEMA):
        what = f"was made by a newer Satchel (schema {there}, ours is {SCHEMA}) and is left alone"
        step = "Update this Satchel. Until then every command reads all memories, which is slow."
        return [Finding(WARNING, state.index, what, step)]
    path = state.index + ".damaged"
    if not os.path.exists(path):
        return []
    step = "A new index has been built. Delete this one when you no longer need it."
    schema = _schema_of(path, index)
    if schema and schema != SCHEMA:
        what = f"an index of another version of Satchel (schema {schema}, ours is {SCHEMA})"
        step = "Update the older Satchel: the two rebuild the index in turns."
        return [Finding(WARNING, path, what, step)]
    return [Finding(NOTE, path, "an index that could not be used was set aside", step)]


def unfinished_findings(state: PrivateState) -> list[Finding]:
    """Report files left by a crash in the middle of a rewrite."""
    left = [
        os.path.join(directory, name)
        for directory in (state.path, state.ledgers, state.quarantine)
        for name in names_in(directory)
        if name.endswith((".tmp", ".rewriting", ".rotating"))
    ]
    if not left:
        return []
    what = f"a crash has left {listed(left)}; what they replace is whole"
    return [Finding(NOTE, "private files", what, "The next upkeep or writer replaces them.")]


def engine_findings(index: SearchIndex, *, safe: bool) -> list[Finding]:
    """Report a SQLite version whose write-ahead log can lose pages."""
    if safe:
        return []
    step = "Install the apsw that Satchel asks for; until then the index uses the slower journal."
    what = f"{index.database.engine()}: this release can lose pages of a write-ahead log"
    return [Finding(WARNING, "SQLite", what, step)]


def run_check(subject: str, check: Callable[[], list[Finding]], step: str = "") -> list[Finding]:
    """Run a check; an exception becomes a finding and does not stop the others."""
    try:
        return check()
    except (SatchelError, OSError) as error:
        return [Finding(ERROR, subject, f"could not be examined: {error}", step)]


def _every_path(top: str) -> list[str]:
    found = [top]
    for directory, folders, files in os.walk(top):
        found += [os.path.join(directory, name) for name in (*folders, *files)]
    return found


def _is_held(path: str) -> bool:
    lock = FileLock(path, timeout=0)
    try:
        if not lock.acquire():
            return True
    except StoreError:
        return False  # `writable` tells of it
    lock.release()
    return False


def _holder(path: str) -> str:
    """Return the process that holds a lock, if the kernel reports it."""
    try:
        inode = os.stat(path).st_ino
        with open("/proc/locks", encoding="ascii", errors="replace") as file:
            for line in file:
                fields = line.split()
                if "->" not in fields and fields[5].rsplit(":", 1)[-1] == str(inode):
                    return f", by process {fields[4]}"
    except (OSError, IndexError):
        return ""
    return ""


def _schema_of(path: str, index: SearchIndex) -> str:
    """Return the schema of an index that was set aside; "" if it is too damaged."""
    try:
        index.database.write("ATTACH ? AS aside", (path,))
    except (BusyError, StoreError):
        return ""
    try:
        rows = index.database.read("SELECT value FROM aside.meta WHERE name = 'schema'")
        return str(rows[0][0]) if rows else ""
    except (BusyError, StoreError):
        return ""
    finally:
        index.database.write("DETACH aside")
