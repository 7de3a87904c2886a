"""What pages show of a project, each part cached until its sources change."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from satchel.application import approval
from satchel.application.approval import Waiting
from satchel.application.briefs.contradicting import told_contradictions
from satchel.application.learning.reviewing.review import Review
from satchel.core.values import NamedTuple, cached_property
from satchel.engine.search.documents import Filter
from satchel.features.injections.injection_ledger import Injection
from satchel.features.injections.outcomes import Usefulness, outcomes_of
from satchel.features.memories.contradicting import Contradiction, hold_together
from satchel.features.proposals.values import QueuedProposal
from satchel.features.proposals.waiting import LEDGER
from satchel.features.tasks.lifecycle import ARCHIVED, COMPLETED
from satchel.interfaces.http.console.memory_list import (
    Facet,
    Row,
    facets_of,
    kind_counts,
    others_of,
)
from satchel.interfaces.http.server.change_stamp import file_states, watched_paths
from satchel.interfaces.http.server.overview_cache import is_large
from satchel.interfaces.http.server.project_pool import PooledProject
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace

T = TypeVar("T")
#: Most rules and decisions that a page of a small project compares with each other.
_MOST_COMPARED = 150
#: Most memories written since the overview to search for decisions on its pairs.
_MOST_CHANGED = 10_000


class ProjectReading:
    """What one page reads of a project.

    Args:
        served: the project, which caches results.
        workspace: lent for this page.
    """

    def __init__(self, served: PooledProject, workspace: Workspace) -> None:
        self.served, self.workspace = served, workspace
        self._stamp: object = None

    @property
    def owns(self) -> bool:
        """Return whether the machine's owner is asking, and may see their own data."""
        return self.workspace.person is not None

    def stamp(self) -> object:
        """Return a value that changes whenever the project does."""
        shared = self.served.shared() if self.workspace.project.settings.text("store.url") else 0
        return str(file_states(watched_paths(self.workspace))), shared, int(time.time() // 3600)

    def kept(self, name: str, make: Callable[[], T], of: object = None) -> T:
        """Return a result cached for users with the same rights, until the project changes.

        Args:
            name: its name.
            make: computes it.
            of: a stamp of what it depends on; by default of all of the project. It spares reading
                suggestions or sessions again after every new memory.
        """
        stamp = of
        if stamp is None:
            stamp = self._stamp = self._stamp or self.stamp()
        return self.served.kept(f"{name} {self.owns}", stamp, lambda _: make())

    def injections(self) -> Sequence[Injection]:
        """Return every injection, oldest first."""
        shown = self.workspace.injections
        return self.served.kept("injections", shown.ledger.stamp(), shown.follow).every

    def outcomes(self) -> dict[str, dict[str, str]]:
        """Return the outcome of each injected memory, by session and identity."""
        ledger = outcomes_of(self.workspace.project)
        return self.kept("outcomes", ledger.by_session, ledger.ledger.stamp())

    def usefulness(self) -> dict[str, Usefulness]:
        """Return the usefulness of memories, by identity."""
        ledger = outcomes_of(self.workspace.project)
        return self.kept("usefulness", ledger.usefulness, ledger.ledger.stamp())

    def sessions(self) -> list[Line]:
        """Return every session, latest first."""
        work, shown = self.workspace, self.workspace.injections.ledger
        with work.sessions as opened:
            places = [work.project.state.sessions.own, *opened.archive.directories()]
        state = work.project.shared_state
        of = file_states(places), shown.stamp(), None if state is None else state.stamp()
        return self.kept("sessions", lambda: listed(work, self.injections()), str(of))

    @cached_property
    def others(self) -> list[Row]:
        """Return notes, soft rules and guards, newest first."""
        return others_of(self.workspace)

    def kinds(self) -> dict[str, int]:
        """Count memories by kind."""
        return self.kept("kinds", lambda: kind_counts(self.workspace, self.others))

    def waiting(self) -> tuple[list[QueuedProposal], Waiting]:
        """Return what waits for a decision: suggestions and unapproved items."""
        work, stamp = self.workspace, self.workspace.project.log(LEDGER).stamp()
        suggestions = self.kept("suggestions", lambda: suggestions_of(work), stamp)
        return suggestions, self.kept("unapproved", lambda: unapproved_of(work))

    def contradictions(self) -> list[Contradiction]:
        """Return rules and decisions that contradict each other, for a person to decide."""
        work = self.workspace
        if not is_large(work):
            return self.kept("contradictions", lambda: told_contradictions(work, _MOST_COMPARED))
        overview = self.served.overview(work)
        if overview is None or not overview.contradictions:
            return []
        # One query for all of them: there may be as many pairs as memories.
        since = Filter(since=overview.newest)
        changed = work.memories.list(since, _MOST_CHANGED, all_versions=True)
        now = {one.record.id: one.record for one in changed}
        return [one for one in overview.contradictions if _waits(one, now)]

    def sidebar_counts(self) -> SidebarCounts:
        """Return how much there is, and how much is waiting."""
        suggestions, unapproved = self.waiting()
        return SidebarCounts(
            memories=sum(self.kinds().values()),
            sessions=len(self.sessions()),
            tasks=open_tasks(self.workspace),
            suggestions=len(suggestions),
            unapproved=unapproved.total,
            contradictions=len(self.contradictions()),
        )

    def facets(self) -> list[Facet]:
        """Return the filters of the memory list."""
        return self.kept("facets", lambda: facets_of(self.workspace, self.kinds()))


def _waits(one: Contradiction, changed: dict[str, Record]) -> bool:
    """Return whether nobody has decided on a pair since it was found."""
    pair = [changed.get(record.id, record) for record in (one.earlier, one.later)]
    return all(record.deleted_at is None for record in pair) and not hold_together(*pair)


class Line(NamedTuple):
    """A session in the list."""

    id: str
    title: str
    at: float
    began: float = 0.0
    agent: str = ""
    client: str = ""
    branch: str = ""
    task: str = ""
    messages: int = 0
    shown: int = 0
    tokens: int = 0


def listed(work: Workspace, injections: Sequence[Injection]) -> list[Line]:
    """Return every session, latest first; transcripts only for their owner."""
    found: dict[str, Line] = {}
    with work.sessions as opened:
        for own in [*opened.store.every(), *(opened.archive.imported() if work.person else ())]:
            if own.id in found:
                continue  # the archive names Satchel's own sessions too, without agent and task
            at, imported = own.last_activity_at or own.created_at, own.status == "imported"
            found[own.id] = Line(
                own.id,
                own.title or own.summary or "Without a title",
                at,
                own.created_at or at,
                agent="" if imported else own.agent_name or own.agent_id,
                client=own.agent_name if imported else "satchel",
                branch=str(dict(own.extra).get("branch", "")),
                task=own.task,
                messages=own.metrics.messages,
            )
    for one in injections:
        known = found.get(one.session) or Line(
            one.session, "A session without a transcript", one.ts, one.ts
        )
        found[one.session] = known._replace(
            at=max(known.at, one.ts),
            agent=known.agent or one.agent,
            shown=known.shown + len(one.items),
            tokens=known.tokens + one.tokens,
        )
    return sorted(found.values(), key=lambda one: -one.at)


class SidebarCounts(NamedTuple):
    """Counts: memories with notes and rules, sessions, open tasks, and what the Inbox holds."""

    memories: int
    sessions: int
    tasks: int
    suggestions: int
    unapproved: int
    contradictions: int

    @property
    def waiting(self) -> int:
        """Return the number of items in the Inbox."""
        return self.suggestions + self.unapproved + self.contradictions


def suggestions_of(work: Workspace) -> list[QueuedProposal]:
    """Return pending suggestions."""
    with Review(work) as review:
        return review.pending()


def unapproved_of(work: Workspace) -> approval.Waiting:
    """Return unapproved items, which only the owner may approve and see."""
    nothing = approval.Waiting((), (), (), (), {})
    return approval.waiting(work) if work.person is not None else nothing


def open_tasks(work: Workspace) -> int:
    """Count the tasks that are not done."""
    with work.tasks as tasks:
        stages = tasks.view.stages()
    return sum(n for stage, n in stages.items() if stage not in (COMPLETED, ARCHIVED))
