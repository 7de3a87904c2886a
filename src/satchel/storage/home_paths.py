"""Paths of a whole home, in addition to those in `paths`, and names of ledgers' locks."""

from __future__ import annotations

import os

from satchel.storage.tracked_files import TrackedFiles

#: Ledgers whose locks have other names.
_LEDGER_LOCKS = {"graph": "graph-ops", "guards": "guards-ledger", "instincts": "instincts-ledger"}


def backups_of(home: str) -> str:
    """Return the default backup directory: beside the home, not in it."""
    return home.rstrip(os.sep) + "-backups"


def restoring_in(home: str) -> str:
    """Return the staging directory of a restore, which exists only during one."""
    return os.path.join(home, "restoring")


def sync_in(home: str) -> str:
    """Return the repository through which this home syncs with the user's others."""
    return os.path.join(home, "sync")


def lock_in(home: str, name: str) -> str:
    """Return a lock file of the whole home."""
    return os.path.join(home, "locks", name + ".lock")


def lock_name(ledger: str) -> str:
    """Return the name of the lock for appending to a private ledger."""
    return _LEDGER_LOCKS.get(ledger, ledger)


def solutions_of(tracked: TrackedFiles) -> str:
    """Return a project's notes directory; links out of the project are not followed."""
    from satchel.storage.safe_open import escapes_root

    path = tracked.solutions
    return (
        os.path.join(path, "leads out of the project") if escapes_root(path, tracked.root) else path
    )
