"""Places of a home as a whole, beside those of `layout`, and the names of ledgers' locks."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.tracked_files import TrackedFiles

#: Ledgers whose lock is not called as they are.
_LEDGER_LOCKS = {"graph": "graph-ops", "guards": "guards-ledger", "instincts": "instincts-ledger"}


def backups_of(home: str) -> str:
    """Return where backups go unless a place is named: beside the home, not in it."""
    return home.rstrip(os.sep) + "-backups"


def restoring_in(home: str) -> str:
    """Return what a restore is about to put into place; there only while it does."""
    return os.path.join(home, "restoring")


def sync_in(home: str) -> str:
    """Return where the repository lies through which this home meets the person's other ones."""
    return os.path.join(home, "sync")


def lock_in(home: str, name: str) -> str:
    """Return a lock file of the home as a whole."""
    return os.path.join(home, "locks", name + ".lock")


def lock_name(ledger: str) -> str:
    """Return the name of the lock that whoever appends to a private ledger holds."""
    return _LEDGER_LOCKS.get(ledger, ledger)


def solutions_of(tracked: TrackedFiles) -> str:
    """Return where a project's notes lie; a link out of the project leads to nothing."""
    from satchel.storage.safe_open import escapes_root

    path = tracked.solutions
    return (
        os.path.join(path, "leads out of the project") if escapes_root(path, tracked.root) else path
    )
