"""Writes memories as items, and composes sections into one text that never exceeds its budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from satchel.application.briefs.sections import Brief, Item, PlacedItem, Section
from satchel.core.kinds import KINDS
from satchel.core.token_budget import cut_to_tokens, estimate_tokens
from satchel.core.trust import clean_line, clean_text, fence
from satchel.features.memories.origins import origin_of
from satchel.storage.ledger.record import Record

#: The most tokens for a section's remark on what it left out.
_MORE_TOKENS = 24


def item_of(record: Record, now: float, *, most_tokens: int, why: str, standing: str = "") -> Item:
    """Format a memory on one line, as beads memory does: `[LEARN] content (source, ...)`.

    `standing` is the state of the code that the memory is about.
    """
    kind = KINDS.get(record.kind)
    label = kind.label if kind else record.kind.upper()[:16]
    said = _gist(record)
    body = cut_to_tokens(clean_line(said), most_tokens)
    told = f"; {clean_line(standing)}" if standing else ""
    text = f"[{clean_line(label)}] {body} ({origin_of(record, now)}{told})"
    return Item(text, record.identity, record.id, why=why, raw=body, version=record.hash)


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


def compose(
    sections: Sequence[Section],
    *,
    budget: int,
    nonce: str,
    label: str,
    footer: str = "",
    always: str = "",
    count: Callable[[str], int] | None = None,
) -> Brief:
    """Fit sections into `budget` tokens, including the fence, most important first.

    Items that do not fit are skipped, not cut: a later, smaller one may still fit. Each section
    says how many it left out. With nothing to show, the text is empty.

    Args:
        count: counts the tokens of the final text; None estimates them, as for items.
    """
    always = clean_text(always)
    footer = "\n".join(line for line in (clean_text(footer), always) if line)
    frame = estimate_tokens(fence(nonce, label, "")) + estimate_tokens(footer) + 2
    room = budget - frame
    while True:
        body, placed = _body(sections, room)
        left_out = sum(len(section.items) for section in sections) - len(placed)
        if not body:
            text = fence(nonce, label, always) if always else ""
            return Brief(text, (count or estimate_tokens)(text), budget, (), left_out)
        text = fence(nonce, label, body + ("\n" + footer if footer else ""))
        tokens = (count or estimate_tokens)(text)
        if tokens <= budget:
            return Brief(text, tokens, budget, tuple(placed), left_out)
        room = min(room - 16, room * budget // tokens)  # rounding, at most: once more, tighter


def _body(sections: Sequence[Section], room: int) -> tuple[str, list[PlacedItem]]:
    body: list[str] = []
    placed: list[PlacedItem] = []
    for section in sections:
        title = clean_text(section.title)
        overhead = estimate_tokens(title) + 1
        lines, fitted, cost = _fit(section, room - overhead - _MORE_TOKENS)
        if not fitted:
            continue
        missing = len(section.items) - len(fitted)
        if missing:
            more = clean_text(section.more)
            lines.append(f"({missing} more: {more})" if more else f"({missing} more)")
        body.append("\n".join([title, *lines]))
        placed += fitted
        room -= cost + overhead + (_MORE_TOKENS if missing else 0)
    return "\n\n".join(body), placed


def _fit(section: Section, room: int) -> tuple[list[str], list[PlacedItem], int]:
    lines: list[str] = []
    placed: list[PlacedItem] = []
    cost = 0
    for rank, item in enumerate(section.items, start=1):
        text = clean_text(item.text)
        tokens = _cost(text)
        if cost + tokens > room:
            continue
        lines.append(text)
        placed.append(PlacedItem(item, section.name, rank, tokens))
        cost += tokens
    return lines, placed, cost


def _cost(text: str) -> int:
    """Return a text's tokens inside the fence, where escaping makes fence-like text longer."""
    if "<" not in text:
        return estimate_tokens(text) + 1
    return estimate_tokens(fence(_NO_NONCE, "", text)) - estimate_tokens(_EMPTY) + 2


_NO_NONCE = "0" * 16
_EMPTY = fence(_NO_NONCE, "", "")
