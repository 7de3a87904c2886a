"""Memory: find, judge and change memories."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response

from satchel.application.outlet import held_back
from satchel.application.recall.results import RecallHit
from satchel.engine.search.records import StoredMemory
from satchel.features.injections.outcomes import Usefulness
from satchel.features.memories.approvals import approved_in
from satchel.interfaces.http.console import memory_list as listing
from satchel.interfaces.http.console.diffs import words_of
from satchel.interfaces.http.console.pages import PAGE_SIZE, Asked, Page
from satchel.interfaces.http.console.presentation import kind_names
from satchel.storage.files import read_file
from satchel.storage.safe_open import escapes_root

router = APIRouter(prefix="/console/{project}/memory", include_in_schema=False)
TABS = {
    "text": "Text",
    "shown": "Shown in",
    "from": "Provenance",
    "history": "History",
    "connected": "Connected",
}
_TEXT = Annotated[str, Query(max_length=300)]


def _wanted(
    q: Annotated[str, Query(max_length=1000)] = "",
    kind: Annotated[str, Query(max_length=40)] = "",
    trust: Annotated[str, Query(max_length=40)] = "",
    author: _TEXT = "",
    age: Annotated[str, Query(max_length=3)] = "",
    task: _TEXT = "",
    branch: _TEXT = "",
) -> listing.Wanted:
    kind = kind if kind in kind_names() else ""
    return listing.Wanted(q, kind, trust, author=author, age=age, task=task, branch=branch)


@router.get("")
@router.get("/{key}")
def memory(
    asked: Asked,
    wanted: Annotated[listing.Wanted, Depends(_wanted)],
    key: str = "",
    tab: Annotated[str, Query(max_length=10)] = "text",
    start: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Response:
    """Show the list, its filters, and one memory in full."""
    work = asked.workspace
    useful = asked.usefulness()
    rows, total = listing.page_of(
        work, wanted, start, limit=PAGE_SIZE, useful=useful, others=asked.others
    )
    shown = key or (rows[0].key if rows else "")
    tab = tab if tab in TABS else "text"
    return asked.show(
        "memory",
        rows=rows,
        total=total,
        facets=asked.facets(),
        wanted=wanted,
        start=start,
        size=PAGE_SIZE,
        opened=bool(key),
        key=shown,
        tab=tab,
        tabs=TABS,
        given=wanted.given(),
        **_detail(asked, shown, tab, useful),
    )


def _detail(asked: Page, key: str, tab: str, useful: dict[str, Usefulness]) -> dict[str, Any]:
    work = asked.workspace
    nothing: dict[str, Any] = {"what": "", "one": None}
    if not key:
        return nothing
    if key.startswith("n-"):
        note = listing.find_note(work, key)
        root = work.project.place.root
        inside = not escapes_root(note.path, root)
        named = note.path.removeprefix(root).lstrip("/") if inside else ""
        body = read_file(note.path).decode("utf-8", "replace")
        held = bool(held_back(work, [note.path]))
        return nothing | {"what": "note", "one": note, "named": named, "body": body, "held": held}
    if key.startswith("r-"):
        rule = listing.find_rule(work, key)
        worth = work.instincts.current_confidence(rule)
        events = work.instincts.history(rule.id)[:20]
        held = bool(held_back(work, [work.instincts.file.path]))
        told = {"what": "rule", "one": rule, "worth": worth, "events": events, "held": held}
        return nothing | told
    if key.startswith("g-"):
        return nothing | {"what": "guard", "one": listing.find_guard(work, key)}
    return nothing | _memory(asked, key, tab, useful)


def _memory(asked: Page, key: str, tab: str, useful: dict[str, Usefulness]) -> dict[str, Any]:
    work = asked.workspace
    versions = work.memories.versions(key)
    record = versions[0].record
    became = ((session, told.get(record.identity)) for session, told in asked.outcomes().items())
    approved = approved_in(work.project)
    return {
        "what": "memory",
        "one": record,
        "versions": versions,
        "source": versions[0].source,
        "held": approved is not None and approved.holds(record),
        "done": useful.get(record.identity),
        "shown_in": [
            (one, item)
            for one in reversed(asked.injections())
            for item in one.items
            if item.identity == record.identity
        ],
        "titles": {one.id: one.title for one in asked.sessions()} if tab == "shown" else {},
        "became": {session: told for session, told in became if told},
        "steps": _steps(versions) if tab == "history" else [],
        "alike": _alike(asked, versions[0]) if tab == "connected" else [],
    }


def _steps(versions: Any) -> list[tuple[StoredMemory, Any]]:
    """Return each version with its changes from the previous one."""
    steps = []
    for n, one in enumerate(versions):
        older = versions[n + 1].record.content if n + 1 < len(versions) else None
        parts = None if older is None else words_of(older, one.record.content)
        steps.append((one, parts))
    return steps


def _alike(asked: Page, one: StoredMemory) -> list[RecallHit]:
    said = one.record.title or one.record.content[:300]
    found = asked.workspace.recall(said, limit=8, weak=True).items
    return [hit for hit in found if hit.record.id != one.record.id]
