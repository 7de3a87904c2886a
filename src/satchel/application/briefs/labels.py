"""Format memories for agents: kind, content and origin."""

from __future__ import annotations

from satchel.application.briefs.sections import Item
from satchel.core.kinds import KINDS
from satchel.core.token_budget import cut_to_tokens
from satchel.core.trust import clean_line
from satchel.features.memories.origins import origin_of
from satchel.storage.ledger.record import Record


def item_of(record: Record, now: float, *, most_tokens: int, why: str, standing: str = "") -> Item:
    """Format a memory on one line, as beads memory does: `[LEARN] content (source, ...)`.

    `standing` says how the code stands that the memory is about.
    """
    kind = KINDS.get(record.kind)
    label = kind.label if kind else record.kind.upper()[:16]
    said = _gist(record)
    body = cut_to_tokens(clean_line(said), most_tokens)
    told = f"; {clean_line(standing)}" if standing else ""
    text = f"[{clean_line(label)}] {body} ({origin_of(record, now)}{told})"
    return Item(text, record.identity, record.id, why, body)


def _gist(record: Record) -> str:
    """Summarize a memory on one line; a checkpoint by its summary and next steps."""
    data = record.data or {}
    if record.kind == "checkpoint" and (data.get("summary") or data.get("asked")):
        steps = data.get("next_steps")
        joined = "; ".join(str(step) for step in steps) if isinstance(steps, list) else ""
        parts = (
            ("Asked", data.get("asked")),
            ("Done", data.get("summary")),
            ("Next", joined),
            ("Open", data.get("open")),
        )
        return " | ".join(f"{name}: {told}" for name, told in parts if told)
    if record.title and record.title not in record.content:
        return f"{record.title}: {record.content}"
    return record.content
