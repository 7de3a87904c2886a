"""Saved packs: their contents and locations, but not the code, which is read again."""

from __future__ import annotations

import os
from collections.abc import Sequence

from satchel.core import quick_json
from satchel.core.errors import NotFoundError, StoreError
from satchel.core.hashing import short_hash
from satchel.core.ids import slug
from satchel.core.values import Any
from satchel.features.code.pack_values import Dependency, Pack, PackFile, PackSymbol
from satchel.features.code.reading import Tree
from satchel.features.code.values import RankedFile
from satchel.storage.locks import read_file, replace_file


class SavedPacks:
    """The saved packs of one project."""

    def __init__(self, directory: str) -> None:
        self.directory = directory

    def _path(self, name: str) -> str:
        # The hash keeps apart what the slug makes alike, and empty slugs.
        mark = short_hash(name.encode("utf-8", "surrogateescape"))[:8]
        return os.path.join(self.directory, f"{slug(name)[:60]}-{mark}.json")

    def save(self, pack: Pack, name: str) -> Pack:
        """Save a pack under a name, replacing one with the same name."""
        pack = pack._replace(name=name)
        bare = pack._replace(
            files=tuple(f._replace(content="", hash=_mark(f.content)) for f in pack.files),
            symbols=tuple(
                s._replace(code="", signature="", documentation="", hash=_mark(s.code))
                for s in pack.symbols
            ),
        )
        text = quick_json.dumps(_as_dict(bare))
        replace_file(self._path(name), (text + "\n").encode())
        return pack

    def every(self) -> list[Pack]:
        """Return every saved pack, newest first, without its code."""
        found = []
        try:
            names = sorted(os.listdir(self.directory))
        except FileNotFoundError:
            return []
        for name in names:
            if name.endswith(".json"):
                pack = _read(os.path.join(self.directory, name))
                if pack is not None:
                    found.append(pack)
        return sorted(found, key=lambda pack: (pack.created, pack.id), reverse=True)

    def find(self, given: str) -> Pack:
        """Return a saved pack by name or id, without its code. Raises `NotFoundError`."""
        for pack in self.every():
            if given in (pack.name, pack.id):
                return pack
        raise NotFoundError(
            f"There is no saved pack {given[:80]!r}.", hint="`satchel pack list` shows them."
        )

    def delete(self, given: str) -> Pack:
        """Delete a saved pack by name or by id."""
        pack = self.find(given)
        os.unlink(self._path(pack.name))
        return pack


def with_code(pack: Pack, tree: Tree) -> Pack:
    """Read a saved pack's code again; warnings say what has changed or gone since."""
    warnings = list(pack.warnings)
    texts: dict[str, list[str] | None] = {}

    def lines_of(path: str) -> list[str] | None:
        if path not in texts:
            got = tree.read(path)
            text = got[1].decode("utf-8", "replace") if got else ""
            texts[path] = text.split("\n") if got else None
        return texts[path]

    def code(path: str, start: int, end: int, mark: str) -> str | None:
        lines = lines_of(path)
        if lines is None:
            warnings.append(f"{path} was removed since the pack was saved.")
            return None
        text = "\n".join(lines[start - 1 : end])
        if _mark(text) != mark:
            warnings.append(f"{path}:{start} has changed since the pack was saved.")
        return text

    files, symbols = [], []
    for file in pack.files:
        text = code(file.path, file.start, file.end, file.hash)
        if text is not None:
            files.append(file._replace(content=text))
    for symbol in pack.symbols:
        text = code(symbol.path, symbol.line, symbol.end, symbol.hash)
        if text is not None:
            symbols.append(symbol._replace(code=text))
    return pack._replace(
        files=tuple(files), symbols=tuple(symbols), warnings=tuple(dict.fromkeys(warnings))
    )


def _mark(text: str) -> str:
    return short_hash(text.rstrip("\n").encode("utf-8", "replace"))


def _as_dict(pack: Pack) -> dict[str, Any]:
    told: dict[str, Any] = pack._asdict()
    for name in ("files", "symbols", "dependencies", "ranked"):
        told[name] = [one._asdict() for one in told[name]]
    return told


def _read(path: str) -> Pack | None:
    try:
        told = quick_json.loads(read_file(path).decode("utf-8", "replace"))
        return Pack(
            **{
                **told,
                "files": _values(PackFile, told["files"]),
                "symbols": _values(PackSymbol, told["symbols"]),
                "dependencies": _values(Dependency, told["dependencies"]),
                "ranked": _values(RankedFile, told["ranked"]),
                **{n: tuple(told[n]) for n in ("queries", "warnings")},
            }
        )
    except (StoreError, ValueError, KeyError, TypeError):
        return None


def _values(kind: Any, rows: Sequence[dict[str, Any]]) -> tuple[Any, ...]:
    return tuple(kind(**row) for row in rows)
