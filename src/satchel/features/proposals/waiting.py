"""Counts pending suggestions. Cheap, because every session start does it."""

from __future__ import annotations

import time

from satchel.core.times import DAY
from satchel.project.store import ProjectStore
from satchel.storage.files import changed_at

#: The ledger that they lie in.
LEDGER = "proposals"


def count_pending(project: ProjectStore) -> int:
    """Count pending suggestions."""
    if not project.has_log(LEDGER):
        return 0
    from satchel.features.proposals.queue import Queue

    return len(Queue(project.log(LEDGER)).pending())


def count_untold(project: ProjectStore) -> int:
    """Count pending suggestions; 0 if a brief has reported them within a day."""
    told = changed_at(project.state.last_brief)
    unchanged = project.shared_state is None and changed_at(project.state.ledger(LEDGER)) <= told
    if unchanged and time.time() - told < DAY:
        return 0
    return count_pending(project)
