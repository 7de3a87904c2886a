"""Selects the lines of a file that a pack shows if not all fit. Pure."""

from __future__ import annotations

from satchel.core.token_budget import estimate_tokens
from satchel.features.code.words import parts_of, question_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def lines_of(text: str) -> list[str]:
    """Split a text at newlines only, as editors count lines."""
    lines = text.split("\n")
    return lines[:-1] if lines and not lines[-1] else lines


def best_window(lines: Sequence[str], words: Mapping[str, int], tokens: int) -> tuple[int, int]:
    """Return the lines (from, to; 0-based, `to` excluded) with the most words in a budget.

    Each word counts at each line where it stands, less at each further one, so that a window of
    several words beats one of one word repeated.
    """
    costs = [estimate_tokens(line) + 1 for line in lines]
    if sum(costs) <= tokens:
        return 0, len(lines)
    values = _values(lines, words)
    best, best_value, start, cost, value = (0, 0), -1.0, 0, 0, 0.0
    for end, (line_cost, line_value) in enumerate(zip(costs, values, strict=True)):
        cost, value = cost + line_cost, value + line_value
        while cost > tokens and start <= end:
            cost, value, start = cost - costs[start], value - values[start], start + 1
        if start <= end and value > best_value + 1e-9:
            best, best_value = (start, end + 1), value
    return _filled(best, costs, tokens)


def _values(lines: Sequence[str], words: Mapping[str, int]) -> list[float]:
    seen: dict[str, int] = {}
    values = []
    for line in lines:
        value = 0.0
        if line.strip():
            for word in question_words(line[:400]):
                for part in (word, *parts_of(word)):
                    if part in words:
                        seen[part] = seen.get(part, 0) + 1
                        value += words[part] / seen[part]
        values.append(value)
    return values


def _filled(window: tuple[int, int], costs: Sequence[int], tokens: int) -> tuple[int, int]:
    """Extend a window while the budget allows, upwards first."""
    start, end = window
    left = tokens - sum(costs[start:end])
    while start > 0 and costs[start - 1] <= left:
        start -= 1
        left -= costs[start]
    while end < len(costs) and costs[end] <= left:
        left -= costs[end]
        end += 1
    return start, end
