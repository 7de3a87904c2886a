"""The parts of a code map: files, symbols, references."""

from __future__ import annotations

from satchel.core.values import NamedTuple

#: Kinds of symbols, as context packs spell them in Beads Console.
KINDS = ("function", "method", "class", "interface", "type", "variable", "route", "component")


class Symbol(NamedTuple):
    """A definition in a file. Lines start at 1; `end_line` is included.

    Attributes:
        parent: qualified name of the enclosing definition, "" at the top: `Store`, `Store.Row`.
        signature: its head on one line, without its body.
        documentation: the beginning of its comment or docstring.
    """

    name: str
    kind: str
    line: int
    end_line: int
    signature: str = ""
    documentation: str = ""
    parent: str = ""

    @property
    def qualified(self) -> str:
        """Return the qualified name, as in anchors: `Store.open`."""
        return f"{self.parent}.{self.name}" if self.parent else self.name


class Reference(NamedTuple):
    """A name that a file uses: how often, and its first line."""

    name: str
    kind: str
    times: int
    line: int


class ParsedFile(NamedTuple):
    """The contents of a file. `warning` is "" if its grammar parsed it."""

    language: str
    symbols: tuple[Symbol, ...]
    references: tuple[Reference, ...]
    imports: tuple[str, ...] = ()
    warning: str = ""


class CodeFile(NamedTuple):
    """A file of the map.

    Attributes:
        role: source, test, doc, config, style, script, data, lock, generated, vendored, binary,
            huge, secret.
        stamp: its status when it was read; "" if a later change could look alike.
        hash: of its bytes; "" if they were not read.
    """

    path: str
    role: str
    language: str
    size: int
    lines: int
    stamp: str
    hash: str
    warning: str = ""


class SymbolMatch(NamedTuple):
    """A symbol in its file, with its score (0 to 1)."""

    path: str
    symbol: Symbol
    score: float


class RankedFile(NamedTuple):
    """A matching file: its score (0 to 1), and each signal's contribution."""

    path: str
    score: float
    parts: dict[str, float]
    role: str = "source"
    language: str = ""
