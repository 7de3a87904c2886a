"""The Inbox: decide what agents are told."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Response
from fastapi.responses import RedirectResponse

from satchel.application import approval
from satchel.application.exchange.sharing import shared_deletion
from satchel.application.learning.reviewing.reconsidering import reconsider
from satchel.application.learning.reviewing.review import Review
from satchel.core.errors import BadInputError, NotFoundError
from satchel.features.memories.contradicting import Contradiction, beside
from satchel.interfaces.http.console import queue_items as queue
from satchel.interfaces.http.console.pages import Asked, Page, Undo

router = APIRouter(prefix="/console/{project}/inbox", include_in_schema=False)
_GROUPS = ("", "suggestions", "contradictions", "unapproved")
_LISTED = 60


@router.get("")
@router.get("/{key}")
def inbox(asked: Asked, key: str = "", only: Annotated[str, Query(max_length=20)] = "") -> Response:
    """Show what waits on the left, and the selected item with its cause and effect on the right."""
    only = only if only in _GROUPS else ""
    work = asked.workspace
    waiting, found = asked.waiting()
    with Review(work) as review:
        groups = {
            "suggestions": queue.suggestions(waiting),
            "contradictions": queue.contradictions(asked.contradictions()),
            "unapproved": queue.unapproved(found, work.project.place.root),
        }
        listed = [one for name, items in groups.items() if only in ("", name) for one in items]
        at = next((n for n, one in enumerate(listed) if one.key == key), -1)
        if key and at < 0:
            raise NotFoundError("This has been decided in the meantime.")
        item = listed[max(at, 0)] if listed else None
        following = listed[(max(at, 0) + 1) % len(listed)] if listed else None
        of_queue = item is not None and item.key.startswith("s-")
        full = queue.suggestion(work, review, item.key[2:]) if item and of_queue else None
    text, data = "", b""
    pair = _pair(asked, item.key) if item else None
    if item is not None and full is None and pair is None:
        one = approval.with_keys(found, work.project.place.root, [item.key])
        text = next((r.content for r in (*one.lines, *one.memories)), "")
        data = next((f.data for f in one.files), b"")
    return asked.show(
        "inbox",
        items=listed[:_LISTED],
        more=max(0, len(listed) - _LISTED),
        item=item,
        full=full,
        pair=pair,
        following=following,
        only=only,
        opened=bool(key),
        text=text,
        data=data.decode("utf-8", "replace")[:20_000],
        counts={name: len(items) for name, items in groups.items()},
    )


def _pair(asked: Page, key: str) -> Contradiction | None:
    pairs = asked.contradictions() if key.startswith("c-") else []
    return next((one for one in pairs if queue.contradiction_key(one) == key), None)


@router.post("/decide")
def decide(
    asked: Asked,
    decision: Annotated[str, Form(max_length=10)],
    pick: Annotated[list[str] | None, Form()] = None,
    only: Annotated[str, Form(max_length=20)] = "",
) -> RedirectResponse:
    """Accept or reject the selected items; items that fail to apply keep waiting."""
    if decision not in ("accept", "reject"):
        raise BadInputError("Unknown decision.")
    proposed = [one[2:] for one in pick or () if one.startswith("s-")]
    held = [one for one in pick or () if not one.startswith("s-")]
    if not (proposed or held):
        raise BadInputError("Nothing is chosen.", hint="Select at least one item.")
    back = "inbox" + (f"?only={only}" if only in _GROUPS[1:] else "")
    if decision == "reject":
        return _reject(asked, proposed, held, back)
    told: list[str] = []
    undo: list[tuple[str, str]] = []
    if proposed:
        done, told = _accept(asked, proposed)
        undo += [("pick", one) for one in done]
    if held:
        asked.owned("Only the owner of this machine can approve this.")
        names = approval.approve_keys(asked.workspace, held)
        told.append(f"{len(names)} approved: agents may be told from now on.")
        undo += [("name", one) for one in names]
    return asked.back(back, " ".join(told), Undo("inbox/undo", tuple(undo)) if undo else None)


def _accept(asked: Page, proposed: list[str]) -> tuple[list[str], list[str]]:
    with Review(asked.workspace) as review:
        done = review.accept([review.find(one).proposal for one in proposed], by=asked.who.user)
    told = []
    if done.applied:
        files = sorted({name for one in done.applied for name in one.files})
        told = [f"Accepted {len(done.applied)}: written to {', '.join(files) or 'memory'}."]
    told += [f"Not applied: {why}" for _, why in done.failed[:2]]
    return [one.proposal.id for one in done.applied], told


def _reject(asked: Page, proposed: list[str], held: list[str], back: str) -> RedirectResponse:
    undo = [("pick", one) for one in proposed]
    with Review(asked.workspace) as review:
        gone = review.reject([review.find(one).proposal for one in proposed], by=asked.who.user)
    hidden = 0
    if held:
        asked.owned("Only the owner of this machine can approve this.")
        waiting = approval.waiting(asked.workspace)
        for one in approval.with_keys(waiting, asked.workspace.project.place.root, held).memories:
            asked.workspace.memories.remove(one.id)
            undo.append(("hidden", one.id))
            hidden += 1
    told = f"Rejected {len(gone)}; not suggested again. " if gone else ""
    told += f"Hid {hidden}. " if hidden else ""
    told += (
        "" if len(held) == hidden else "What the repository brings keeps waiting; remove it there."
    )
    return asked.back(back, told.strip(), Undo("inbox/undo", tuple(undo)))


@router.post("/contradiction")
def settle(
    asked: Asked,
    pick: Annotated[str, Form(max_length=100)],
    holds: Annotated[str, Form(pattern="^(earlier|later|both)$")],
) -> RedirectResponse:
    """Decide which of two memories holds: the other is hidden, or both are shown from now on."""
    pair, memories = _pair(asked, pick), asked.workspace.memories
    if pair is None:
        raise NotFoundError("This has been decided in the meantime.")
    if holds == "both":
        memories.annotate(pair.later.id, beside(pair.later, pair.earlier, holds=True))
        apart = (("apart", pair.later.id), ("apart", pair.earlier.id))
        return asked.back("inbox", "Both hold: agents are told both.", Undo("inbox/undo", apart))
    gone = pair.later if holds == "earlier" else pair.earlier
    note = shared_deletion(memories.own, memories.remove(gone.id))
    undo = Undo("inbox/undo", (("hidden", gone.id),))
    return asked.back("inbox", f"Kept; the other is hidden. {note}".strip(), undo)


@router.post("/undo")
def undo(
    asked: Asked,
    pick: Annotated[list[str] | None, Form()] = None,
    name: Annotated[list[str] | None, Form()] = None,
    hidden: Annotated[list[str] | None, Form()] = None,
    apart: Annotated[list[str] | None, Form()] = None,
) -> RedirectResponse:
    """Undo decisions: what was accepted, rejected, approved or hidden waits again."""
    work = asked.workspace
    with Review(work) as review:
        reconsider(review, pick or ())
    if name:
        asked.owned("Only the owner of this machine can approve this.")
        approval.revoke_named(work, name, work.project.place.root)
    for one in hidden or ():
        work.memories.restore(one)
    if apart:
        later, earlier = (work.memories.find(one).record for one in apart[:2])
        work.memories.annotate(later.id, beside(later, earlier, holds=False))
    return asked.back("inbox", "Undone: it waits again.")


@router.post("/{key}/change")
def change(
    asked: Asked, key: str, text: Annotated[str, Form(max_length=100_000)]
) -> RedirectResponse:
    """Reword a suggestion; it keeps its place in the queue."""
    with Review(asked.workspace) as review:
        made = review.modify(review.find(key.removeprefix("s-")).proposal, text)
    undo = Undo("inbox/undo", (("pick", key.removeprefix("s-")),))
    return asked.back(f"inbox/s-{made.id}", "Reworded. It still waits for your decision.", undo)
