"""Shared values: fragments, segments, and what was left out."""

from __future__ import annotations

from satchel.clients.contract.instructions import Source
from satchel.core.values import NamedTuple


class Fragment(NamedTuple):
    """A part of a file as shown to an agent, with its origin.

    Lines count from 1 in the file as it lies on disk. `imported_from` is the file that named this
    one; "" for a file that was found by itself.
    """

    path: str
    text: str
    first_line: int
    last_line: int
    imported_from: str = ""
    depth: int = 0


class Segment(NamedTuple):
    """A text with its source, cost and hash (SHA-256, 16 hex digits).

    `file` is the instruction file that was found; `path` differs where the text was imported.
    """

    path: str
    tier: str
    priority: int
    first_line: int
    last_line: int
    imported_from: str
    tokens: int
    hash: str
    text: str
    file: str = ""


class Problem(NamedTuple):
    """A problem with a file, and the next step.

    `what` is a word for programs; `where` is the file that names this one, "" for none.
    """

    what: str
    path: str
    told: str
    hint: str = ""
    where: str = ""


class Omission(NamedTuple):
    """What did not fit the budget: whose lines, how many tokens, which headings."""

    path: str
    first_line: int
    last_line: int
    tokens: int
    headings: tuple[str, ...] = ()


class MemoryFile(NamedTuple):
    """A discovered instruction file with its front matter, not yet composed.

    `skipped` says why it is not shown; "" if it is.
    """

    source: Source
    priority: int
    version: int
    enabled: bool
    size: int
    tokens: int
    hash: str
    description: str = ""
    globs: tuple[str, ...] = ()
    skipped: str = ""
