"""The limits of an import run, and its result."""

from __future__ import annotations

from satchel.core.values import NamedTuple
from satchel.features.instructions.values import Fragment, Problem


class Limits(NamedTuple):
    """The limits of a run.

    Attributes:
        depth: hops from the first file.
        per_file: imports of one file; 0 for no bound.
        extensions: that an imported file may have; () for any; None for what the dialect says:
            any text for Gemini, `.md` for the others.
        files: imports of one run.
        bytes: of what they bring, with what is put around them.
        once: show a file once in a run, however often it is named.
    """

    depth: int = 5
    per_file: int = 20
    extensions: tuple[str, ...] | None = None
    files: int = 500
    bytes: int = 800_000
    once: bool = True


class Node(NamedTuple):
    """A file and its imports, as a tree."""

    path: str
    imports: tuple[Node, ...] = ()


class Expanded(NamedTuple):
    """A text with its imports: pieces in order that form the text when joined."""

    pieces: list[Fragment]
    problems: list[Problem]
    tree: Node

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
    #: How the file was named by what imports it.
    written: str = ""
