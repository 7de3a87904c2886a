"""Finishes an interrupted restore: the moves it had recorded.

`application.exchange.backups.restoring` stages a restore; once its journal is on disk, whoever
opens the home next finishes it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import ExitStack

from satchel.core import quick_json
from satchel.core.errors import NotReadableError
from satchel.core.hashing import is_whole
from satchel.project.inventory import (
    LEDGER,
    HomeFile,
    home_file_of,
    home_files,
    local_path,
    state_at,
)
from satchel.storage.files import flush_directory, make_private_directory, read_file
from satchel.storage.home_paths import lock_in, lock_name, restoring_in
from satchel.storage.locks import FileLock
from satchel.storage.paths import UserHome

#: The journal of a restore, in the directory of its staged files.
JOURNAL = "journal.json"
_LOCK_SECONDS = 30.0


def ledger_locks(home: UserHome, held: Sequence[HomeFile]) -> list[FileLock]:
    """Return the ledgers' locks, not yet acquired, in the order to acquire them."""
    paths = {
        state_at(home, one.state).lock(lock_name(one.ledger)) for one in held if one.sort == LEDGER
    }
    return [FileLock(path, timeout=_LOCK_SECONDS) for path in sorted(paths)]


def finish(home: UserHome) -> bool:
    """Finish a restore that was killed during its moves; return whether there was one."""
    if not os.path.exists(os.path.join(restoring_in(home.path), JOURNAL)):
        return False
    with FileLock(lock_in(home.path, "restore"), timeout=_LOCK_SECONDS), ExitStack() as locks:
        for lock in ledger_locks(home, home_files(home)):
            locks.enter_context(lock)
        return finish_moves(home)


def finish_moves(home: UserHome) -> bool:
    """Make the remaining recorded moves; the caller holds the locks."""
    journal = os.path.join(restoring_in(home.path), JOURNAL)
    line = read_file(journal)
    if not line:
        return False
    if not is_whole(line):
        raise NotReadableError(f"{journal} is damaged.", hint="Move the directory away.")
    fields = quick_json.loads(line.decode())
    for number, path in fields["moves"]:
        target = local_path(home.path, path)
        make_private_directory(os.path.dirname(target))
        try:
            os.replace(os.path.join(restoring_in(home.path), str(number)), target)
        except FileNotFoundError:
            continue  # moved before the kill
        flush_directory(os.path.dirname(target))
    for path in fields["remove"]:
        _remove(local_path(home.path, path))
    for state in fields["states"]:
        _drop_derived(home, state)
        _forget_ends(home, state)
    os.unlink(journal)
    shutil.rmtree(restoring_in(home.path), ignore_errors=True)
    return True


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


def _forget_ends(home: UserHome, state: str) -> None:
    """Clear the ledgers' locks, so that the replaced ledgers' last lines are not missed."""
    directory = os.path.dirname(state_at(home, state).lock("x"))
    for name in os.listdir(directory) if os.path.isdir(directory) else ():
        path = os.path.join(directory, name)
        if os.path.isfile(path):
            os.truncate(path, 0)


def _drop_derived(home: UserHome, state: str) -> None:
    """Remove data derived from other ledgers; the next reader rebuilds it."""
    root = os.path.join(home.path, *state.split("/"))
    for where, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != "locks"]
        for name in names:
            path = os.path.join(where, name)
            below = os.path.relpath(path, home.path).replace(os.sep, "/")
            ours = name == "lock" or name.endswith((".lock", ".damaged"))
            if home_file_of(below) is None and not ours:
                _remove(path)
