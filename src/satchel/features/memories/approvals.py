"""Memories held back from agents in a project, and their approval.

Private memories are held back because of their sources: a tool's output, the web, a file. Lines of
the tracked ledger are held back because of their author: the project's gate decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.kinds import AT_START, kinds_for
from satchel.engine.search.documents import Filter
from satchel.engine.search.records import record_of
from satchel.features.memories.access import ProjectMemories
from satchel.features.memories.service import Memories
from satchel.features.memories.shared import was_shared_from_here
from satchel.project.approvals.rules import TRUSTED, ApprovalSet, line_mark, mark_of, trust_of
from satchel.project.store import ProjectStore
from satchel.storage.ledger.record import Record

_MOST = 100_000
_DELETES = "deletes"
#: Kinds that a session may start with, or that a brief shows.
_SHOWN_AT_STARTS = (*kinds_for(AT_START), "investigation", "pattern", "activity", "action_report")


def approved_in(project: ProjectStore) -> ApprovalSet | None:
    """Return the approvals; None if nothing is held back."""
    if not project.settings.flag("trust.quarantine"):
        return None
    return project.approvals.load()


def from_others(memories: Memories) -> dict[str, str]:
    """Return the trust of what tools, the web and files said, by the memory's identity."""
    found = [one.record for one in memories.listed(Filter(without_trust=TRUSTED), _MOST)]
    return {one.identity: trust_of(one) for one in found if one.trust}


def held(memories: ProjectMemories) -> list[Record]:
    """Return private memories that wait for approval, newest first."""
    approved = approved_in(memories.stores.project)
    if approved is None:
        return []
    memories.refresh()
    only = Filter(kinds=_SHOWN_AT_STARTS, without_trust=TRUSTED)
    found = [item.record for item in memories.own.listed(only, _MOST)]
    return [record for record in found if approved.holds(record)]


def asked_lines(own: Memories) -> list[Record]:
    """Return tracked lines with content that wait for approval, newest first.

    Omits lines that a private memory of this user repeats, that a newer version deleted or changed,
    or that their author or a visible memory has replaced: nobody need check what no longer holds.
    """
    waiting = own.held
    if not waiting.index.counts(waiting.view()):
        return []
    lines = [one.record for one in waiting.listed(Filter(), _MOST)]
    said = {mark_of(one) for one in own.live()}
    lines = [one for one in lines if mark_of(one) not in said and _is_newest(own, waiting, one)]
    over = _replaced(own, waiting, lines)
    return [one for one in lines if one.id not in over]


def _is_newest(own: Memories, waiting: Memories, line: Record) -> bool:
    sources = [*own.sources, *waiting.sources]
    versions = own.index.history(line.identity, sources)
    same = [record_of(hit.document) for hit in (*versions, *own.index.with_id(line.id, sources))]
    return all(one.version <= line.version for one in same)


def _replaced(own: Memories, waiting: Memories, lines: Sequence[Record]) -> set[str]:
    ids = {one.id: one for one in lines}
    over: set[str] = set()
    for store in (own, waiting) if ids else ():
        for hit in own.index.replacing(list(ids), store.view()):
            later = record_of(hit.document)
            for one in filter(None, map(ids.get, later.supersedes)):
                if one.id != later.id and (store is own or later.source == one.source):
                    over.add(one.id)
    return over


def unapproved_lines(memories: ProjectMemories) -> frozenset[str]:
    """Return the marks of tracked lines hidden from agents, including rejected ones."""
    memories.refresh()
    own, waiting = memories.own, memories.own.held
    every = [record_of(hit.document) for hit in waiting.index.latest(waiting.sources, limit=_MOST)]
    said = {mark_of(one) for one in own.live()} if every else set()
    marks = {line_mark(one.hash) for one in every if mark_of(one) not in said}
    return frozenset(marks | memories.stores.project.approvals.load().refused.keys())


def held_lines(memories: ProjectMemories) -> list[Record]:
    """Return tracked ledger lines that wait for approval, newest first.

    In addition to `asked_lines`, those that would delete a memory that was shared, with its id.
    """
    memories.refresh()
    own, waiting = memories.own, memories.own.held
    lines = asked_lines(own)
    every = [record_of(hit.document) for hit in waiting.index.latest(waiting.sources, limit=_MOST)]
    deletions = [one for one in every if one.deleted_at is not None]
    if not lines and not deletions:
        return []
    here = {one.id: one for one in own.live()}
    return lines + [
        one._replace(content=f"{_DELETES}: {here[one.id].title or here[one.id].content}")
        for one in deletions
        if one.id in here
        and one.version > here[one.id].version
        and was_shared_from_here(own, here[one.id])
    ]


def approve(memories: ProjectMemories, records: Sequence[Record]) -> None:
    """Approve memories and tracked lines for agents."""
    marks = [mark for one in records for mark in (mark_of(one), line_mark(one.hash))]
    memories.stores.project.approvals.approve(marks, ids=[one.id for one in records])


def revoke(memories: ProjectMemories, ids: Sequence[str]) -> list[Record]:
    """Revoke approvals of memories; those trusted anyway are unaffected."""
    memories.refresh()
    records = [memories.own.find(ident).record for ident in ids]
    marks = [mark for one in records for mark in (mark_of(one), line_mark(one.hash))]
    memories.stores.project.approvals.revoke(marks)
    return records
