"""Anchors: the code a memory is about, and what has become of it. Rules only.

An anchor is a path, a symbol in it and the hash of the symbol's text, ignoring whitespace, so that
indentation does not matter. Records store them in the field `data`: `{"anchors": [{"path",
"symbol", "hash", "commit", "blob"}]}`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from typing import Any

from satchel.core.hashing import short_hash
from satchel.core.values import NamedTuple
from satchel.features.code.symbols.values import Symbol

FRESH, MOVED, CHANGED, GONE = "fresh", "moved", "changed", "gone"
#: Texts with one name and at least this alike are the same thing in another place.
SIMILAR = 0.6
_MOST = 20
#: Fewest lines by which to recognize a definition under another name.
_TELLING = 3
_LONGEST = 20_000


class Anchor(NamedTuple):
    """The code that a memory is pinned to.

    Attributes:
        symbol: qualified name (`Store.open`); "" for the whole file.
        hash: of the symbol's text, or of the file's.
        commit: checked out at that time; "" outside of git.
        blob: git's hash of the whole file: if it is the same, nothing has changed.
    """

    path: str
    symbol: str
    hash: str
    commit: str = ""
    blob: str = ""


class AnchorState(NamedTuple):
    """The state of an anchor and its current place; `line` is 0 if it is gone.

    Changed code may have moved, too.
    """

    anchor: Anchor
    state: str
    path: str = ""
    symbol: str = ""
    line: int = 0
    end_line: int = 0


def text_hash(lines: Iterable[str]) -> str:
    """Return a hash of lines that ignores whitespace and empty lines."""
    kept = ("".join(line.split()) for line in lines)
    return short_hash("\n".join(line for line in kept if line).encode("utf-8", "replace"))


def lines_of(symbol: Symbol | None, text: str) -> list[str]:
    """Return a symbol's lines in its file, or all lines for None."""
    lines = text.split("\n")
    return lines if symbol is None else lines[symbol.line - 1 : symbol.end_line]


def named(symbols: Sequence[Symbol], name: str) -> list[Symbol]:
    """Return symbols by qualified name, or else by the end of it."""
    name = name.strip().replace("::", ".").replace("#", ".")
    exact = [s for s in symbols if s.qualified == name]
    if exact:
        return exact
    ends = [s for s in symbols if s.qualified.endswith("." + name)]
    return ends or [s for s in symbols if s.name == name]


def alike(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the similarity of two texts, 0 to 1, by line and without whitespace."""
    a = ["".join(line.split()) for line in one if line.strip()][:_LONGEST]
    b = ["".join(line.split()) for line in other if line.strip()][:_LONGEST]
    return difflib.SequenceMatcher(None, a, b, autojunk=False).ratio()


def state_here(anchor: Anchor, symbols: Sequence[Symbol], text: str) -> AnchorState | None:
    """Compare an anchor with the file at its path; None if the symbol is not in it."""
    if not anchor.symbol:
        lines = text.split("\n")
        state = FRESH if text_hash(lines) == anchor.hash else CHANGED
        return AnchorState(anchor, state, anchor.path, symbol="", line=1, end_line=len(lines))
    there = named(symbols, anchor.symbol)
    if not there:
        return _renamed(anchor, symbols, text)
    same = [s for s in there if text_hash(lines_of(s, text)) == anchor.hash]
    return _at(anchor, FRESH if same else CHANGED, anchor.path, (same or there)[0])


def _at(anchor: Anchor, state: str, path: str, symbol: Symbol) -> AnchorState:
    return AnchorState(anchor, state, path, symbol.qualified, symbol.line, symbol.end_line)


def _renamed(anchor: Anchor, symbols: Sequence[Symbol], text: str) -> AnchorState | None:
    """Return the only definition in the file that differs just by name."""
    last = anchor.symbol.rsplit(".", 1)[-1]
    found = []
    for symbol in symbols:
        lines = lines_of(symbol, text)
        if symbol.name and symbol.name in lines[0] and sum(map(bool, lines)) >= _TELLING:
            own = re.compile(rf"(?<!\w){re.escape(symbol.name)}(?!\w)")
            if text_hash(own.sub(lambda _: last, line) for line in lines) == anchor.hash:
                found.append(symbol)
    return _at(anchor, MOVED, anchor.path, found[0]) if len(found) == 1 else None


def find_elsewhere(
    anchor: Anchor, places: Iterable[tuple[str, Symbol, Sequence[str]]], before: Sequence[str]
) -> AnchorState:
    """Look for an anchor in other places; `before` is its text at its commit, if known.

    Args:
        anchor: no longer at its path.
        places: path, symbol and lines of everything with its name.
        before: its former lines; empty if unknown.
    """
    last = anchor.symbol.rsplit(".", 1)[-1]
    best, most = None, 0.0
    for path, symbol, lines in places:
        # Getters are often equal: so short a definition is recognized only by its whole name.
        telling = sum(map(bool, lines)) >= _TELLING or symbol.qualified == anchor.symbol
        if telling and text_hash(lines) == anchor.hash:
            best, most = (path, symbol), 2.0
            break
        score = alike(before, lines) if before else 0.0
        # Many methods share the last part of a name: only the whole name is enough alone.
        if symbol.qualified == anchor.symbol and "." in anchor.symbol:
            score = max(score, SIMILAR)
        if symbol.name == last and score > most:
            best, most = (path, symbol), score
    if best is None or most < SIMILAR:
        return AnchorState(anchor, GONE)
    # As it was, or only like it.
    return _at(anchor, MOVED if most > 1 else CHANGED, *best)


def anchors_in(data: Any) -> list[Anchor]:
    """Return the anchors in a record's `data`, skipping invalid ones."""
    given = data.get("anchors") if isinstance(data, dict) else None
    found = []
    for one in given[:_MOST] if isinstance(given, list) else ():
        if isinstance(one, dict) and isinstance(one.get("path"), str) and one["path"]:
            fields = (one.get(name, "") for name in Anchor._fields)
            found.append(Anchor(*(value if isinstance(value, str) else "" for value in fields)))
    return found


def as_data(anchors: Iterable[Anchor]) -> dict[str, Any]:
    """Return anchors as stored in a record's `data`."""
    told = [{name: value for name, value in a._asdict().items() if value} for a in anchors]
    return {"anchors": told}
