"""Shared values: fragments, segments, and what was left out."""

from __future__ import annotations

from satchel.clients.contract.instructions import Source
from satchel.core.values import NamedTuple

#: The section of an instruction file for rules accepted by a person.
LEARNED_RULES = "Learned Rules"


class Fragment(NamedTuple):
    """A part of a file as shown to an agent, with its origin.

    Lines count from 1 in the file on disk. `imported_from` is the file that named this one; "" for
    a discovered file.
    """

    path: str
    text: str
    first_line: int
    last_line: int
    imported_from: str = ""
    depth: int = 0


class Segment(NamedTuple):
    """A text with its source, cost and hash (SHA-256, 16 hex digits).

    `file` is the discovered instruction file; `path` differs if the text was imported.
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
    """Text that did not fit the budget: its file's lines, tokens, and headings."""

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


class Limits(NamedTuple):
    """The limits of a run.

    Attributes:
        depth: hops from the first file.
        per_file: imports of one file; 0 for no limit.
        extensions: allowed for an imported file; () for any; None for the dialect's own: any text
            for Gemini, `.md` for the others.
        files: imports of one run.
        bytes: of imported text, with the lines put around it.
        once: show a file once in a run, however often it is named.
    """

    depth: int = 5
    per_file: int = 20
    extensions: tuple[str, ...] | None = None
    files: int = 500
    bytes: int = 800_000
    once: bool = True


class Expanded(NamedTuple):
    """A text with its imports: pieces in order that form the text when joined."""

    pieces: list[Fragment]
    problems: list[Problem]

    @property
    def text(self) -> str:
        """Return the whole text."""
        return "".join(piece.text for piece in self.pieces)


class Frame(NamedTuple):
    """The file being expanded: its path, directory, line, and how it was reached."""

    path: str
    directory: str
    owner: str
    first_line: int
    chain: tuple[tuple[int, int], ...] = ()
    depth: int = 0
    imported_from: str = ""
    #: The file's name as spelled by its importer.
    written: str = ""
