"""Rejects a repository's content, and says why something is let in.

Rejected content stays in the repository, for colleagues; on this machine this user is neither shown
it nor asked again.
"""

from __future__ import annotations

import os

from satchel.application.approval import (
    WaitingFile,
    address_of,
    is_named,
    refuse_agent,
    refuse_ambiguous,
    revoke_files,
    revoke_named,
)
from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.ids import short_id
from satchel.core.trust import clean_line
from satchel.engine.search.documents import Filter
from satchel.engine.search.records import record_of
from satchel.features.memories.approvals import held, held_lines
from satchel.features.memories.ledgers import TRACKED
from satchel.project.approvals.rules import is_key, line_mark, mark_of
from satchel.storage.files import read_file
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from satchel.application.services import Services
    from satchel.project.approvals.rules import ApprovalSet


def refuse(work: Services, names: Sequence[str]) -> tuple[list[Record], list[Record]]:
    """Reject lines of the repository, and hide waiting private memories; return both.

    Raises `NotFoundError` for an unknown name, `BadInputError` for the user's own line.
    """
    refuse_agent(work)
    waiting, private = held_lines(work.memories), held(work.memories)
    lines: list[Record] = []
    hidden: list[Record] = []
    for name in names:
        here = [one for one in waiting if is_named(one, name)]
        here = here or [one for one in let_in(work) if is_named(one, name)]
        mine = [one for one in private if is_named(one, name)]
        if not (here or mine):
            raise _not_refused(work, name)
        refuse_ambiguous(name, [*here, *mine])
        lines += here
        hidden += mine
    if lines:
        every = [version for one in lines for version in _versions(work, one)]
        work.project.approvals.refuse({line_mark(one.hash): one.id for one in every})
    for one in hidden:
        work.memories.delete(one.id)
    work.refresh()
    return lines, hidden


def _versions(work: Services, line: Record) -> list[Record]:
    """Return a line with its earlier versions, of which the last would be shown in its place."""
    own, rules = work.memories.own, work.project.approvals.load()
    sources = [*own.sources, *own.held.sources]
    found = [record_of(hit.document) for hit in own.index.versions_with_id(line.id, sources)]
    found = [one for one in found if not rules.owns(one)]
    return [line, *(one for one in found if one.hash != line.hash)]


def let_in(work: Services) -> list[Record]:
    """Return live tracked lines from others that agents are shown."""
    rules, own = work.project.approvals.load(), work.memories.own
    found = [one.record for one in own.listed(Filter()) if one.source == TRACKED]
    return [one for one in found if address_of(one.source) and not rules.owns(one)]


def _not_refused(work: Services, name: str) -> Exception:
    rules = work.project.approvals.load()
    if any(_begins(ident, name) for ident in rules.refused.values()):
        return BadInputError(f"{name} is put aside already.")
    every = work.memories.own.listed(Filter())
    if any(is_named(one.record, name) for one in every):
        return BadInputError(
            f"{name} is your own: nobody else brought it.", hint="`satchel hide ID` hides it."
        )
    return NotFoundError(
        f"No memory that others brought is called {name}.",
        hint="`satchel approve` lists what waits. A file that nobody approves reaches no agent.",
    )


def revoke(work: Services, names: Sequence[str], root: str) -> tuple[int, list[str]]:
    """Revoke approvals and rejections; return how many, and what to say about the rest."""
    rules = work.project.approvals.load()
    waiting = [*held_lines(work.memories), *held(work.memories)]
    count, left = 0, []
    said: list[str] = []
    for name in names:
        again = [mark for mark, ident in rules.refused.items() if _begins(ident, name)]
        if again:
            work.project.approvals.revoke(again)
            count, said = count + len(again), [*said, f"{name} is no longer put aside."]
        elif any(is_named(one, name) for one in waiting):
            said.append(f"{name} was never approved: it waits.")
        else:
            left.append(name)
    records = _named_here(work, left)
    never = {one.id for one in records if not {line_mark(one.hash), mark_of(one)} & rules.marks}
    count += revoke_named(work, left, root) - len(never) if left else 0
    for one in _named_here(work, left):
        said += [_still_in(work, one, approved=one.id not in never)]
    work.refresh()
    return count, [one for one in said if one]


def _named_here(work: Services, names: Sequence[str]) -> list[Record]:
    every = [one.record for one in work.memories.own.listed(Filter())]
    return [one for name in names for one in every if is_named(one, name)]


def _begins(ident: str, name: str) -> bool:
    return is_named(Record(id=ident), name)


def _still_in(work: Services, record: Record, *, approved: bool) -> str:
    """Say why a memory is shown to agents although its own approval was revoked or never given."""
    rules, ident = work.project.approvals.load(), short_id(record.id)
    if not address_of(record.source):
        return "" if approved else f"{ident} was never approved: it is your own and needs none."
    by = _by_whom(work, rules, record.source)
    return f"{ident} is still let in: {by}" if approved else f"{ident} was never approved: {by}"


def _by_whom(work: Services, rules: ApprovalSet, author: str) -> str:
    address = address_of(author)
    if address in rules.authors:
        end = f"`satchel approve --revoke --author {address}` ends that."
        return f"the approval of {clean_line(address)} lets it in. {end}"
    general = what_lets_all_in(work)
    return general or "the approval of its author's key lets it in."


def revoke_authors(work: Services, authors: Sequence[str]) -> list[str]:
    """Revoke the approval of authors; return what to say about it.

    A file approved in its current form waits again if they wrote in it.
    """
    rules, gate = work.project.approvals.load(), work.project.gate()
    named = {one if is_key(one) else one.lower() for one in authors}
    unknown = sorted(named - rules.authors - rules.keys)
    said = [f"{clean_line(one)} was not approved as an author." for one in unknown]
    work.project.approvals.believe_authors(authors, on=False)
    gate.shows_signatures = any(map(is_key, named))
    theirs = []
    for path in work.project.tracked.spoken() if named - set(unknown) else ():
        who = gate.authors_of_file(path)
        if any(one.email in named or one.key in named for one in who):
            theirs.append(WaitingFile(path, (), read_file(path)))
    revoke_files(work, theirs)
    if general := what_lets_all_in(work):
        whose = " and ".join(map(clean_line, authors))
        return [*said, f"What {whose} commits still comes in: {general}"]
    root = work.project.place.root
    shown = ", ".join(clean_line(os.path.relpath(one.path, root)) for one in theirs)
    return [*said, *([f"They wrote in {shown}: those wait as a whole."] if shown else [])]


def what_lets_all_in(work: Services) -> str:
    """Say what lets all of this repository's content in, and how to end that; or ""."""
    if not work.project.settings.flag("trust.quarantine"):
        return (
            "your setting trust.quarantine lets everything in. "
            "`satchel config set trust.quarantine true` ends that."
        )
    if work.project.gate().believes_repository:
        return (
            "this repository's approval lets in whatever it brings. "
            "`satchel approve --revoke --repository` ends that."
        )
    return ""
