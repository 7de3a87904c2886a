"""Notes, collections and graphs looked at as a whole: for `doctor`, `stats` and `rebuild`."""

from __future__ import annotations

import os

from satchel.application.health.derived import GraphState, Notes
from satchel.application.health.findings import ERROR, WARNING, Finding
from satchel.core.errors import NotReadableError, SatchelError
from satchel.features.graph.knowledge_graph import KnowledgeGraph
from satchel.features.notes.service import Notebook
from satchel.features.tables.project_tables import table_findings
from satchel.project.indexes import open_index, set_aside
from satchel.storage.paths import ROUTED_MESSAGES, ROUTING_OUTCOMES, TABLES_INDEX, TASK_INDEXES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.engine.search.catching_up import CaughtUp
    from satchel.features.memories.service import Memories
    from satchel.project.store import OpenProject

MEMORIES, NOTES, GRAPH, SESSIONS, CODE = "memories", "notes", "graph", "sessions", "code"
TABLES = "tables"
TASKS = "tasks"
#: Seconds that rebuilding waits for another process.
_WAIT = 30.0


def _notebook(project: OpenProject) -> Notebook:
    return Notebook(project.home, project.settings, project.clock, project)


def notes_of(project: OpenProject) -> list[Notes]:
    """Look at every index of notes, brought up to date if nobody else is at it."""
    found = []
    states = (project.state.notes, project.home.user_state.notes)
    with _notebook(project) as notebook:
        # A team's server shows the project's shelf alone.
        for shelf, state in zip(notebook.shelves(), states, strict=False):
            busy = shelf.refreshed(patience=notebook.patience).busy
            index = shelf.index
            waiting, held = index.vector_counts()
            told = ", ".join(f"{count} of {model}" for model, count in held.items()) or "none yet"
            found.append(
                Notes(
                    state.index, index.database.size(),
                    told + (f"; {waiting} texts wait" if waiting else ""),
                    tuple(shelf.mended(shelf.status)), tuple(index.problems()), busy=busy,
                )
            )  # fmt: skip
        if found and notebook.complaint:
            found[0] = found[0]._replace(complaint=notebook.complaint)
    return found


def graphs_of(project: OpenProject) -> list[GraphState]:
    """Look at the graphs that have been drawn, brought up to date."""
    found = []
    with KnowledgeGraph(project) as own:
        for user, state in ((False, project.state), (True, project.home.user_state)):
            if user and not project.shows_person:
                continue
            if not os.path.exists(state.graph):
                continue
            told = own.statistics(user=user)
            counts = {n: int(c) for n, c in told.items() if isinstance(c, int)}
            database = own.graph(user=user).store.database
            found.append(
                GraphState(
                    "user" if user else "project", state.graph, told["bytes"], counts,
                    told["problems"], told["damaged_operations"], tuple(database.problems()),
                )
            )  # fmt: skip
    return found


def findings_of(project: OpenProject) -> list[Finding]:
    """Everything that is wrong with notes, collections, graphs and what else is not a memory."""
    from satchel.application.health.derived import aside_findings, graph_findings, note_findings

    found: list[Finding] = []
    try:
        for notes in notes_of(project):
            found += note_findings(notes)
    except (SatchelError, OSError) as error:
        step = "`satchel rebuild --only notes` reads every note anew."
        found.append(Finding(ERROR, "notes", f"could not be examined: {error}", step))
    try:
        for graph in graphs_of(project):
            found += graph_findings(graph)
    except (SatchelError, OSError) as error:
        step = "`satchel rebuild --only graph` draws it anew."
        found.append(Finding(ERROR, "graph", f"could not be examined: {error}", step))
    found += session_findings(project)
    found += _routing_findings(project)
    found += _team_findings(project)
    step = "`satchel table check` shows all; schemas lie in .satchel/tables."
    found += [Finding(WARNING, "tables", what, step) for what in table_findings(project)]
    found += task_findings(project)
    whose = [project.state, *([project.home.user_state] if project.shows_person else [])]
    return found + aside_findings(whose)


def _routing_findings(project: OpenProject) -> list[Finding]:
    """Say which file of profiles cannot be read: every decision asks it."""
    from satchel.features.routing.service import AgentRouting

    try:
        AgentRouting(project).profiles()
    except (SatchelError, OSError) as error:
        return [Finding(ERROR, "routing", str(error), getattr(error, "hint", ""))]
    return []


def _team_findings(project: OpenProject) -> list[Finding]:
    """Say why a chosen team's server cannot even be asked; how it stands `team status` says."""
    try:
        _ = project.team
    except SatchelError as error:
        return [Finding(ERROR, "team", str(error), error.hint)]
    return []


def session_findings(project: OpenProject) -> list[Finding]:
    """Say how much the sessions and the archive take, and which of them are damaged."""
    from satchel.application.upkeep.session_upkeep import session_findings as findings

    try:
        return findings(project)
    except (SatchelError, OSError) as error:
        step = "`satchel rebuild --only sessions` reads every session anew."
        return [Finding(ERROR, "sessions", f"could not be examined: {error}", step)]


def task_findings(project: OpenProject) -> list[Finding]:
    """Say what is wrong with the tasks: damaged lines, what a merge left, circles."""
    from satchel.features.tasks.task_reading import TaskReading

    try:
        problems = TaskReading(project).problems()
    except (SatchelError, OSError) as error:
        return [Finding(ERROR, "tasks", f"could not be examined: {error}")]
    return [Finding(WARNING, one.path, one.what, one.next_step) for one in problems]


def rebuild(project: OpenProject, only: str = "") -> dict[str, int]:
    """Build what is derived anew; return how much there is of each: lines, files, entities."""
    done: dict[str, int] = {}
    project.close()
    if only in ("", MEMORIES):
        _forget_routing(project)
        done[MEMORIES] = _memories(project, project.memories)
        if os.path.isdir(project.home.user_state.ledgers):
            done[MEMORIES] += _memories(project, project.user_memories)
    if only in ("", NOTES):
        with _notebook(project) as notebook:
            done[NOTES] = notebook.reindex(force=True).read
    if only in ("", GRAPH):
        with KnowledgeGraph(project) as own:
            done[GRAPH] = own.rebuild()["entities"]
            if os.path.exists(project.home.user_state.graph):
                done[GRAPH] += own.rebuild(user=True)["entities"]
    if only in ("", SESSIONS) and os.path.exists(project.state.sessions.index):
        from satchel.application.upkeep.session_upkeep import rebuild_sessions

        done[SESSIONS] = rebuild_sessions(project)
    if only in ("", TABLES) and os.path.exists(project.state.derived(TABLES_INDEX)):
        from satchel.features.tables.project_tables import rebuild_tables

        done[TABLES] = rebuild_tables(project)
    if only == TASKS or (not only and os.path.isdir(project.state.derived(TASK_INDEXES))):
        from satchel.features.tasks.task_reading import TaskReading

        with TaskReading(project) as tasks:
            done[TASKS] = tasks.rebuild()
    if only == CODE or (not only and os.path.isdir(project.state.code_maps)):
        from satchel.features.code.service import Code

        code = Code(project)
        try:
            code.rebuild()
            done[CODE] = int(code.status()["files"])
        finally:
            code.close()
    return done


def _forget_routing(project: OpenProject) -> None:
    """Drop what saves the router reading its ledger: the next decision reads it."""
    for path in map(project.state.derived, (ROUTING_OUTCOMES, ROUTED_MESSAGES)):
        if os.path.lexists(path):
            os.unlink(path)


def _memories(project: OpenProject, memories: Memories) -> int:
    """Read every ledger anew in one transaction: who has the index open sees it whole."""
    state = memories.ledgers.state
    memories.index.database.close()
    memories.index = open_index(state, _WAIT)
    try:
        done: CaughtUp = memories.index.read_anew(memories.sources)
    except NotReadableError:
        set_aside(state, memories.index, certain=True)
        memories.index = open_index(state, _WAIT)
        return project.catch_up(memories)
    project.quarantine(memories, done)
    return done.added
