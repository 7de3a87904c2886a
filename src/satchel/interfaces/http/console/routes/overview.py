"""Pages to look at: overview, search, memories, sessions, settings."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from satchel.application.exchange.sharing import shared_deletion
from satchel.application.learning.review import Review
from satchel.application.learning.usefulness import usefulness_of
from satchel.core.errors import SatchelError
from satchel.core.kinds import KINDS, KNOWLEDGE, kinds_for
from satchel.engine.search.documents import Filter
from satchel.features.access.values import ADMIN
from satchel.features.injections.injection_ledger import InjectedItem, Injection
from satchel.features.memories.origins import origin_of
from satchel.interfaces.http.console.pages import PAGE_SIZE, Asked, plain
from satchel.storage.settings.table import SETTINGS
from satchel.workspace import Workspace

router = APIRouter(prefix="/console/{project}", include_in_schema=False)
_WEEK = 7 * 86_400
_TIERS = ("", "hot", "warm", "structured", "archive", "code")


@router.get("/overview")
def overview(asked: Asked) -> Response:
    """What was learnt this week, what was injected and what it cost, what is wrong."""
    work = asked.workspace
    work.refresh()
    now = work.project.clock.now()
    recent = work.memories.own.live(kinds=kinds_for(KNOWLEDGE), limit=12)
    with Review(work) as review:
        waiting = len(review.pending())
    standing = asked.served.overview(work)
    return asked.show(
        "overview", recent=recent, week=[one for one in recent if now - one.when < _WEEK],
        figures=standing.figures, waiting=waiting, held=standing.held,
        findings=standing.findings, useful=standing.useful[:5], now=now, at=standing.at,
    )  # fmt: skip


@router.get("/search")
def search(
    asked: Asked,
    q: Annotated[str, Query(max_length=1000)] = "",
    tier: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """Search every tier, with what made up each score."""
    tier = tier if tier in _TIERS else ""
    routed = asked.workspace.ask(q, limit=20, tier=tier) if q.strip() else None
    return asked.show("search", q=q, tier=tier, tiers=_TIERS, routed=routed)


@router.get("/memories")
def memories(
    asked: Asked,
    kind: Annotated[str, Query(max_length=40)] = "",
    start: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Response:
    """Every memory, newest first."""
    work = asked.workspace
    only = Filter(kinds=(kind,) if kind in KINDS else ())
    found, total = work.memories.page(only, start, PAGE_SIZE)
    return asked.show(
        "memories", found=found, kind=kind, kinds=list(KINDS), start=start,
        more=start + PAGE_SIZE < total, size=PAGE_SIZE, now=work.project.clock.now(),
    )  # fmt: skip


@router.get("/memory/{ident}")
def memory(asked: Asked, ident: str) -> Response:
    """One memory: its text, where it comes from, what it was, how it did."""
    work = asked.workspace
    versions = work.memories.versions(ident)
    record = versions[0].record
    useful = usefulness_of(work, record)
    return asked.show(
        "memory", page="memories", record=record, versions=versions[1:],
        origin=origin_of(record, work.project.clock.now()), useful=useful,
    )  # fmt: skip


@router.post("/memory/{ident}/delete")
def delete(asked: Asked, ident: str) -> Response:
    """Delete one memory softly."""
    memories = asked.workspace.memories
    note = shared_deletion(memories.own, memories.remove(ident))
    return asked.back("memories", f"Deleted. Its history stays until it is purged. {note}".strip())


@router.get("/sessions")
def sessions(asked: Asked) -> Response:
    """Sessions of Satchel's own, and what was injected into clients' sessions."""
    work = asked.workspace
    with work.sessions as opened:
        own = sorted(
            opened.store.every(), key=lambda one: -(one.last_activity_at or one.created_at)
        )
    injected = list(work.injections.sessions().items())[::-1]
    return asked.show("sessions", own=own[:200], injected=injected[:200])


@router.get("/session/{ident}")
def session(asked: Asked, ident: str) -> Response:
    """One session: what was said, and a replay of what was put before its agent."""
    work = asked.workspace
    own, said = None, []
    with work.sessions as opened:
        if ident in opened.store.ids():
            own = opened.store.counted(ident)
            said = opened.store.messages(ident)
    injections = [_told(work, one) for one in work.injections.of_session(ident, whole=True)]
    events = sorted(
        [(m.at, "said", m) for m in said] + [(float(i.ts), "injected", i) for i in injections],
        key=lambda one: one[0],
    )
    return asked.show("session", page="sessions", ident=ident, own=own, events=events)


def _told(work: Workspace, injection: Injection) -> Injection:
    """Return what was put before an agent; to others, only what the project knows of it."""
    if work.person is not None:
        return injection

    def told(one: InjectedItem) -> InjectedItem:
        try:
            now = work.memories.versions(one.id)[0].record if one.id else None
        except SatchelError:
            now = None
        # Never the text that was kept: it may have been private, or long deleted, then.
        unknown = "(not of this project)", "not told to others"
        text, why = unknown if now is None else (now.content, one.why)
        return one._replace(text=text, why=why)

    return injection._replace(items=tuple(told(one) for one in injection.items))


@router.get("/settings")
def settings(asked: Asked) -> Response:
    """Every setting, its value and what it means: they are those of whoever runs the server."""
    if not asked.who.may(ADMIN, *asked.served.names):
        return plain(
            "failed", 403, title="Forbidden", back="/console/",
            detail="Settings are shown to an admin of this project.", hint="",
        )  # fmt: skip
    values = asked.workspace.project.settings.as_dict()
    rows = [(one.name, values[one.name], one.default, one.help) for one in SETTINGS]
    return asked.show("settings", rows=rows)
