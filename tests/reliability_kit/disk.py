"""A disk that may lose power: what a trace has made durable, and what it has not.

The model, per file: what an fsync covered stays. Every later write or truncation may be kept, lost,
or torn into 512-byte sectors, each on its own; a lost write may still have made the file longer
(zeros). After a *failed* fsync the writes it should have covered stay doubtful for ever, whatever
later fsyncs say, as on Linux.

Per name: create, rename, link and unlink stay once the folder was synced. Before that, they are
lost one by one or from some moment on. A rename is one step. Unless ``strict_create``, an fsync of a
new file also keeps its name and the folders above it, as ext4 and xfs do.
"""

import os
import random
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from reliability_kit.trace_file import Kind, Record, TraceError

SECTOR = 512


class Write(NamedTuple):
    """Bytes at an offset, or (``data`` is None) a new size."""

    at: int
    data: bytes | None


class File:
    """An inode: durable bytes, and the changes since."""

    def __init__(self) -> None:
        self._durable = bytearray()
        self._frozen: bytes | None = b""
        self.loose: list[Write] = []  # since the last fsync
        # After a failed fsync: (change, certain) in order; certain ones were synced later.
        self._doubtful: list[tuple[Write, bool]] = []

    def sync(self) -> None:
        """An fsync succeeded."""
        if self._doubtful:
            self._doubtful += [(change, True) for change in self.loose]
        else:
            for change in self.loose:
                _apply(self._durable, change)
            self._frozen = None if self.loose else self._frozen
        self.loose = []

    def sync_failed(self) -> None:
        """An fsync failed: its writes may never reach the disk."""
        self._doubtful += [(change, False) for change in self.loose]
        self.loose = []

    def latest(self) -> bytes:
        """The content that processes see."""
        content = bytearray(self._durable)
        for change in [*(change for change, _ in self._doubtful), *self.loose]:
            _apply(content, change)
        return bytes(content)

    def after_crash(self, dice: random.Random, keep: float) -> bytes:
        """One content that a power cut may leave."""
        if self._frozen is None:
            self._frozen = bytes(self._durable)
        if not self.loose and not self._doubtful:
            return self._frozen
        content = bytearray(self._frozen)
        for change, certain in [*self._doubtful, *((change, False) for change in self.loose)]:
            if certain:
                _apply(content, change)
                continue
            for part in _torn(change, dice, keep):
                _apply(content, part)
        return bytes(content)


class Folder:
    """A directory: the names that are durable, and those that processes see."""

    def __init__(self) -> None:
        self.durable: dict[str, Node] = {}
        self.seen: dict[str, Node] = {}


class Link(NamedTuple):
    """A symbolic link."""

    target: str


Node = File | Folder | Link
_View = Callable[[Folder], dict[str, Node]]


class NameChange(NamedTuple):
    """One step in the name space; a rename removes and adds at once."""

    removes: tuple[tuple[Folder, str], ...]
    adds: tuple[tuple[Folder, str, Node], ...]
    creates: bool = False

    def places(self) -> set[tuple[int, str]]:
        """Which names it touches."""
        return {(id(folder), name) for folder, name in self.removes} | {
            (id(folder), name) for folder, name, _ in self.adds
        }


def _apply(content: bytearray, change: Write) -> None:
    if change.data is None:
        del content[change.at :]
        content.extend(bytes(change.at - len(content)))
        return
    content.extend(bytes(max(0, change.at - len(content))))
    content[change.at : change.at + len(change.data)] = change.data


def _torn(change: Write, dice: random.Random, keep: float) -> Iterator[Write]:
    """The parts of one unsynced change that reached the disk."""
    data = change.data
    if dice.random() >= keep:
        if data and dice.random() < 0.25:  # the size was written, the data was not
            yield Write(change.at + len(data), b"")
        return
    if data is None or dice.random() < 0.5:
        yield change
        return
    end = change.at + len(data)
    for sector in range(change.at // SECTOR * SECTOR, end, SECTOR):
        if dice.random() < 0.5:
            low, high = max(sector, change.at), min(sector + SECTOR, end)
            yield Write(low, data[low - change.at : high - change.at])


class Disk:
    """Replays records, and says what a crash would leave."""

    def __init__(self, prefix: str, *, strict_create: bool) -> None:
        self._prefix = prefix
        self._strict = strict_create
        self.root = Folder()
        self._inodes: dict[int, File] = {}
        self._pending: list[NameChange] = []
        self._above: dict[int, tuple[NameChange, Folder]] = {}  # node -> its creation, its folder

    def play(self, record: Record) -> None:
        """Carry out one record."""
        kind = record.kind
        if kind in (Kind.WRITE, Kind.TRUNCATE):
            data = record.data if kind is Kind.WRITE else None
            self._file(record).loose.append(Write(record.at, data))
        elif kind is Kind.SYNC:
            file = self._file(record)
            file.sync()
            self._settle_creation(file)
        elif kind is Kind.SYNC_FAILED:
            self._file(record).sync_failed()
        elif kind is Kind.SYNC_DIR and not record.path.endswith(" (deleted)"):
            folder = self._folder(record.path)
            self._settle_creation(folder)
            self._settle(
                change
                for change in self._pending
                if any(f == id(folder) for f, _ in change.places())
            )
        elif kind is Kind.SYNC_ALL:
            for file in self._inodes.values():
                file.sync()
            self._settle(list(self._pending))
        elif kind not in (Kind.MARK, Kind.START, Kind.SYNC_DIR):
            self._play_name(record)

    def _play_name(self, record: Record) -> None:
        kind = record.kind
        folder, name = self._place(record.path)
        if kind in (Kind.CREATE, Kind.MKDIR, Kind.SYMLINK):
            node: Node = File() if kind is Kind.CREATE else Folder()
            if kind is Kind.SYMLINK:
                node = Link(record.other)
            if isinstance(node, File):
                self._inodes[record.inode] = node
            change = NameChange((), ((folder, name, node),), creates=True)
            self._above[id(node)] = (change, folder)
        elif kind in (Kind.UNLINK, Kind.RMDIR):
            change = NameChange(((folder, name),), ())
        elif kind is Kind.LINK:
            source, old = self._place(record.other)
            change = NameChange((), ((folder, name, source.seen[old]),))
        else:
            target, new = self._place(record.other)
            node = folder.seen[name]
            if target.seen.get(new) is node:
                return  # two names of one file: POSIX renames nothing
            change = NameChange(((folder, name),), ((target, new, node),))
        _carry_out(change, lambda folder: folder.seen)
        self._pending.append(change)

    def _settle_creation(self, node: Node) -> None:
        """An fsync of a new file keeps its name, and the folders above it."""
        wanted = []
        while not self._strict and id(node) in self._above:
            change, node = self._above[id(node)]
            wanted.append(change)
        self._settle(wanted)

    def _settle(self, changes: Iterable[NameChange]) -> None:
        """Make changes durable, with the earlier ones to the same names."""
        wanted = {id(change) for change in changes}
        if not wanted:
            return
        places: set[tuple[int, str]] = set()
        for change in reversed(self._pending):
            if id(change) in wanted or places & change.places():
                wanted.add(id(change))
                places |= change.places()
        for change in self._pending:
            if id(change) in wanted:
                _carry_out(change, lambda folder: folder.durable)
        self._pending = [change for change in self._pending if id(change) not in wanted]

    def after_crash(self, dice: random.Random) -> Iterator[tuple[str, bytes | str | None]]:
        """One tree that a power cut may leave: (path, content | link target | None: a folder)."""
        # Drawn for the whole image, so that "nothing got out" and "everything did" both occur.
        keep_data = dice.choice((0.0, 0.5, 0.9, 1.0))
        keep_names = dice.choice((0.0, 0.5, 0.9, 1.0))
        pending = self._pending
        if dice.random() < 0.5:  # a journal: nothing after some moment
            kept = pending[: dice.randint(0, len(pending))]
        else:
            kept = [change for change in pending if dice.random() < keep_names]
        views: dict[int, dict[str, Node]] = {}

        def view(folder: Folder) -> dict[str, Node]:
            return views.setdefault(id(folder), dict(folder.durable))

        for change in kept:
            _carry_out(change, view)
        contents: dict[int, bytes] = {}  # two names of one file have one content
        for path, node in _walk(self.root, lambda folder: views.get(id(folder), folder.durable)):
            if isinstance(node, File):
                if id(node) not in contents:
                    contents[id(node)] = node.after_crash(dice, keep_data)
                yield path, contents[id(node)]
            else:
                yield path, node.target if isinstance(node, Link) else None

    def seen(self) -> Iterator[tuple[str, bytes | str | None]]:
        """The tree as processes see it, in the form of ``after_crash``."""
        for path, node in _walk(self.root, lambda folder: folder.seen):
            if isinstance(node, File):
                yield path, node.latest()
            else:
                yield path, node.target if isinstance(node, Link) else None

    def _file(self, record: Record) -> File:
        try:
            return self._inodes[record.inode]
        except KeyError:
            raise TraceError(
                f"{record.path} came into being without the shim's knowledge"
            ) from None

    def _place(self, path: str) -> tuple[Folder, str]:
        if not path.startswith(self._prefix + os.sep):
            raise TraceError(f"{path} is renamed or linked across the border of {self._prefix}")
        folder, name = os.path.split(path)
        return self._folder(folder), name

    def _folder(self, path: str) -> Folder:
        here: Node = self.root
        for name in path[len(self._prefix) :].split(os.sep):
            if name:
                inner = here.seen.get(name) if isinstance(here, Folder) else None
                here = inner or _not_a_folder(path)
        return here if isinstance(here, Folder) else _not_a_folder(path)


def _not_a_folder(path: str) -> Folder:
    raise TraceError(f"{path} is not a folder in the trace")


def _carry_out(change: NameChange, view: _View) -> None:
    for folder, name in change.removes:
        view(folder).pop(name, None)
    for folder, name, node in change.adds:
        view(folder)[name] = node


def _walk(root: Folder, view: _View) -> Iterator[tuple[str, Node]]:
    todo: list[tuple[str, Folder]] = [("", root)]
    visited = {id(root)}
    while todo:
        path, folder = todo.pop()
        for name, node in view(folder).items():
            inner = path + name
            if isinstance(node, Folder):
                if id(node) in visited:
                    continue  # a half-lost move may show a folder twice
                visited.add(id(node))
                todo.append((inner + os.sep, node))
            yield inner, node
