"""Marked blocks in user-owned files: written, compared, removed. Pure."""

from __future__ import annotations

import re

from satchel.core.errors import ConflictError
from satchel.core.hashing import digest
from satchel.core.values import NamedTuple

CURRENT, MISSING, STALE, EDITED = "current", "missing", "stale", "edited"
_MARK = "SATCHEL RULES"
_BEGIN = re.compile(
    rf"^<!-- BEGIN {_MARK} from=(?P<source>\S+) hash=(?P<hash>[0-9a-f]{{16}}) -->\r?$", re.MULTILINE
)
_ANY_BEGIN = re.compile(rf"<!-- BEGIN {_MARK}\b")
_END = re.compile(rf"^<!-- END {_MARK} -->\r?$", re.MULTILINE)
_ANY_END = re.compile(rf"<!-- END {_MARK}\b")


class Block(NamedTuple):
    """A block's position, its text, the hash of what was written, and its source."""

    start: int
    end: int
    body: str
    hash: str
    source: str


def hash_of(body: str) -> str:
    """Return the hash in a block's mark, which ignores line endings."""
    return digest(body.replace("\r\n", "\n").encode()).hex()[:16]


def holds_mark(text: str) -> bool:
    """Return whether a text contains a mark, complete or not."""
    return bool(_ANY_BEGIN.search(text) or _ANY_END.search(text))


def block_in(text: str, path: str) -> Block | None:
    """Return a file's block, or None.

    Raises:
        ConflictError: marks are broken, doubled or in the wrong order.
    """
    begins, ends = list(_BEGIN.finditer(text)), list(_END.finditer(text))
    all_marks = len(_ANY_BEGIN.findall(text)), len(_ANY_END.findall(text))
    if all_marks == (0, 0):
        return None
    if (len(begins), len(ends)) != (1, 1) or all_marks != (1, 1):
        raise ConflictError(
            f"{path}: the marks of Satchel's block are broken or doubled",
            hint="Fix the two lines, or remove the whole block, and run it again.",
        )
    begin, end = begins[0], ends[0]
    if end.start() < begin.end():
        raise ConflictError(
            f"{path}: Satchel's block ends before it begins", hint="Fix the two lines."
        )
    inner = begin.end() + 1
    body = text[inner : end.start()]
    return Block(begin.start(), end.end(), body, begin["hash"], begin["source"])


def state_of(text: str, path: str, body: str) -> str:
    """Return the state of a file's block: current, missing, stale or edited."""
    block = block_in(text, path)
    if block is None:
        return MISSING
    if hash_of(block.body) != block.hash:
        return EDITED
    return CURRENT if block.hash == hash_of(body) else STALE


def with_block(text: str, path: str, body: str, source: str) -> str:
    """Replace the block, or append it.

    Args:
        path: for messages.
        body: the block's text, ending with a newline.
        source: name of the file it comes from, without spaces.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = f"<!-- BEGIN {_MARK} from={source} hash={hash_of(body)} -->\n{body}<!-- END {_MARK} -->"
    written = lines.replace("\r\n", "\n").replace("\n", newline)
    block = block_in(text, path)
    if block is not None:
        carriage = "\r" if text[block.end - 1 : block.end] == "\r" else ""
        if carriage:
            return text[: block.start] + written + carriage + text[block.end :]
        return text[: block.start] + written + text[block.end :]
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    return text + gap + written + newline


def without_block(text: str, path: str) -> str:
    """Remove the block, with its line ending and the blank line before it."""
    block = block_in(text, path)
    if block is None:
        return text
    before, after = text[: block.start], text[block.end :]
    after = after.removeprefix("\n")
    for newline in ("\r\n", "\n"):
        if before.endswith(newline * 2) or before == newline:
            return before[: -len(newline)] + after
    return before + after
