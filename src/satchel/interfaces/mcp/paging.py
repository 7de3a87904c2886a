"""Paging: lists by cursor, long texts by tokens. Cursors are stateless and verified. Pure."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from satchel.core.errors import BadInputError
from satchel.core.hashing import digest
from satchel.core.token_budget import estimate_tokens
from satchel.core.values import NamedTuple

T = TypeVar("T")

#: Tokens of one page of a context pack, including its fence, estimated as usual.
PAGE_TOKENS = 20_000
#: The most tokens for the fence, its label and the page number.
_FENCE_TOKENS = 120
_LIST_PAGE = 20
#: Most results over all pages of an answer.
_DEEPEST = 200
_MARK = 12


class Page(NamedTuple):
    """A page of a text: its number from 1, the number of pages, and the next cursor."""

    text: str
    number: int
    pages: int
    next_cursor: str


def mark_of(about: str) -> str:
    """Return the mark that ties a cursor to its query; another query rejects it."""
    return digest(about.encode("utf-8", "replace")).hex()[:_MARK]


def cursor_of(offset: int, about: str) -> str:
    """Return the cursor of the page that begins at `offset`."""
    return urlsafe_b64encode(f"{offset}:{mark_of(about)}".encode()).decode().rstrip("=")


def offset_of(cursor: str, about: str) -> int:
    """Return a cursor's offset; 0 for no cursor. Raises `BadInputError` for a foreign one."""
    if not cursor:
        return 0
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        offset, _, mark = urlsafe_b64decode(padded.encode("ascii")).decode("ascii").partition(":")
        start = int(offset)
    except ValueError:
        start, mark = -1, ""
    if start < 0 or mark != mark_of(about):
        raise BadInputError(
            "This cursor belongs to another query, or the results have changed.",
            hint="Ask again without a cursor.",
        )
    return start


def list_page(items: Sequence[T], cursor: str, about: str) -> tuple[Sequence[T], str]:
    """Return a page of a protocol list (tools, resources) and the next cursor."""
    return answer_page(items, offset_of(cursor, about), _LIST_PAGE, about)


def answer_page(items: Sequence[T], start: int, limit: int, about: str) -> tuple[Sequence[T], str]:
    """Return `limit` items from `start`, and the next cursor; the query asked for one more."""
    end = start + limit
    return items[start:end], cursor_of(end, about) if end < len(items) else ""


def asked_for(given: Mapping[str, Any]) -> str:
    """Return what an answer's cursor is bound to: all arguments except the cursor itself."""
    return repr(sorted((name, repr(value)) for name, value in given.items() if name != "cursor"))


def ranked_to(
    start: int, limit: int, ask: Callable[[int], list[T]], key: Callable[[T], object]
) -> list[T]:
    """Return the results for a question in the same order on every page.

    A search for more results reads further, and may order them differently. So the first page
    equals the first call's answer, and all later ones are cut from one search of the same depth.

    Args:
        start: how many items came before.
        limit: items per page.
        ask: searches for at most this many items.
        key: identifies an item.
    """
    first = ask(limit + 1)
    if not start:
        return first
    shown = {key(one) for one in first[:limit]}
    return [*first[:limit], *(one for one in ask(_DEEPEST) if key(one) not in shown)]


def text_page(text: str, cursor: str) -> Page:
    """Return the page of a text at a cursor. Cursors of a changed text are rejected."""
    pages = split_text(text, PAGE_TOKENS - _FENCE_TOKENS)
    number = offset_of(cursor, text)
    if number >= len(pages):
        raise BadInputError("There is no such page.", hint="Ask again without a cursor.")
    following = cursor_of(number + 1, text) if number + 1 < len(pages) else ""
    return Page(pages[number], number + 1, len(pages), following)


def split_text(text: str, tokens: int) -> list[str]:
    """Split a text between lines into parts of at most `tokens`; joined, they equal the text."""
    parts: list[str] = []
    held: list[str] = []
    size = 0
    for line in text.splitlines(keepends=True):
        for piece in _pieces(line, tokens):
            cost = len(piece.encode("utf-8", "replace"))
            if held and size + cost > tokens * 4:
                parts.append("".join(held))
                held, size = [], 0
            held.append(piece)
            size += cost
    return [*parts, "".join(held)] if held or not parts else parts


def _pieces(line: str, tokens: int) -> list[str]:
    if estimate_tokens(line) <= tokens:
        return [line]
    # Four bytes a token, and no character has more than four.
    return [line[start : start + tokens] for start in range(0, len(line), tokens)]
