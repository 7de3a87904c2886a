"""Work: a board of what to do next and why, and the intent behind it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Response
from fastapi.responses import RedirectResponse

from satchel.application.learning.listening import task_comments
from satchel.application.outlet import held_back
from satchel.application.recall.unapproved import are_tasks_held_back
from satchel.core.errors import BadInputError, ConflictError
from satchel.core.values import NamedTuple
from satchel.engine.search.documents import Filter
from satchel.features.intent.values import RELEVANCES, Link
from satchel.features.tasks import lifecycle as stages
from satchel.features.tasks.index import TaskFilter, TaskView
from satchel.features.tasks.project_tasks import ProjectTasks
from satchel.features.tasks.values import BLOCKED, CLOSED, IN_PROGRESS, OPEN, Change
from satchel.interfaces.http.console.pages import Asked, Page, Undo

router = APIRouter(prefix="/console/{project}/work", include_in_schema=False)
_CARDS = 40
_TASKS = 5_000
#: Longest text that an address can carry for undoing an edit, in characters.
_LONGEST_UNDO = 1_500
#: Column -> its name, icon, the task stages in it, and the state set by a move.
COLUMNS = {
    "waiting": ("Waiting", (stages.PREFLIGHT, stages.WAITING), BLOCKED),
    "ready": ("Ready", (stages.PENDING,), OPEN),
    "progress": ("In progress", (stages.WORKING, stages.REVIEW), IN_PROGRESS),
    "done": ("Done", (stages.COMPLETED, stages.ARCHIVED), CLOSED),
}
_COLUMN_OF = {stage: name for name, (_, held, _) in COLUMNS.items() for stage in held}
Ident = Annotated[str, Form(min_length=1, max_length=128)]


class Column(NamedTuple):
    """A column of the board: its key and name, the visible cards, and how many more."""

    key: str
    name: str
    cards: list[TaskView]
    more: int


def column_of(stage: str) -> str:
    """Return the column for a task's stage."""
    return _COLUMN_OF[stage]


def _columns(every: list[TaskView], most: int) -> list[Column]:
    sorted_: dict[str, list[TaskView]] = {name: [] for name in COLUMNS}
    for one in every:
        sorted_[column_of(one.stage)].append(one)
    sorted_["done"].sort(key=lambda one: str(one.data.get("closed_at") or ""), reverse=True)
    return [
        Column(key, COLUMNS[key][0], cards[:most], max(0, len(cards) - most))
        for key, cards in sorted_.items()
    ]


@router.get("/intent")
def intent(asked: Asked, edit: Annotated[int, Query(ge=-1, le=10_000)] = -1) -> Response:
    """Show what the project is for, and which tasks serve which part."""
    return _intent(asked, edit)


@router.post("/intent")
def write_intent(
    asked: Asked,
    section: Annotated[int, Form(ge=0, le=10_000)],
    seen: Annotated[str, Form(max_length=100)],
    body: Annotated[str, Form(max_length=50_000)] = "",
    do: Annotated[str, Form(max_length=10)] = "save",
) -> Response:
    """Preview a section's new text, or save it."""
    if do == "preview":
        return _intent(asked, section, body)
    service = asked.workspace.intent
    old = next((one.body for one in service.read().sections if one.number == section), "")
    now = service.write_section(section, body, seen=seen)
    fields = (("section", str(section)), ("seen", now.hash), ("body", old))
    short = len(old) < _LONGEST_UNDO
    return asked.back("work/intent", "Changed.", Undo("work/intent", fields) if short else None)


def _intent(asked: Page, edit: int, text: str | None = None) -> Response:
    service = asked.workspace.intent
    document = service.read() if service.exists else None
    by_anchor: dict[str, list[Link]] = {}
    for one in service.links.all():
        by_anchor.setdefault(one.anchor, []).append(one)
    held = bool(held_back(asked.workspace, [asked.workspace.project.tracked.intent]))
    told: dict[str, Any] = {"document": document, "by_anchor": by_anchor, "held": held}
    return asked.show("intent", page="work", edit=edit, text=text, **told)


@router.get("")
@router.get("/{ident}")
def board(
    asked: Asked,
    ident: str = "",
    q: Annotated[str, Query(max_length=300)] = "",
    who: Annotated[str, Query(max_length=200)] = "",
    anchor: Annotated[str, Query(max_length=200)] = "",
    view: Annotated[str, Query(max_length=5)] = "",
    most: Annotated[int, Query(ge=1, le=_TASKS)] = _CARDS,
) -> Response:
    """Show the board or list; for one task, its text, dependencies, anchors and memories."""
    work = asked.workspace
    links = work.intent.links.all()
    with work.tasks as tasks:
        every = tasks.view.listed(TaskFilter(words=q, assignee=who), limit=_TASKS)
        chosen = tasks.view.show(ident) if ident else None
        people = sorted({str(one.data.get("assignee") or "") for one in every} - {""})
    if anchor:
        served = {one.task for one in links if one.anchor == anchor}
        every = [one for one in every if one.id in served]
    sections = work.intent.read().sections if work.intent.exists else ()
    anchors = [one for one in sections if one.anchor]
    return asked.show(
        "work",
        columns=_columns(every, most),
        total=len(every),
        q=q,
        who=who,
        anchor=anchor,
        people=people,
        anchors=anchors,
        view=view,
        ident=ident,
        given={"q": q, "who": who, "anchor": anchor, "view": view},
        held=bool(every) and are_tasks_held_back(work),
        **_chosen(asked, chosen, links),
    )


def _chosen(asked: Page, chosen: Any, links: list[Link]) -> dict[str, Any]:
    if chosen is None:
        return {"task": None, "needs": [], "needed": [], "mine": [], "remembered": []}
    task, needs, needed = chosen
    stored = asked.workspace.memories.list(Filter(task=task.id), 20)
    return {
        "task": task,
        "needs": needs,
        "needed": needed,
        "mine": [one for one in links if one.task == task.id],
        "relevances": RELEVANCES,
        "remembered": [one.record for one in stored],
        "column": column_of(task.stage),
    }


@router.post("")
def create(
    asked: Asked,
    title: Annotated[str, Form(min_length=1, max_length=500)],
    priority: Annotated[int, Form(ge=0, le=4)] = 2,
    description: Annotated[str, Form(max_length=20_000)] = "",
) -> RedirectResponse:
    """Create a task."""
    with _tasks(asked) as opened:
        made = opened.create(title, priority=priority, description=description)
    return asked.back(f"work/{made.id}", f"{made.id} was made.", Undo(f"work/{made.id}/delete"))


@router.post("/{ident}/delete")
def delete(asked: Asked, ident: str) -> RedirectResponse:
    """Delete a task that was created by mistake."""
    with _tasks(asked) as opened:
        opened.delete([ident], "made by mistake")
    return asked.back("work", f"{ident} is gone.")


@router.post("/{ident}/move")
def move(
    asked: Asked,
    ident: str,
    to: Annotated[str, Form(max_length=20)],
    summary: Annotated[str, Form(max_length=2_000)] = "",
    back: Annotated[str, Form(max_length=2000)] = "",
) -> RedirectResponse:
    """Move a task to a column; a blocked task stays blocked, and the page says so."""
    state = COLUMNS[to][2] if to in COLUMNS else ""
    if not state:
        raise BadInputError("There is no such column.")
    with _tasks(asked) as opened:
        before = opened.view.show(ident)[0]
        if column_of(before.stage) == to:
            return asked.back(back or f"work/{ident}", f"{before.id} is there already.")
        if state == CLOSED:
            task_comments.close(asked.workspace, opened, [ident], summary)
            now = opened.view.show(ident)[0]
        else:
            now = opened.apply(ident, Change({}, status=state))
    told = f"{now.id} is in {COLUMNS[column_of(now.stage)][0]}."
    if to == "ready" and now.held:
        told = f"{now.id} still waits for {', '.join(now.held[:3])}."
    undo = Undo(f"work/{now.id}/state", (("to", str(before.data.get("status") or OPEN)),))
    return asked.back(back or f"work/{ident}", told, undo)


@router.post("/{ident}/state")
def put_state(
    asked: Asked,
    ident: str,
    to: Annotated[str, Form(max_length=40)],
    who: Annotated[str | None, Form(max_length=200)] = None,
    back: Annotated[str, Form(max_length=2000)] = "",
) -> RedirectResponse:
    """Restore a task's state and assignee."""
    fields = {} if who is None else {"assignee": who}
    with _tasks(asked) as opened:
        now = opened.apply(ident, Change(fields, status=to))
    told = f"{now.id} is back in {COLUMNS[column_of(now.stage)][0]}."
    return asked.back(back or f"work/{ident}", told)


@router.post("/{ident}/claim")
def claim(
    asked: Asked, ident: str, back: Annotated[str, Form(max_length=2000)] = ""
) -> RedirectResponse:
    """Claim a task; only one of several concurrent requests succeeds."""
    with _tasks(asked) as opened:
        before = opened.view.show(ident)[0]
        now = opened.claim(ident)
    state, who = (str(before.data.get(name) or "") for name in ("status", "assignee"))
    fields = (("to", state or OPEN), ("who", who))
    told = f"{now.id} is yours."
    return asked.back(back or f"work/{ident}", told, Undo(f"work/{now.id}/state", fields))


@router.post("/{ident}/edit")
def edit(
    asked: Asked,
    ident: str,
    title: Annotated[str, Form(min_length=1, max_length=500)],
    seen: Annotated[str, Form(max_length=60)],
    description: Annotated[str, Form(max_length=20_000)] = "",
    priority: Annotated[int, Form(ge=0, le=4)] = 2,
) -> RedirectResponse:
    """Edit a task's text, unless somebody else has edited it meanwhile."""
    with _tasks(asked) as opened:
        before = opened.view.show(ident)[0].data
        if str(before.get("updated_at") or "") != seen:
            raise ConflictError("Somebody else has changed this task. Nothing was overwritten.")
        fields = {"title": title, "description": description, "priority": priority}
        now = opened.apply(ident, Change(fields))
    old = tuple((name, str(before.get(name) or "")) for name in fields)
    undo = Undo(f"work/{ident}/edit", (*old, ("seen", str(now.data.get("updated_at") or ""))))
    # A change that does not fit into an address cannot be undone by one.
    short = sum(len(value) for _, value in old) < _LONGEST_UNDO
    return asked.back(f"work/{ident}", "Changed.", undo if short else None)


@router.post("/{ident}/comment")
def comment(
    asked: Asked, ident: str, said: Annotated[str, Form(min_length=1, max_length=20_000)]
) -> RedirectResponse:
    """Add a comment; marked lessons in it are remembered under the task."""
    with _tasks(asked) as opened:
        _, taught = task_comments.comment(asked.workspace, opened, ident, said)
    told = f"Said, and {len(taught)} remembered of it." if taught else "Said."
    return asked.back(f"work/{ident}", told)


@router.post("/{ident}/depend")
def depend(
    asked: Asked, ident: str, on: Ident, gone: Annotated[str, Form(max_length=1)] = ""
) -> RedirectResponse:
    """Add or remove a dependency on another task."""
    with _tasks(asked) as opened:
        if gone:
            opened.undepend(ident, on)
        else:
            on = opened.view.find(on)
            opened.depend(ident, on)
    told = f"{ident} no longer waits for {on}." if gone else f"{ident} waits for {on}."
    undo = Undo(f"work/{ident}/depend", (("on", on), ("gone", "" if gone else "1")))
    return asked.back(f"work/{ident}", told, undo)


@router.post("/link")
def link(
    asked: Asked,
    task: Ident,
    anchor: Annotated[str, Form(min_length=1, max_length=200)],
    relevance: Annotated[str, Form(max_length=20)] = "primary",
    note: Annotated[str, Form(max_length=500)] = "",
    back: Annotated[str, Form(max_length=2000)] = "",
) -> RedirectResponse:
    """Link a task to an anchor; unknown task ids are refused."""
    with _tasks(asked) as opened:
        task = opened.view.find(task)
    wanted = Link(
        task, anchor, relevance, added_at="", added_by=asked.who.author or "user", note=note
    )
    kept, _ = asked.workspace.intent.link(wanted)
    undo = Undo("work/unlink", (("task", kept.task), ("anchor", kept.anchor)))
    return asked.back(back or f"work/{task}", f"{kept.task} is linked to {kept.anchor}.", undo)


@router.post("/unlink")
def unlink(
    asked: Asked,
    task: Ident,
    anchor: Annotated[str, Form(min_length=1, max_length=200)],
    back: Annotated[str, Form(max_length=2000)] = "",
) -> RedirectResponse:
    """Remove a link."""
    links = asked.workspace.intent.links
    before = next((one for one in links.of_task(task) if one.anchor == anchor), None)
    links.remove(task, anchor)
    relevance = before.relevance if before else "primary"
    fields = (("task", task), ("anchor", anchor), ("relevance", relevance))
    told = f"{task} is no longer linked to {anchor}."
    return asked.back(back or f"work/{task}", told, Undo("work/link", fields))


def _tasks(asked: Page) -> ProjectTasks:
    return ProjectTasks(asked.workspace.project, asked.who.author)
