"""Suggestions that become memories: saved when accepted, hidden when undone."""

from __future__ import annotations

from contextlib import suppress

from satchel.core.errors import SatchelError
from satchel.core.kinds import kind_named
from satchel.features.proposals.edits import Change
from satchel.features.proposals.values import REMEMBER
from satchel.project.place import branch_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.application.services import Services
    from satchel.features.proposals.values import Edit, Proposal
    from satchel.features.sessions.archive import ArchivedSession
    from satchel.storage.ledger.record import Record

_EVERY = 100_000


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
        **({} if edit.for_person else _birth(work, proposal.session)),
    )


def _birth(work: Services, session: str) -> dict[str, Any]:
    """Return branch and commit of a session on another branch than the one that is here now.

    Whoever reviews on a branch has not learnt there what was said on main. {} where it was said
    on this branch, or nobody knows.
    """
    said = _archived(work, session)
    branch = said.head.branch if said is not None else ""
    if said is None or branch in ("", branch_of(work.project.place.root)):
        return {}
    ended = int(max((turn.at for turn in said.turns), default=said.head.started))
    try:
        found = work.thread.history.log(
            "--max-count=1", f"--before=@{ended}", f"refs/heads/{branch}"
        )
    except SatchelError:
        found = []  # the branch is gone: then it is true everywhere, as far as anybody knows
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
    live = kept_in.live(kinds=(edit.section,), limit=_EVERY) if kept_in else []
    return [one for one in live if proposal.id in one.derived_from]


def _line(edit: Edit) -> bytes:
    return f"{edit.text}\n".encode("utf-8", "replace")
