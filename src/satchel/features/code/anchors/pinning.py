"""Pins memories to code and checks the code's state, reading the files involved."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from satchel.core.errors import NotFoundError
from satchel.core.hashing import blob_hash
from satchel.features.code.anchors.rules import (
    FRESH,
    GONE,
    MOVED,
    Anchor,
    AnchorState,
    find_elsewhere,
    lines_of,
    named,
    state_here,
    text_hash,
)
from satchel.features.code.map.reading import Tree
from satchel.features.code.map.repository import Repository
from satchel.features.code.map.store import CodeStore
from satchel.features.code.symbols.values import Symbol
from satchel.storage.git import GitError

_MOST_PLACES = 50


def pin(root: str, path: str, symbol: str, *, in_git: bool) -> Anchor:
    """Return an anchor for a symbol, or for a whole file if `symbol` is "".

    Raises `NotFoundError` if there is no such file or symbol.
    """
    got = Tree(root).read(path)
    if got is None:
        raise NotFoundError(
            f"{path[:200]} is not a file of this project.",
            hint="Write path:symbol, for example src/store.py:Store.open.",
        )
    data = got[1]
    text = data.decode("utf-8", "replace")
    commit = _commit(root) if in_git else ""
    if not symbol:
        return Anchor(path, "", text_hash(text.split("\n")), commit, blob_hash(data))
    from satchel.features.code.symbols.parsing import parse

    symbols = parse(path, data).symbols
    there = named(symbols, symbol)
    if not there:
        import difflib

        near = difflib.get_close_matches(symbol, [s.qualified for s in symbols], n=3, cutoff=0.4)
        raise NotFoundError(
            f"{path[:200]} defines no {symbol[:120]!r}.",
            hint=f"Did you mean {', '.join(near)}?" if near else "See `satchel code symbols`.",
        )
    one = there[0]
    return Anchor(path, one.qualified, text_hash(lines_of(one, text)), commit, blob_hash(data))


def _commit(root: str) -> str:
    try:
        return Repository(root).ask("rev-parse", "--verify", "--quiet", "HEAD").strip()
    except GitError:
        return ""


def states(
    root: str, anchors: Sequence[Anchor], opened_map: Callable[[], CodeStore]
) -> list[AnchorState]:
    """Return the states of anchors. `opened_map` is used only for code not at its path."""
    reading = _Reading(root)
    return [_state(reading, anchor, opened_map) for anchor in anchors]


class _Reading:
    """Files and renames shared by several anchors, each read once."""

    def __init__(self, root: str) -> None:
        self.root, self.tree = root, Tree(root)
        self._files: dict[str, tuple[str, str, bytes] | None] = {}
        self._renames: dict[str, list[tuple[str, str]]] = {}

    def file(self, path: str) -> tuple[str, str, bytes] | None:
        """Return a file's git hash, text and bytes; None if it is missing."""
        if path not in self._files:
            got = self.tree.read(path)
            self._files[path] = (
                None
                if got is None
                else (blob_hash(got[1]), got[1].decode("utf-8", "replace"), got[1])
            )
        return self._files[path]

    def followed(self, anchor: Anchor) -> str:
        """Return where later commits moved an anchor's file, as `git log --follow` does."""
        if anchor.commit not in self._renames:
            try:
                found = Repository(self.root).renames_since(anchor.commit)
            except GitError:
                found = []
            self._renames[anchor.commit] = found
        path = anchor.path
        for old, new in self._renames[anchor.commit]:
            path = new if old == path else path
        return path


def _state(reading: _Reading, anchor: Anchor, opened_map: Callable[[], CodeStore]) -> AnchorState:
    state = _in_file(reading, anchor, anchor.path)
    if state is None and (path := reading.followed(anchor)) != anchor.path:
        state = _in_file(reading, anchor, path)
    if state is not None:
        return state
    store = opened_map()
    if not anchor.symbol:
        return _file_elsewhere(store, anchor)
    places = []
    last = anchor.symbol.rsplit(".", 1)[-1]
    files = store.files()
    for number, _, symbol in store.symbols("symbols_named", [last])[:_MOST_PLACES]:
        path = files[number].path
        got = reading.file(path)
        if got is not None:
            places.append((path, symbol, lines_of(symbol, got[1])))
    return find_elsewhere(anchor, places, _before(reading.root, anchor) if places else [])


def _in_file(reading: _Reading, anchor: Anchor, path: str) -> AnchorState | None:
    """Compare an anchor with a file; None if the file or the symbol is missing."""
    here = reading.file(path)
    if here is None:
        return None
    blob, text, data = here
    moved = path != anchor.path
    if anchor.blob and blob == anchor.blob and not moved:
        return AnchorState(anchor, FRESH, path, anchor.symbol)
    found = state_here(anchor._replace(path=path), _symbols(path, anchor.symbol, data), text)
    if found is None:
        return None
    state = MOVED if moved and found.state == FRESH else found.state
    return found._replace(anchor=anchor, state=state)


def _symbols(path: str, symbol: str, data: bytes) -> Sequence[Symbol]:
    if not symbol:
        return ()
    from satchel.features.code.symbols.parsing import parse

    return parse(path, data).symbols


def _file_elsewhere(store: CodeStore, anchor: Anchor) -> AnchorState:
    rows = store.ask("with_hash", anchor.blob) if anchor.blob else []
    if rows:
        return AnchorState(anchor, MOVED, str(rows[0][0]), "", 1)
    return AnchorState(anchor, GONE)


def _before(root: str, anchor: Anchor) -> list[str]:
    """Return an anchor's lines at its commit, if git still has them."""
    if not anchor.commit.isalnum():
        return []
    try:
        text = Repository(root).ask("show", f"{anchor.commit}:./{anchor.path}")
    except GitError:
        return []
    from satchel.features.code.symbols.parsing import parse

    data = text.encode("utf-8", "surrogateescape")
    there = named(parse(anchor.path, data).symbols, anchor.symbol)
    return lines_of(there[0], text) if there else []
