"""The locks under which a file of private state is rewritten."""

from __future__ import annotations

import os

from satchel.storage.paths import PrivateState

#: The directories of archived transcripts, in private state.
ARCHIVES = ("archive", "archive-old")
#: Suffixes of the locks for ledgers of one name.
_LOCKS = ("", "-ledger", "-ops")


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
