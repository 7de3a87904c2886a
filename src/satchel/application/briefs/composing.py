"""Composes sections into one text that never exceeds its budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from satchel.application.briefs.sections import Brief, PlacedItem, Section
from satchel.core.token_budget import estimate_tokens
from satchel.core.trust import clean_text, fence

#: What one section may say about what it left out.
_MORE_TOKENS = 24


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

    Items that do not fit are skipped, not cut: a smaller one after it may still get in. Each
    section says how many it left out. With nothing to show the text is empty.

    Args:
        count: how the tokens of the whole are counted in the end; None estimates them, as it
            does those of items.
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
