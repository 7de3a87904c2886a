"""Changes a user can make to a memory; each comes with a way to undo it."""

from __future__ import annotations

import os
from typing import Annotated

from fastapi import APIRouter, Form, Response
from fastapi.responses import RedirectResponse

from satchel.application import approval
from satchel.application.exchange import sharing
from satchel.application.exchange.sharing import shared_deletion
from satchel.application.forgetting.service import Forgetting, Selection
from satchel.core.errors import BadInputError, ConflictError
from satchel.features.instincts.values import NewInstinct
from satchel.features.memories.approvals import approve, revoke
from satchel.interfaces.http.console.pages import Asked, Undo
from satchel.interfaces.http.console.presentation import kind_names

router = APIRouter(prefix="/console/{project}/memory", include_in_schema=False)
Back = Annotated[str, Form(max_length=2000)]


@router.post("")
def remember(
    asked: Asked,
    content: Annotated[str, Form(min_length=1, max_length=20_000)],
    kind: Annotated[str, Form(max_length=40)] = "learned",
    task: Annotated[str, Form(max_length=128)] = "",
) -> RedirectResponse:
    """Remember something; what a user writes here counts as approved."""
    if kind not in kind_names():
        raise BadInputError("There is no such kind of memory.")
    made = asked.workspace.remember(content, kind=kind, task=task, agent=asked.who.author)
    return asked.back(f"memory/{made.id}", "Remembered.", Undo(f"memory/{made.id}/hide"))


@router.post("/{key}/edit")
def edit(
    asked: Asked,
    key: str,
    content: Annotated[str, Form(min_length=1, max_length=20_000)],
    seen: Annotated[str, Form(max_length=80)],
) -> Response:
    """Write a new version, unless somebody else has written one meanwhile."""
    memories = asked.workspace.memories
    record = memories.versions(key)[0].record
    if record.hash != seen:
        return asked.show("clash", 409, page="memory", record=record, content=content, key=key)
    edited = memories.edit(record.id, content)
    if edited.rev == record.rev:
        return asked.back(f"memory/{key}", "Nothing was changed.")
    undo = Undo(f"memory/{key}/return", (("to", record.hash), ("seen", edited.hash)))
    return asked.back(f"memory/{edited.id}", "Changed.", undo)


@router.post("/{key}/return")
def return_to(
    asked: Asked,
    key: str,
    to: Annotated[str, Form(max_length=80)],
    seen: Annotated[str, Form(max_length=80)] = "",
) -> RedirectResponse:
    """Restore an earlier version's text."""
    versions = asked.workspace.memories.versions(key)
    if seen and versions[0].record.hash != seen:
        raise ConflictError(
            "It has been changed again in the meantime.", hint="Its history lists every version."
        )
    earlier = next((one.record for one in versions if one.record.hash == to), None)
    if earlier is None:
        raise BadInputError("There is no such version.")
    now = asked.workspace.memories.edit(versions[0].record.id, earlier.content)
    undo = Undo(f"memory/{key}/return", (("to", versions[0].record.hash), ("seen", now.hash)))
    return asked.back(f"memory/{key}?tab=history", "The earlier text is restored.", undo)


@router.post("/{key}/hide")
def hide(asked: Asked, key: str, back: Back = "memory") -> RedirectResponse:
    """Hide a memory: agents and searches no longer find it, its history is kept."""
    memories = asked.workspace.memories
    told = f"Hidden. {shared_deletion(memories.own, memories.remove(key))}".strip()
    return asked.back("memory" if key in back else back, told, Undo(f"memory/{key}/restore"))


@router.post("/{key}/restore")
def restore(asked: Asked, key: str) -> RedirectResponse:
    """Bring a hidden memory back."""
    asked.workspace.memories.versions(key)  # of this project, not the user's own
    made = asked.workspace.memories.restore(key)
    return asked.back(f"memory/{made.id}", "It is back.", Undo(f"memory/{made.id}/hide"))


@router.post("/{key}/approve")
def let_in(asked: Asked, key: str) -> RedirectResponse:
    """Approve a memory for agents."""
    work = asked.owned()
    approval.refuse_agent(work)
    approve(work.memories, [work.memories.versions(key)[0].record])
    return asked.back(f"memory/{key}", "Approved.", Undo(f"memory/{key}/unapprove"))


@router.post("/{key}/unapprove")
def hold_back(asked: Asked, key: str) -> RedirectResponse:
    """Withdraw an approval."""
    revoke(asked.owned().memories, [key])
    return asked.back(f"memory/{key}", "Held back from agents.", Undo(f"memory/{key}/approve"))


@router.post("/{key}/share")
def share(asked: Asked, key: str) -> RedirectResponse:
    """Write a memory to the ledger that git tracks, without secrets and private data."""
    work = asked.owned()
    record = work.memories.versions(key)[0].record
    if record.visibility == "private":
        raise BadInputError("It is marked private and is never shared.")
    written = sharing.share(work.memories.own, [record])
    approval.approve_own(work, written)
    if not written:
        return asked.back(f"memory/{key}", "It is shared already.")
    told = "Shared: it is in the file that git tracks, ready to commit."
    return asked.back(f"memory/{key}", told, Undo(f"memory/{key}/unshare"))


@router.post("/{key}/unshare")
def unshare(asked: Asked, key: str) -> RedirectResponse:
    """Remove a line that was just shared from the tracked ledger."""
    work = asked.owned()
    gone = sharing.unshare(work.memories.own, [work.memories.versions(key)[0].record.id])
    return asked.back(f"memory/{key}", "No longer shared." if gone else "It was not shared.")


@router.post("/{key}/promote")
def promote(asked: Asked, key: str, to: Annotated[str, Form(max_length=10)]) -> RedirectResponse:
    """Turn a memory into a soft rule or a guard."""
    work = asked.workspace
    record = work.memories.versions(key)[0].record
    if to == "rule":
        words = " ".join(record.content.split())[:400]
        rule = NewInstinct(words, source=record.id, tags=record.tags)
        done, _ = work.instincts.add(rule)
        made = done.changes[0].id
        undo = Undo(f"memory/r-{made}/remove")
        return asked.back(f"memory/r-{made}", "It is a soft rule now.", undo)
    if to != "guard":
        raise BadInputError("It can become a soft rule or a guard.")
    guard = work.guards.add(work.guards.drafts(record.id)[0].fields)
    told = "A guard was drafted. It acts once you approve it."
    return asked.back(f"memory/g-{guard.id}", told, Undo(f"memory/g-{guard.id}/remove"))


@router.post("/{key}/remove")
def remove(asked: Asked, key: str) -> RedirectResponse:
    """Remove a soft rule or a guard from its file."""
    work = asked.workspace
    if key.startswith("r-"):
        work.instincts.remove(key[2:])
        return asked.back("memory?kind=rule", "The soft rule is gone.")
    work.guards.remove(key[2:])
    return asked.back("memory?kind=guard", "The guard is gone.")


@router.post("/{key}/guard")
def decide_guard(
    asked: Asked,
    key: str,
    to: Annotated[str, Form(max_length=10)],
    digest: Annotated[str, Form(max_length=80)] = "",
) -> RedirectResponse:
    """Approve a guard on this machine as shown, or turn it off or on."""
    work = asked.owned()
    approval.refuse_agent(work)
    ident = key.removeprefix("g-")
    if to == "approve":
        work.guards.approve(ident, digest=digest)
        return asked.back(f"memory/{key}", "It acts from now on.", _guard_undo(key, "off"))
    work.guards.switch(ident, on=to == "on")
    undo = _guard_undo(key, "off" if to == "on" else "on")
    return asked.back(f"memory/{key}", "It is on." if to == "on" else "It is off.", undo)


def _guard_undo(key: str, to: str) -> Undo:
    return Undo(f"memory/{key}/guard", (("to", to),))


@router.get("/{key}/erase")
def plan_to_erase(asked: Asked, key: str) -> Response:
    """Show what would be erased, and from where, before erasing anything."""
    plan = Forgetting(asked.owned()).plan(Selection((key,)))
    places = sorted({(os.path.basename(one.path), one.what) for one in plan.places})
    return asked.show("erase", page="memory", key=key, plan=plan, places=places)


@router.post("/{key}/erase")
def erase(asked: Asked, key: str) -> RedirectResponse:
    """Erase a memory from every file. The user has seen the plan; this cannot be undone."""
    work = asked.owned()
    approval.refuse_agent(work)
    forgetting = Forgetting(work)
    forgetting.apply(forgetting.plan(Selection((key,))))
    return asked.back("memory", "Erased from every file that Satchel writes.")
