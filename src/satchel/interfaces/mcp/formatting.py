"""How what was remembered is shown to an agent: labelled with its trust, cleaned, fenced."""

from __future__ import annotations

from satchel.core.trust import IMPORTED, clean_line, clean_text, fence, new_nonce
from satchel.features.memories.origins import origin_of
from satchel.interfaces.rendering import cleaned
from satchel.project.approvals.rules import trust_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from satchel.application.recall.answers import RecallHit
    from satchel.application.recall.results import Result
    from satchel.storage.ledger.record import Record

#: Characters of one item in the short text; the structured answer has all of it.
_SHOWN = 600


def fenced(label: str, body: str) -> str:
    """Put what others said between marks that nothing in it can close."""
    return fence(new_nonce(), label, body)


def trust_label(record: Record) -> str:
    """Whom a memory comes from: user, agent, tool, web, imported."""
    return trust_of(record) or IMPORTED


def memory_item(record: Record, now: float) -> dict[str, Any]:
    """Return a memory as an item of an answer."""
    data: dict[str, Any] = {
        "id": record.id,
        "kind": record.kind,
        "title": record.title,
        "content": record.content,
        "key": record.key,
        "trust": trust_label(record),
        "origin": origin_of(record, now),
        "tags": list(record.tags),
        "task": record.task,
        "age_seconds": max(0, int(now - record.when)),
    }
    result: dict[str, Any] = cleaned(data)
    return result


def found_item(found: RecallHit, now: float) -> dict[str, Any]:
    """Return a memory that a question found."""
    return {
        **memory_item(found.record, now),
        "tier": "memory",
        "source": clean_line(found.source),
        "place": clean_line(found.record.id),
        "score": _short(found.score),
    }


def result_item(piece: Result, now: float) -> dict[str, Any]:
    """Return what one tier gave: a memory, or something that can be read at its place."""
    if piece.found is not None:
        return {**found_item(piece.found, now), "tier": piece.tier, "score": _short(piece.score)}
    data = {
        "id": piece.identity,
        "kind": piece.source,
        "title": piece.title,
        "content": piece.text,
        "key": "",
        "trust": IMPORTED,
        "origin": piece.source,
        "tags": [],
        "task": "",
        "age_seconds": max(0, int(now - piece.at)) if piece.at else 0,
        "tier": piece.tier,
        "source": piece.source,
        "place": piece.place,
    }
    return {**cleaned(data), "score": _short(piece.score)}


def item_line(item: dict[str, Any]) -> str:
    """Return one item for the short text: what it is, whose words they are, where it stands."""
    head = f"{item['title']}: " if item["title"] and item["title"] != item["content"] else ""
    body = clean_text(head + (item["content"] or item["title"])).strip()
    if len(body) > _SHOWN:
        body = body[:_SHOWN].rstrip() + "…"
    place = item.get("place") or item["id"]
    return f"[{item['kind']} · {item['trust']}] {body}\n  {item['origin']} · {place}"


def listing(items: Sequence[dict[str, Any]], more: str) -> str:
    """Return items as text, and how to get the rest."""
    lines = [item_line(item) for item in items]
    if more:
        lines.append("(more: call again with next_cursor)")
    return "\n".join(lines)


def _short(score: float) -> float:
    return float(f"{score:.4g}")
