"""Notes, collections and graphs as a whole, for `doctor`, `stats` and `rebuild`."""

from __future__ import annotations

import os

from satchel.application.findings import ERROR, WARNING, Finding
from satchel.application.health.derived import GraphState, Notes
from satchel.application.services import Services, private_states
from satchel.core.errors import SatchelError
from satchel.storage.paths import (
    ROUTED_MESSAGES,
    ROUTING_OUTCOMES,
    TABLES_INDEX,
    TASK_INDEXES,
    UserHome,
)

MEMORIES, NOTES, GRAPH, SESSIONS, CODE = "memories", "notes", "graph", "sessions", "code"
TABLES = "tables"
THREAD, BRANCHES = "thread", "branches"
TASKS = "tasks"
#: Seconds to wait for another process when rebuilding.
_WAIT = 30.0


def notes_of(work: Services) -> list[Notes]:
    """Return every index of notes, refreshed unless another process is doing that."""
    found = []
    states = [state.notes for _, state in private_states(work)]
    with work.notes as notebook:
        for shelf, state in zip(notebook.indexes.indexes(), states, strict=True):
            busy = shelf.refresh_if_free(patience=notebook.indexes.patience).busy
            index = shelf.index
            waiting, held = index.vector_counts()
            told = ", ".join(f"{count} of {model}" for model, count in held.items()) or "none yet"
            found.append(
                Notes(
                    state.index,
                    index.database.size(),
                    told + (f"; {waiting} texts wait" if waiting else ""),
                    tuple(shelf.retry_after_rebuild(shelf.status)),
                    tuple(index.problems()),
                    busy=busy,
                )
            )
        if found and notebook.indexes.complaint:
            found[0] = found[0]._replace(complaint=notebook.indexes.complaint)
    return found


def graphs_of(work: Services) -> list[GraphState]:
    """Return the graphs that exist, refreshed."""
    found = []
    with work.graph as own:
        for user, state in private_states(work):
            if not os.path.exists(state.graph):
                continue
            told = own.statistics(user=user)
            counts = {n: int(c) for n, c in told.items() if isinstance(c, int)}
            database = own.graph(user=user).store.database
            found.append(
                GraphState(
                    "user" if user else "project",
                    state.graph,
                    told["bytes"],
                    counts=counts,
                    sidecars=told["problems"],
                    operations=told["damaged_operations"],
                    problems=tuple(database.problems()),
                )
            )
    return found


def findings_of(work: Services, *, graphs: bool = True) -> list[Finding]:
    """Return every problem outside the memories: notes, collections, graphs and more."""
    from satchel.application.health.derived import aside_findings, graph_findings, note_findings
    from satchel.application.health.private_state import identity_findings, run_check
    from satchel.application.upkeep.session_upkeep import session_findings

    found = run_check(
        "notes",
        lambda: [one for notes in notes_of(work) for one in note_findings(notes)],
        "`satchel rebuild --only notes` reads every note again.",
    )
    if graphs:
        found += run_check(
            "graph",
            lambda: [one for graph in graphs_of(work) for one in graph_findings(graph)],
            "`satchel rebuild --only graph` rebuilds it.",
        )
    step = "`satchel rebuild --only sessions` reads every session again."
    found += run_check("sessions", lambda: session_findings(work), step)
    found += _routing_findings(work)
    found += _team_findings(work)
    step = "`satchel tables check` shows all; schemas are in .satchel/tables."
    found += [Finding(WARNING, "tables", what, step) for what in _table_findings(work)]
    found += run_check("tasks", lambda: _task_findings(work))
    home = UserHome(work.project.home_path)
    found += run_check("registry", lambda: identity_findings(home, work.project.key))
    return found + aside_findings([state for _, state in private_states(work)])


def _table_findings(work: Services) -> list[str]:
    with work.tables as tables:
        try:
            return tables.findings()
        except SatchelError as error:
            return [str(error)]


def _routing_findings(work: Services) -> list[Finding]:
    """Report an unreadable profiles file, which every routing decision needs."""
    try:
        work.routing.profiles()
    except (SatchelError, OSError) as error:
        return [Finding(ERROR, "routing", str(error), getattr(error, "hint", ""))]
    return []


def _team_findings(work: Services) -> list[Finding]:
    """Report why the team's server cannot be contacted; `team status` shows its state."""
    try:
        _ = work.memories.stores.team
    except SatchelError as error:
        return [Finding(ERROR, "team", str(error), error.hint)]
    return []


def _task_findings(work: Services) -> list[Finding]:
    """Report problems with tasks: damaged lines, merge leftovers, cycles."""
    problems = work.tasks.view.problems()
    return [Finding(WARNING, one.path, one.what, one.next_step) for one in problems]


def rebuild(work: Services, only: str = "") -> dict[str, int]:
    """Rebuild derived data; return the counts of lines, files and entities."""
    done: dict[str, int] = {}
    work.close()
    if only in ("", MEMORIES):
        _forget_routing(work)
        stores = work.memories.stores
        done[MEMORIES] = stores.rebuild(stores.own, _WAIT)
        if stores.person is not None and os.path.isdir(stores.person.ledgers.state.ledgers):
            done[MEMORIES] += stores.rebuild(stores.person, _WAIT)
    if only in ("", NOTES):
        with work.notes as notebook:
            done[NOTES] = notebook.reindex(force=True).read
    if only in ("", GRAPH):
        with work.graph as own:
            done[GRAPH] = own.rebuild()["entities"]
            if work.person is not None and os.path.exists(work.person.state.graph):
                done[GRAPH] += own.rebuild(user=True)["entities"]
    if only in ("", SESSIONS) and os.path.exists(work.sessions.archive.place.index):
        from satchel.application.upkeep.session_upkeep import rebuild_sessions

        done[SESSIONS] = rebuild_sessions(work)
    if only in ("", THREAD) and work.thread.exists:
        with work.thread as thread:
            done[THREAD] = thread.rebuild()["sessions"]
    if only == BRANCHES or (not only and os.path.isdir(work.branches.tables.directory)):
        done[BRANCHES] = work.branches.rebuild()
    if only in ("", TABLES) and os.path.exists(work.project.state.derived(TABLES_INDEX)):
        with work.tables as tables:
            done[TABLES] = tables.rebuild()
    if only == TASKS or (not only and os.path.isdir(work.project.state.derived(TASK_INDEXES))):
        with work.tasks as tasks:
            done[TASKS] = tasks.view.rebuild()
    if only == CODE or (not only and os.path.isdir(work.project.state.code_maps)):
        with work.code as code:
            code.rebuild()
            done[CODE] = int(code.status()["files"])
    return done


def _forget_routing(work: Services) -> None:
    """Drop the router's cache, so that the next decision reads the ledger."""
    for path in map(work.project.state.derived, (ROUTING_OUTCOMES, ROUTED_MESSAGES)):
        if os.path.lexists(path):
            os.unlink(path)
