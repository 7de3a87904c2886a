"""The files of private state: how each is rewritten, and under which locks."""

from __future__ import annotations

import os

from satchel.application.forgetting.values import (
    DERIVED,
    EPISODE,
    KEPT,
    LAST_BRIEF,
    LEDGER_FILE,
    LINES,
    REMOVE,
    TEXT,
    Place,
)
from satchel.storage.paths import PrivateState

#: The directories of archived transcripts, in private state.
ARCHIVES = ("archive", "archive-old")
#: Suffixes of the locks for ledgers of one name.
_LOCKS = ("", "-ledger", "-ops")
_DATABASE = (".db", ".db-wal", ".db-shm", ".db-journal")


def place_in_state(state: PrivateState, path: str) -> Place:
    """Return how to treat a file of private state."""
    below = os.path.relpath(path, state.path).split(os.sep)
    name, first = below[-1], below[0]
    if first == "locks" or name.endswith(".lock") or name == "lock":
        return Place(path, "", "")
    if ".damaged" in name:
        return Place(path, REMOVE, "a damaged index that was set aside")
    if name.endswith(_DATABASE):
        return Place(path, DERIVED, "an index")
    if first == "research":
        return Place(path, REMOVE, "a cached answer of research")
    if path.startswith(state.last_brief):
        return Place(path, REMOVE, LAST_BRIEF)
    if first == "ledgers" and name.split(".")[0] in ("audit", "access"):
        return Place(path, KEPT, "the log of a server, whose entries are chained")
    if first == "journals":
        return Place(path, KEPT, "what `undo` puts back")
    whats = {
        "ledgers": LEDGER_FILE,
        "inbox": "the inbox",
        "archive": "the archive of transcripts",
        "archive-old": "the archive of transcripts",
        "sessions": "a session",
        "quarantine": "damaged lines",
        "episodes": EPISODE,
    }
    what = whats.get(first, "private state")
    return Place(path, LINES if name.endswith(".jsonl") else TEXT, what)


def locks_in_state(state: PrivateState, path: str) -> list[str]:
    """Return the locks of a file's writers, in a fixed order, to avoid deadlocks."""
    first = os.path.relpath(path, state.path).split(os.sep)[0]
    if first == "ledgers":
        name = os.path.basename(path).removesuffix(".jsonl").removesuffix(".archive")
        return [state.lock(name + end) for end in _LOCKS]
    if first == "inbox":
        return [os.path.join(state.inbox, name) for name in ("drain.lock", "lock")]
    if first in (*ARCHIVES, "sessions"):
        return [state.sessions.lock("archive"), state.sessions.lock("own")]
    return []
