"""Reads a work tree's files for the map: one at a time, or many with two processes."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator, Mapping, Sequence

from satchel.core.hashing import blob_hash
from satchel.core.values import NamedTuple
from satchel.features.code.symbols.languages import TEXTS, language_of
from satchel.features.code.symbols.parsing import parse
from satchel.features.code.symbols.roles import INDEXED, role_of, role_of_content
from satchel.features.code.symbols.values import CodeFile, ParsedFile
from satchel.features.code.symbols.words import in_words, index_words, name_words, path_words
from satchel.storage.files import NO_LINK, NO_WAIT, stamp_of_status, stamp_text
from satchel.storage.platforms import WINDOWS
from satchel.storage.safe_open import is_within

#: Largest file to read, and how much of a data file, bytes.
LARGEST, _DATA = 1_000_000, 20_000
#: For a file's summary: symbols, characters of each one's documentation, and of a plain text.
_NAMES, _SAID, _BEGINNING = 60, 100, 300
#: A change within this many seconds of the last one may have the same time.
_UNSETTLED = 2.0
#: Reading fewer files than this is faster than starting a process.
_MANY, _CHUNK, _PROCESSES = 300, 40, 2


class FileContent(NamedTuple):
    """A file as read. `same` means that its bytes are as in the map."""

    file: CodeFile
    parsed: ParsedFile
    path_words: str = ""
    name_words: str = ""
    text_words: str = ""
    about: str = ""
    symbol_words: tuple[tuple[str, str], ...] = ()
    same: bool = False


class Tree:
    """A work tree, read strictly within its bounds: no links, devices or pipes."""

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root)
        self._inside: dict[str, bool] = {}

    def status(self, path: str) -> os.stat_result | None:
        """Return the status of a regular file inside the tree, or None."""
        whole = os.path.join(self.root, path)
        try:
            found = os.lstat(whole)
        except (OSError, ValueError):
            return None
        return found if stat.S_ISREG(found.st_mode) and self._holds(whole) else None

    def _holds(self, whole: str) -> bool:
        directory = os.path.dirname(whole)
        there = self._inside.get(directory)
        if there is None:
            there = self._inside[directory] = is_within(os.path.realpath(directory), self.root)
        return there

    def read(self, path: str, most: int = LARGEST) -> tuple[os.stat_result, bytes] | None:
        """Read a file's first `most` + 1 bytes; None if it is outside the tree."""
        if self.status(path) is None:
            return None
        try:
            fd = os.open(os.path.join(self.root, path), os.O_RDONLY | NO_LINK | NO_WAIT)
        except OSError:
            return None
        try:
            found = os.fstat(fd)
            if not stat.S_ISREG(found.st_mode):
                return None
            with open(fd, "rb", closefd=False) as file:
                return found, file.read(most + 1)
        except OSError:
            return None
        finally:
            os.close(fd)

    def data(self, path: str, most: int = LARGEST) -> bytes:
        """Return a file's first `most` + 1 bytes; none if it is outside the tree."""
        got = self.read(path, most)
        return got[1] if got else b""


def stamp_of(found: os.stat_result, now: float) -> str:
    """Return a stamp from a file's status; "" while a change could go unnoticed."""
    if abs(now - found.st_mtime) < _UNSETTLED:
        return ""
    return stamp_text(stamp_of_status(found))


def read_one(tree: Tree, path: str, known: str = "") -> FileContent | None:
    """Read a file; None if it is missing. `known` is its hash in the map."""
    role = role_of(path)
    listed = role not in INDEXED
    if listed:
        found = tree.status(path)
        if found is None:
            return None
        stamp = stamp_of(found, time.time())
        file = CodeFile(
            path, role, language_of(path), size=found.st_size, lines=0, stamp=stamp, hash=""
        )
        return FileContent(file, ParsedFile("", (), ()), path_words(path))
    got = tree.read(path)
    if got is None:
        return None
    found, data = got
    stamp, digest = stamp_of(found, time.time()), blob_hash(data)
    role = role_of_content(role, data, found.st_size, LARGEST)
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    first = data[:200].split(b"\n", 1)[0].decode("utf-8", "replace")
    file = CodeFile(
        path,
        role,
        language_of(path, first),
        size=found.st_size,
        lines=lines,
        stamp=stamp,
        hash=digest,
    )
    if known and digest == known:
        return FileContent(file, ParsedFile("", (), ()), same=True)
    if role not in INDEXED:
        return FileContent(file, ParsedFile("", (), ()), path_words(path))
    if role == "data" or len(data) > LARGEST:
        data = data[:_DATA]
    return _indexed(file, data)


def _indexed(file: CodeFile, data: bytes) -> FileContent:
    text = data.decode("utf-8", "replace")
    parsed = ParsedFile(file.language, (), ())
    if file.language not in TEXTS and file.role != "data":
        parsed = parse(file.path, data, routes=file.role != "test")
    names = [symbol.name for symbol in parsed.symbols]
    return FileContent(
        file._replace(warning=parsed.warning),
        parsed,
        path_words(file.path),
        name_words=name_words(names),
        text_words=index_words(f"{file.path}\n{text}"),
        about=_about(file.path, parsed, text),
        symbol_words=tuple(
            (name_words([s.name, s.parent]), index_words(s.documentation)) for s in parsed.symbols
        ),
    )


def _about(path: str, parsed: ParsedFile, text: str) -> str:
    """Return a file's summary in few words: its path, its names and their documentation."""
    told = [in_words(path)]
    told += [f"{in_words(s.name)} {s.documentation[:_SAID]}" for s in parsed.symbols[:_NAMES]]
    if not parsed.symbols:
        told.append(text[:_BEGINNING])
    return ". ".join(told)


def read_many(
    root: str, paths: Sequence[str], known: Mapping[str, str]
) -> Iterator[tuple[str, FileContent | None]]:
    """Read files, sharing the work between two processes if there are many."""
    import threading

    if len(paths) < _MANY or threading.active_count() > 1 or WINDOWS:
        tree = Tree(root)
        for path in paths:
            yield path, read_one(tree, path, known.get(path, ""))
        return
    import multiprocessing

    chunks = [paths[i : i + _CHUNK] for i in range(0, len(paths), _CHUNK)]
    jobs = [(root, [(path, known.get(path, "")) for path in chunk]) for chunk in chunks]
    with multiprocessing.get_context("fork").Pool(_PROCESSES) as pool:
        for done in pool.imap(_read_chunk, jobs):
            yield from done


def _read_chunk(job: tuple[str, list[tuple[str, str]]]) -> list[tuple[str, FileContent | None]]:
    root, wanted = job
    tree = Tree(root)
    return [(path, read_one(tree, path, known)) for path, known in wanted]
