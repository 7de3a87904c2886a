"""What clients get: the product's values as cleaned JSON, named as in Beads Console."""

from __future__ import annotations

from typing import Any

from satchel.application.recall.results import Result
from satchel.core.trust import UNAPPROVED, clean_text
from satchel.engine.search.records import expiry_of
from satchel.features.intent.values import Intent, IntentSection, Link
from satchel.features.proposals.values import QueuedProposal
from satchel.features.sessions.serialization import iso
from satchel.features.tasks.dialects import issue_of
from satchel.features.tasks.index import TaskView
from satchel.interfaces.http.rest.models.work import Task
from satchel.storage.ledger.record import Record

#: Fields of a task that hold texts.
_TEXTS = [name for name, one in Task.model_fields.items() if one.annotation is str]


def cleaned(value: Any) -> Any:
    """Clean every text in a value, including names of fields."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, dict):
        return {clean_text(str(name)): cleaned(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned(one) for one in value]
    return value


def memory(record: Record, project: str) -> dict[str, Any]:
    """Return Beads Console's MemoryEntry, and where the memory comes from."""
    fields: dict[str, Any] = {
        "id": record.id,
        "projectId": project,
        "kind": record.kind,
        "key": record.key,
        "title": record.title,
        "content": record.content,
        "beadId": record.task,
        "epicId": record.epic,
        "sessionId": record.session,
        "chatId": record.chat,
        "agentName": record.agent,
        "data": record.data,
        "intentAnchors": list(record.intent_anchors),
        "tags": list(record.tags),
        "relevanceScore": 1.0 if record.relevance is None else record.relevance,
        "confidence": record.confidence,
        "trust": "imported" if record.edited else record.trust,
        "source": record.source,
        "branch": record.branch,
        "commit": record.commit,
        "derivedFrom": list(record.derived_from),
        "supersedes": list(record.supersedes),
        "createdAt": iso(record.when),
        "expiresAt": iso(expiry_of(record) or 0),
        "deletedAt": iso(record.deleted_at or 0),
    }
    always = ("id", "projectId", "kind", "content", "createdAt", "relevanceScore")
    kept = {n: v for n, v in fields.items() if n in always or v not in ("", None, [], {})}
    return dict(cleaned(kept))


def section(one: IntentSection) -> dict[str, Any]:
    """Return a section of the intent."""
    told = {
        "anchor": one.anchor,
        "path": one.path,
        "title": one.title,
        "level": one.level,
        "line": one.line,
        "content": one.body,
    }
    return dict(cleaned(told))


def intent(document: Intent, raw: str) -> dict[str, Any]:
    """Return the parsed intent."""
    anchors = [one.anchor for one in document.sections if one.anchor]
    told = {
        "exists": True,
        "version": document.version,
        "createdAt": document.created_at,
        "updatedAt": document.updated_at,
        "hash": document.hash,
        "content": raw,
        "anchors": anchors,
        "warnings": [p._asdict() for p in document.problems],
    }
    return {**cleaned(told), "sections": [section(one) for one in document.sections]}


def link(one: Link) -> dict[str, Any]:
    """Return Beads Console's IntentLink."""
    told = {
        "beadId": one.task,
        "anchor": one.anchor,
        "relevance": one.relevance,
        "addedAt": one.added_at,
        "addedBy": one.added_by,
        "note": one.note,
    }
    return dict(cleaned(told))


def result(one: Result) -> dict[str, Any]:
    """Return a result with the parts of its score."""
    fields = one._asdict()
    fields.pop("found", None)
    return dict(cleaned({n: plain(v) for n, v in fields.items()}))


def task(one: TaskView, *, held: bool = False) -> dict[str, Any]:
    """Return a task in beads' fields, and its state; `held` if nobody has approved it."""
    told = {
        **one.data,
        "id": one.id,
        "stage": one.stage,
        "held": list(one.held),
        "parent": one.parent,
        "dependencyCount": one.dependency_count,
        "dependentCount": one.dependent_count,
    }
    # A line may be of any program, or of a hand: what is of a wrong type counts as absent.
    issue = issue_of({**one.data, "id": one.id})
    if issue is not None:
        told |= {"title": issue.title, "priority": issue.priority, "issue_type": issue.issue_type}
        told |= {"labels": list(issue.labels)} if "labels" in told else {}
        told |= {} if isinstance(told.get("status"), str) else {"status": issue.status}
    for name in _TEXTS:
        if not isinstance(told.get(name, ""), str):
            del told[name]
    # Not what a line of the file claims.
    return dict(cleaned({**told, "trust": UNAPPROVED if held else ""}))


def proposal(one: QueuedProposal, diff: str = "") -> dict[str, Any]:
    """Return a suggestion and its outcome."""
    made = one.proposal
    told = {
        "id": made.id,
        "state": one.state,
        "kind": made.kind,
        "group": made.group,
        "tier": made.tier,
        "title": made.title,
        "why": made.why,
        "quote": made.quote,
        "sessionId": made.session,
        "warnings": list(made.warnings),
        "trust": made.trust,
        "files": [edit.path for edit in made.edits],
        "createdAt": iso(made.ts),
        "commit": one.decided.commit,
    }
    return {**cleaned(told), **({"diff": diff} if diff else {})}


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it; other values become strings."""
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if isinstance(value, dict):
        return {str(n): plain(v) for n, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return str(value)


def replaced(record: Record) -> dict[str, Any]:
    """Return what another memory replaced."""
    told = {"id": record.id, "kind": record.kind, "content": record.content}
    return dict(cleaned({**told, **({"title": record.title} if record.title else {})}))
