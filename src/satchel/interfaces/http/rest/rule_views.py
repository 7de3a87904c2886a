"""Soft rules, guards and unapproved items, as clients get them."""

from __future__ import annotations

from typing import Any

from satchel.application.approval import WaitingFile, file_key, memory_key
from satchel.features.guards.service import GuardStatus
from satchel.features.instincts.values import Instinct
from satchel.interfaces.http.rest.views import cleaned, plain
from satchel.storage.ledger.record import Record


def unapproved_memory(record: Record, what: str) -> dict[str, Any]:
    """Return a memory, or a line of the repository, that waits for approval."""
    told = {
        "key": memory_key(record),
        "what": what,
        "kind": record.kind,
        "title": record.title or record.content[:120],
        "content": record.content,
        "authors": [record.source] if record.source else [],
        "trust": record.trust,
    }
    return dict(cleaned(told))


def unapproved_file(file: WaitingFile, name: str) -> dict[str, Any]:
    """Return a file that waits for approval; `name` is its path in the project."""
    told = {
        "key": file_key(name, file.data),
        "what": "file",
        "title": name,
        "content": file.data.decode("utf-8", "replace"),
        "authors": [str(one) for one in file.authors],
    }
    return dict(cleaned(told))


def rule(one: Instinct, worth: float) -> dict[str, Any]:
    """Return a soft rule with its current confidence."""
    told = {
        "id": one.id,
        "rule": one.rule,
        "confidence": one.confidence,
        "worth": worth,
        "scope": one.scope,
        "category": one.category,
        "created": one.created,
        "lastReinforced": one.last_reinforced,
        "reinforcementCount": one.reinforcement_count,
        "source": one.source,
        "tags": list(one.tags),
        "promoted": one.promoted,
    }
    return dict(cleaned(told))


def guard(one: GuardStatus) -> dict[str, Any]:
    """Return a guard and its state on this machine."""
    made = one.guard
    told = {
        "id": made.id,
        "action": made.action,
        "message": made.message,
        "when": made.when._asdict(),
        "where": made.where._asdict(),
        "examples": [
            {"tool": each.tool, "given": each.given, "fires": each.fires} for each in made.examples
        ],
        "source": made.source,
        "digest": made.digest,
        "state": one.state,
        "wrong": list(one.wrong),
        "approvedBy": one.by,
        "fired": one.fired,
        "edited": one.edited,
    }
    return dict(cleaned(plain(told)))
