"""What the map of a project's code is made of: files, symbols, references."""

from __future__ import annotations

from satchel.core.values import NamedTuple

#: Kinds of symbols, as context packs spell them in Beads Console.
KINDS = (
    "function",
    "method",
    "class",
    "interface",
    "type",
    "variable",
    "route",
    "component",
)


class Symbol(NamedTuple):
    """One definition in a file. Lines begin at 1; `end_line` is included.

    Attributes:
        parent: qualified name of what it is defined in, "" at the top: `Store`, `Store.Row`.
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
        """Name with what it is defined in, as anchors and people write it: `Store.open`."""
        return f"{self.parent}.{self.name}" if self.parent else self.name


class Reference(NamedTuple):
    """A name that a file uses: how often, first at which line."""

    name: str
    kind: str
    times: int
    line: int


class ParsedFile(NamedTuple):
    """What one file says. `warning` is "" where it was parsed by its grammar."""

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
        stamp: what its status was when it was read; "" where a later change could look alike.
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
    """A symbol in its file, with how well it answers (0 to 1) and why."""

    path: str
    symbol: Symbol
    score: float
    reason: str = ""


class RankedFile(NamedTuple):
    """A file that answers a question: its score (0 to 1), and what each arm adds to it."""

    path: str
    score: float
    parts: dict[str, float]
    role: str = "source"
    language: str = ""
