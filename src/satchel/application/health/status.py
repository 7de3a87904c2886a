"""The state of a project in a few figures, and the next step."""

from __future__ import annotations

import os

from satchel.application import approval
from satchel.application.briefs.learned_rules import learned_rules
from satchel.application.health.instruction_files import rules_by_place, unfinished_merges
from satchel.application.health.run_checks import ProjectChecks
from satchel.application.learning.reflection.transcripts import own_transcripts
from satchel.application.outlet import Outlet
from satchel.application.services import Services
from satchel.clients.setup.checking import wired_clients
from satchel.clients.setup.wired import CLIENTS
from satchel.core.errors import SatchelError
from satchel.core.kinds import BY_THE_WAY
from satchel.core.values import NamedTuple
from satchel.features.checks.reading import PASSED, QUERY
from satchel.features.proposals.waiting import count_pending


class LastSession(NamedTuple):
    """The last session with an injection: its id, its time, and its total tokens."""

    id: str
    at: int
    tokens: int


class ProjectStatus(NamedTuple):
    """The state of a project.

    Attributes:
        project: its name.
        root: its work tree.
        memories: live memories by kind.
        rules: items of instruction files and soft rules by their file, below the work tree.
        conflicts: files in which git left conflict markers, with the line.
        suggestions: suggestions from reflection that nobody has decided on.
        unapproved: what is held back until the user approves it.
        unshared: memories that could go to colleagues.
        agents: clients with Satchel's hooks, here or for every repository.
        last: the last session with an injection; None before the first.
        next_step: what to type next; "" for nothing.
        missing: why the team's memories are not counted, or "".
    """

    project: str
    root: str
    memories: dict[str, int]
    rules: dict[str, int]
    conflicts: tuple[str, ...]
    suggestions: int
    unapproved: int
    unshared: int
    agents: tuple[str, ...]
    last: LastSession | None
    next_step: str
    missing: str = ""


def project_status(work: Services) -> ProjectStatus:
    """Return a project's state, after reading what hooks have recorded."""
    work.refresh()
    root = work.project.place.root
    counts, missing = work.memories.counts()
    found = ProjectStatus(
        project=os.path.basename(root),
        root=root,
        memories={kind: n for kind, n in counts.items() if kind not in BY_THE_WAY},
        rules=rules_by_place(work),
        conflicts=tuple(
            f"{os.path.relpath(path, root)}:{line}"
            for path, line in unfinished_merges(work).items()
        ),
        suggestions=count_pending(work.project),
        unapproved=_unapproved(work),
        unshared=work.memories.shareable_count(),
        agents=tuple(CLIENTS[name].label for name in wired_clients(root)),
        last=_last_session(work),
        next_step="",
        missing=missing,
    )
    step = _next_step(found)
    if not step and not (found.memories or found.last):
        step = "satchel reflect" if any(own_transcripts(work)) else 'satchel remember "..."'
    if not step and _fails(work):
        step = "satchel check"
    return found._replace(next_step=step)


def _unapproved(work: Services) -> int:
    """Count what briefs hold back, with files whose accepted rules some client here is told."""
    found, outlet = approval.waiting(work), Outlet(work)
    learned_rules(work, outlet, 0, "")
    return found.total + len(outlet.waiting_files - {one.path for one in found.files})


def _fails(work: Services) -> bool:
    """Return whether one of the project's checks without a question fails."""
    checks = ProjectChecks(work)
    try:
        every = checks.read()
    except SatchelError:
        return True  # `satchel check` names the file and the line
    results = checks.run(one for one in every if one.about != QUERY)
    return any(one.outcome != PASSED for one in results)


def _last_session(work: Services) -> LastSession | None:
    told = work.injections.of_session("", whole=True)
    if not told:
        return None
    last = told[-1]
    tokens = sum(one.tokens for one in told if one.session == last.session)
    return LastSession(last.session, last.ts, tokens)


def _next_step(found: ProjectStatus) -> str:
    if found.conflicts:
        return "satchel doctor"
    if not found.agents:
        return "satchel install"
    if found.unapproved:
        return "satchel approve"
    if found.suggestions:
        return "satchel review"
    if found.last and not found.memories:
        return 'satchel remember "..."'
    return ""
