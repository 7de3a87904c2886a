"""A cached overview of each project: what is wrong, and which memories were useful.

A large project is examined in the background.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple

from satchel.application.briefs.contradicting import told_contradictions
from satchel.application.findings import Finding, without_places
from satchel.application.health.doctor import examine
from satchel.application.learning.usefulness.service import MemoryUsefulness, usefulness_report
from satchel.core.errors import SatchelError
from satchel.engine.search.documents import Filter
from satchel.features.memories.contradicting import Contradiction
from satchel.workspace import Workspace

#: Processor seconds that a page may spend on examining.
_PAGE = 0.1
#: Ledger bytes that a page may read before it is known how long that takes.
_LARGE = 1_000_000
#: The pause between two examinations, as a multiple of the time that one takes.
_REST = 10.0
#: Most rules and decisions to compare with each other.
_MOST_COMPARED = 500
#: Most pairs to list for a person to decide, the newest first.
_MOST_LISTED = 100
#: Seconds before an examination begins: the request is answered first.
_AFTER = 0.3
#: Seconds that shutdown waits for an examination: it writes indexes, which may be deleted
#: afterwards.
_GRACE = 5.0


class ProjectOverview(NamedTuple):
    """Outcomes of judged memories, problems, contradictions, and when this was computed.

    `newest` is the time of the newest memory examined, by the ledger's own clock.
    """

    useful: list[MemoryUsefulness]
    findings: list[Finding]
    contradictions: list[Contradiction]
    at: float
    newest: int


def compute_overview(work: Workspace) -> ProjectOverview:
    """Examine the project, except every ledger line, which `satchel doctor` reads."""
    at = work.project.clock.now()
    findings = [one for one in examine(work, every_line=False) if one.severity != "note"]
    here = ((work.project.place.root + os.sep, ""), (work.project.state.path, "(private)"))
    useful = usefulness_report(work)
    newest = work.memories.list(Filter(), 1, all_versions=True)
    against = told_contradictions(work, _MOST_COMPARED)[:_MOST_LISTED]
    if is_large(work):
        with work.graph as opened:
            for user in opened.drawable():
                opened.graph(user=user)  # pages of a large project show its last drawing
    told = without_places(findings, here)
    return ProjectOverview(useful, told, against, at, newest[0].record.ts if newest else 0)


class OverviewCache:
    """Computes a project's overview: at once if that is fast, otherwise in the background."""

    def __init__(self, opened: Callable[[], AbstractContextManager[Workspace]]) -> None:
        self._opened = opened
        self._lock = threading.Condition()
        self._closed = False
        self._last: ProjectOverview | None = None
        self._failed: SatchelError | OSError | None = None
        self._cost = self._ended = 0.0
        self._running = False

    def latest(self, work: Workspace) -> ProjectOverview | None:
        """Return the overview; for a large project, the last one computed.

        None if it takes long and was never computed: then computing has begun.
        """
        with self._lock:
            last, failed, self._failed = self._last, self._failed, None
            quick = self._cost <= _PAGE if last is not None else not is_large(work)
            due = last is None or time.monotonic() - self._ended > _REST * self._cost
            begin = due and not (quick or failed or self._running or self._closed)
            self._running = self._running or begin
        if failed is not None:
            raise failed
        if quick:
            return self._noted(work)
        if begin:
            later = threading.Timer(_AFTER, self._beside)
            later.daemon = True
            later.start()
        return last

    def look(self) -> None:
        """Compute the overview ahead of time, unless that is already running."""
        with self._lock:
            if self._running or self._closed or self._last is not None:
                return
            self._running = True
        self._beside()

    def close(self) -> None:
        """Start no more examinations, and wait for the running one."""
        with self._lock:
            self._closed = True
            self._lock.wait_for(lambda: not self._running, _GRACE)

    def _noted(self, work: Workspace) -> ProjectOverview:
        began = time.thread_time()
        found = compute_overview(work)
        with self._lock:
            self._last, self._cost = found, time.thread_time() - began
            self._ended = time.monotonic()
        return found

    def _beside(self) -> None:
        try:
            if not self._closed:
                with self._opened() as work:
                    self._noted(work)
        except (SatchelError, OSError) as error:
            with self._lock:
                self._last, self._failed = None, error  # whoever asks next is told
        finally:
            with self._lock:
                self._running = False
                self._lock.notify_all()


def is_large(work: Workspace) -> bool:
    """Return whether a project is too large to examine while a page waits."""
    paths = work.memories.ledger_paths()
    return sum(os.path.getsize(path) for path in paths if os.path.exists(path)) > _LARGE
