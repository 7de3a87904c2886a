"""What accepted suggestions do to memories: saved, archived, and hidden when undone."""

from __future__ import annotations

from contextlib import suppress

from satchel.application.outlet import ASIDE
from satchel.core.errors import NotFoundError, SatchelError
from satchel.core.kinds import kind_named
from satchel.features.proposals.edits import Change
from satchel.features.proposals.values import REMEMBER, SET_ASIDE
from satchel.project.place import branch_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.application.services import Services
    from satchel.features.proposals.values import Edit, Proposal
    from satchel.features.sessions.archive import ArchivedSession
    from satchel.storage.ledger.record import Record


def additions(proposal: Proposal) -> list[tuple[str, Change]]:
    """Return the memories that a suggestion adds, with display names, as changes."""
    return [
        (f"memories ({kind_named(edit.section).noun})", Change("", None, _line(edit), edit))
        for edit in proposal.edits
        if edit.operation == REMEMBER
    ]


def keep(work: Services, proposal: Proposal) -> tuple[str, ...]:
    """Remember an accepted suggestion's content, each item once; return the memories' ids."""
    kept = []
    for edit in proposal.edits:
        if edit.operation != REMEMBER:
            continue
        there = _kept(work, proposal, edit)
        made = there[0] if there else _remember(work, proposal, edit)
        kept.append(made.id)
    return tuple(kept)


def take_back(work: Services, proposal: Proposal) -> None:
    """Hide what `keep` remembered."""
    for edit in proposal.edits:
        for record in _kept(work, proposal, edit) if edit.operation == REMEMBER else ():
            work.memories.delete(record.id)


def _remember(work: Services, proposal: Proposal, edit: Edit) -> Record:
    return work.memories.remember(
        edit.text,
        kind=edit.section,
        trust=proposal.trust,
        source=proposal.trust,
        session=proposal.session,
        derived_from=(proposal.id,),
        user=edit.for_person,
        **({} if edit.for_person else _birth(work, proposal)),
    )


def _birth(work: Services, proposal: Proposal) -> dict[str, Any]:
    """Return branch and commit of a statement made on a branch other than the current one.

    A review on a branch does not make a statement from main the branch's, and a session may
    continue on another branch than it began on. {} if it was made on this branch, or if unknown.
    """
    said = _archived(work, proposal.session)
    if said is None:
        return {}
    turns = [turn for turn in said.turns if turn.id in proposal.turns] or list(said.turns)
    last = max(turns, key=lambda turn: turn.at, default=None)
    branch = (last.branch if last is not None else "") or said.head.branch
    if branch in ("", branch_of(work.project.place.root)):
        return {}
    ended = int(last.at if last is not None else said.head.started)
    try:
        found = work.thread.history.log(
            "--max-count=1", f"--before=@{ended}", f"refs/heads/{branch}"
        )
    except SatchelError:
        found = []  # the branch was deleted: assume it is true everywhere
    return {"branch": branch, "commit": found[0] if found else ""}


def _archived(work: Services, session: str) -> ArchivedSession | None:
    archive = work.sessions.archive
    for again in (False, True):
        with suppress(SatchelError):
            if again:
                archive.catch_up()
            return archive.archived(session) if session else None
    return None


def _kept(work: Services, proposal: Proposal, edit: Edit) -> list[Record]:
    kept_in = work.memories.stores.person if edit.for_person else work.memories.caught_up()
    live = kept_in.live(kinds=(edit.section,)) if kept_in else []
    return [one for one in live if proposal.id in one.derived_from]


def _line(edit: Edit) -> bytes:
    return f"{edit.text}\n".encode("utf-8", "replace")


def set_archived(work: Services, proposal: Proposal, *, aside: bool) -> None:
    """Archive or restore the memories of a suggestion by writing a new version."""
    for edit in proposal.edits:
        if edit.operation != SET_ASIDE:
            continue
        try:
            record = work.memories.find(edit.path).record
        except NotFoundError:
            continue  # it was deleted meanwhile
        if (ASIDE in record.tags) == aside:
            continue
        tags = tuple(tag for tag in record.tags if tag != ASIDE)
        newer = record.following(int(work.project.clock.now()))
        work.memories.own.append([newer._replace(tags=(*tags, ASIDE) if aside else tags)])
        work.memories.stores.catch_up(work.memories.own)
