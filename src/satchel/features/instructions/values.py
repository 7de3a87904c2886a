"""What everybody here names: pieces, segments, and what was left out."""

from __future__ import annotations

from satchel.clients.contract.instructions import Source
from satchel.core.values import NamedTuple


class Fragment(NamedTuple):
    """A stretch of one file as it is shown to an agent, with where it comes from.

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
    """A piece with its source, cost and hash (SHA-256, 16 hex digits, of the text).

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
    """What could not be done with a file, and the next step.

    `what` is a word for programs; `where` is the file that names this one, "" for none.
    """

    what: str
    path: str
    told: str
    hint: str = ""
    where: str = ""


class Omission(NamedTuple):
    """What did not fit into the budget: whose lines, how many tokens, under which headings."""

    path: str
    first_line: int
    last_line: int
    tokens: int
    headings: tuple[str, ...] = ()


class MemoryFile(NamedTuple):
    """An instruction file as it was found: its front matter read, its text not yet put together.

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
