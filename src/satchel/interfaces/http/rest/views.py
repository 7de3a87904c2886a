"""Converts the product's values to cleaned JSON for clients, named as in Beads Console."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from satchel.application.recall.results import Result
from satchel.core.trust import UNAPPROVED
from satchel.engine.search.records import expiry_of
from satchel.features.injections.injection_ledger import Injection
from satchel.features.intent.values import Intent, Link
from satchel.features.proposals.values import QueuedProposal
from satchel.features.sessions.serialization import iso
from satchel.features.sessions.values import Message, Session
from satchel.features.tasks.dialects import issue_of
from satchel.features.tasks.index import TaskView
from satchel.interfaces.http.rest.models import intent as intents
from satchel.interfaces.http.rest.models import memory as memories
from satchel.interfaces.http.rest.models import sessions, work
from satchel.interfaces.rendering import cleaned, picked
from satchel.storage.ledger.record import Record

#: Fields of a task that hold texts.
_TEXTS = [name for name, one in work.Task.model_fields.items() if one.annotation is str]
#: Fields of a memory that are included even if empty.
_ALWAYS = ("id", "projectId", "kind", "content", "createdAt", "relevanceScore")


#: Combinations that `filled` has already checked for completeness.
_decided: set[tuple[type[BaseModel], type, str, frozenset[str]]] = set()
#: Fields of a memory that are renamed or omitted.
_UNTOLD = (
    "agent category chat client edited epic extra hash relevance rev session task text_id ts "
    "valid_from valid_to visibility wall worktree"
)
#: A value of `without`: the answer only has a few chosen fields.
MOST = "*"


def filled(
    model: type[BaseModel], one: object, *, without: str = "", **others: Any
) -> dict[str, Any]:
    """Return an answer's fields that the value has by the same name, cleaned.

    Args:
        without: the value's fields that are omitted or renamed; `MOST` if only a few are chosen.
        others: fields that the value lacks or names differently. A number in a field that ends in
            `_at` is a time in Unix seconds.

    Raises `TypeError` for a field that is neither included nor named in one of these.
    """
    asked = (model, type(one), without, frozenset(others))
    if asked not in _decided:
        _raise_undecided(*asked)
        _decided.add(asked)
    told = {}
    for name, field in model.model_fields.items():
        if name in others or hasattr(one, name):
            value = others[name] if name in others else getattr(one, name)
            is_time = name.endswith("_at") and isinstance(value, int | float)
            told[field.alias or name] = iso(value) if is_time else value
    return dict(cleaned(told))


def _raise_undecided(
    model: type[BaseModel], value: type, without: str, others: frozenset[str]
) -> None:
    """Raise unless every field is included or omitted on purpose. Independent of the value."""
    has, tells = set(getattr(value, "_fields", ())), set(model.model_fields)
    left = has if without == MOST else set(without.split())
    needed = {name for name, field in model.model_fields.items() if field.is_required()}
    wrong = (has - tells - left) | (others - tells) | (left - has)
    if has:
        wrong |= {name for name in needed - others if not hasattr(value, name)}
    if wrong:
        names = ", ".join(sorted(wrong))
        raise TypeError(f"{model.__name__} of {value.__name__}: decide about {names}")


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it; other values become strings."""
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if isinstance(value, dict):
        return {str(n): plain(v) for n, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return str(value)


def memory(record: Record, project: str) -> dict[str, Any]:
    """Return Beads Console's MemoryEntry, and where the memory comes from."""
    fields = filled(
        memories.Memory,
        record,
        without=_UNTOLD,
        project_id=project,
        bead_id=record.task,
        epic_id=record.epic,
        session_id=record.session,
        chat_id=record.chat,
        agent_name=record.agent,
        relevance_score=1.0 if record.relevance is None else record.relevance,
        trust="imported" if record.edited else record.trust,
        created_at=record.when,
        expires_at=expiry_of(record) or 0,
        deleted_at=record.deleted_at or 0,
    )
    return {n: v for n, v in fields.items() if n in _ALWAYS or v not in ("", None, [], {})}


def replaced(record: Record) -> dict[str, Any]:
    """Return what another memory replaced."""
    told = filled(memories.ReplacedMemory, record, without=MOST)
    return told if record.title else {n: v for n, v in told.items() if n != "title"}


def result(one: Result) -> dict[str, Any]:
    """Return a result with the parts of its score."""
    return filled(memories.SearchResult, one, without="found story_of")


def intent(document: Intent, raw: str, *, held: bool) -> dict[str, Any]:
    """Return the parsed intent; `held` if nobody has approved it."""
    return filled(
        intents.IntentDocument,
        document,
        without="problems",
        exists=True,
        content=raw,
        trust=UNAPPROVED if held else "",
        anchors=[one.anchor for one in document.sections if one.anchor],
        warnings=[one._asdict() for one in document.problems],
        sections=[
            filled(intents.IntentSection, one, without="body number parent", content=one.body)
            for one in document.sections
        ],
    )


def link(one: Link) -> dict[str, Any]:
    """Return Beads Console's IntentLink."""
    return filled(intents.IntentLink, one, without="task", bead_id=one.task)


def task(one: TaskView, *, held: bool = False) -> dict[str, Any]:
    """Return a task in beads' fields, and its state; `held` if nobody has approved it."""
    told = {**one.data, **picked(one, "id", "stage", "held", "parent")}
    told["dependencyCount"], told["dependentCount"] = one.dependency_count, one.dependent_count
    # A line may come from any program or person: a value of a wrong type counts as absent.
    issue = issue_of({**one.data, "id": one.id})
    if issue is not None:
        told |= {"title": issue.title, "priority": issue.priority, "issue_type": issue.issue_type}
        told |= {"labels": list(issue.labels)} if "labels" in told else {}
        told |= {} if isinstance(told.get("status"), str) else {"status": issue.status}
    for name in _TEXTS:
        if not isinstance(told.get(name, ""), str):
            del told[name]
    # Not what the file's line claims.
    return dict(cleaned({**told, "trust": UNAPPROVED if held else ""}))


def proposal(one: QueuedProposal, diff: str = "") -> dict[str, Any]:
    """Return a suggestion and its outcome."""
    made = one.proposal
    told = filled(
        work.Proposal,
        made,
        without="agent derived_from edits key learning_type scope session ts turns",
        state=one.state,
        session_id=made.session,
        files=[edit.path for edit in made.edits],
        created_at=made.ts,
        commit=one.decided.commit,
    )
    return {**told, "diff": diff} if diff else told


def session(one: Session) -> dict[str, Any]:
    """Return a session in Beads Console's form."""
    metrics = one.metrics
    totals = filled(
        sessions.SessionMetrics,
        metrics,
        without="cost_usd input_tokens messages output_tokens tool_calls",
        message_count=metrics.messages,
        total_input_tokens=metrics.input_tokens,
        total_output_tokens=metrics.output_tokens,
        total_cost_usd=metrics.cost_usd,
        tool_call_count=metrics.tool_calls,
    )
    told = {"bead_id": one.task, "epic_id": one.epic, "metrics": totals}
    without = "counted_bytes epic extra memory_brief_tokens resumed_at task"
    return filled(sessions.Session, one, without=without, **told)


def message(one: Message) -> dict[str, Any]:
    """Return a message of a session."""
    told = {"content": one.text, "created_at": one.at}
    return filled(sessions.Message, one, without="at text tool_calls", **told)


def injection(one: Injection) -> dict[str, Any]:
    """Return an injection."""
    items = [
        filled(sessions.InjectedItem, item, without="id identity", memory_id=item.id)
        for item in one.items
    ]
    told = {"session_id": one.session, "at": iso(one.ts), "items": items}
    return filled(sessions.Injection, one, without="heard session ts", **told)
