"""A directory of backups: contents stored once by hash, and a manifest per backup.

    satchel-backups.json      what this directory is
    objects/ab/cdef...        a block of at most 1 MiB, compressed, named by its SHA-256
    backups/20260501T120000.250Z-1f2e3d.json    the files of one moment, each as its blocks

Only what was appended since the last backup takes more space. The manifest appears last, in one
rename: a listed backup is complete.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from satchel import __version__
from satchel.application.exchange.backups.snapshot import BLOCK, SnapshotFile
from satchel.core import quick_json, times
from satchel.core.errors import BadInputError, ConflictError, NotFoundError, NotReadableError
from satchel.core.hashing import digest, new_hasher, object_in, sealed
from satchel.core.values import NamedTuple
from satchel.project.inventory import FILE_KINDS, LEDGER, LINES, PACKED, WHOLE, HomeFile
from satchel.storage.files import make_private_directory, not_usable, read_file, replace_file
from satchel.storage.locks import FileLock

FORMAT = 1
_SIGN = "satchel-backups.json"
_HASH = 64


class StoredFile(NamedTuple):
    """A file in a backup: its type, length, hash, permissions and blocks in order."""

    file: HomeFile
    size: int
    hash: str
    mode: int
    blocks: tuple[str, ...]


class Backup(NamedTuple):
    """A backup: its name, its time (Unix seconds), the release that made it, files by path."""

    name: str
    made: float
    release: str
    files: tuple[StoredFile, ...]

    @property
    def size(self) -> int:
        """Return the total size of all files."""
        return sum(one.size for one in self.files)


class Vault:
    """The backups in a directory.

    Raises `ConflictError` for a directory that holds something else.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        if os.path.lexists(path) and not os.path.isdir(path):
            raise ConflictError(f"{path} is not a directory.", hint="Name another place.")

    def lock(self) -> FileLock:
        """Return the lock that writers hold."""
        return FileLock(os.path.join(self.path, "lock"), timeout=30.0)

    def prepare(self) -> None:
        """Create the directory, accessible only to its owner, unless it exists."""
        sign = os.path.join(self.path, _SIGN)
        if os.path.exists(sign):
            self._check_format(sign)
            return
        there = os.listdir(self.path) if os.path.isdir(self.path) else []
        # Leftovers of a killed first backup are ours.
        if [name for name in there if name != "lock" and not name.startswith(_SIGN + ".")]:
            raise ConflictError(
                f"{self.path} contains files other than backups; nothing was written.",
                hint="Name an empty directory, or one that does not exist yet.",
            )
        make_private_directory(self.path)
        replace_file(sign, sealed(quick_json.dumps({"format": FORMAT}))[0] + b"\n")

    def _check_format(self, sign: str) -> None:
        fields = _read(sign)
        if fields.get("format") != FORMAT:
            raise ConflictError(
                f"{self.path} has backups of format {fields.get('format')}; this release knows "
                f"{FORMAT}. Nothing was written.",
                hint="Use the Satchel that made them, or another directory.",
            )

    # Writing; the caller holds the lock

    def keep(self, pieces: Iterable[SnapshotFile], *, made: float) -> Backup:
        """Save files as a backup and return it; it is listed once fully on disk."""
        files = []
        for piece in pieces:
            whole, size, blocks = new_hasher(), 0, []
            for block in piece.blocks():
                whole.update(block)
                size += len(block)
                blocks.append(self._put(block))
            kept = StoredFile(piece.file, size, whole.hexdigest(), piece.mode, tuple(blocks))
            files.append(kept)
        stamp = times.utc(made).strftime("%Y%m%dT%H%M%S.%f")[:-3]
        name = f"{stamp}Z-{os.urandom(3).hex()}"
        return self._write(Backup(name, made, __version__, tuple(files)))

    def _write(self, backup: Backup) -> Backup:
        line = sealed(quick_json.dumps(_encode_manifest(backup)))[0]
        replace_file(self.manifest(backup.name), line + b"\n")
        return backup

    def _put(self, block: bytes) -> str:
        name = digest(block).hex()
        path = self._object(name)
        if os.path.exists(path):
            try:
                self._get(name)
            except NotReadableError:
                pass  # damaged since: it is written again
            else:
                return name
        replace_file(path, zlib.compress(block, 1))
        return name

    def prune(self, keep: int) -> list[str]:
        """Remove all but the newest `keep` backups and their unshared blocks; return names."""
        names = self.names()
        gone = names[: max(0, len(names) - keep)]
        # Read before removing anything: a damaged manifest's blocks are unknown, so then all stay.
        needed = self._blocks_of(names[len(gone) :])
        for name in gone:
            os.unlink(self.manifest(name))
        if gone:
            self._sweep(needed)
        return gone

    def rewrite(self, backup: Backup, changed: Mapping[StoredFile, bytes]) -> None:
        """Replace files of a backup; `sweep` then removes their old blocks."""
        files = []
        for one in backup.files:
            data = changed.get(one)
            if data is not None:
                blocks = tuple(
                    self._put(data[at : at + BLOCK]) for at in range(0, len(data), BLOCK)
                )
                one = one._replace(size=len(data), hash=digest(data).hex(), blocks=blocks)  # noqa: PLW2901
            files.append(one)
        self._write(backup._replace(files=tuple(files)))

    def sweep(self) -> None:
        """Remove blocks that no backup uses."""
        self._sweep(self._blocks_of(self.names()))

    def _blocks_of(self, names: Sequence[str]) -> set[str]:
        files = (one for name in names for one in self.load(name).files)
        return {block for one in files for block in one.blocks}

    def _sweep(self, needed: set[str]) -> None:
        root = os.path.join(self.path, "objects")
        for folder in sorted(os.listdir(root)):
            for rest in os.listdir(os.path.join(root, folder)):
                if folder + rest not in needed:
                    os.unlink(os.path.join(root, folder, rest))

    # Reading

    def names(self) -> list[str]:
        """Return the names of backups, oldest first."""
        try:
            found = os.listdir(os.path.join(self.path, "backups"))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise not_usable(self.path, error, writing=False) from error
        return sorted(name.removesuffix(".json") for name in found if name.endswith(".json"))

    def every(self) -> list[Backup]:
        """Return every backup, oldest first by its own time. Raises for a damaged manifest."""
        return sorted((self.load(name) for name in self.names()), key=lambda one: one.made)

    def find(self, given: str, at: float | None = None) -> Backup:
        """Return a backup by name or prefix; for "latest", the newest.

        Args:
            given: a name, or "" to choose by `at`.
            at: Unix seconds; chooses the first backup made at or after it.
        """
        names = self.names()
        if not names:
            raise NotFoundError(f"There is no backup in {self.path}.", hint="`satchel backup`")
        if given in ("", "latest"):
            later = [one for one in self.every() if at is not None and one.made >= at]
            return later[0] if later and not given else self.every()[-1]
        matches = [name for name in names if name.startswith(given)]
        if not matches:
            raise NotFoundError(f"There is no backup {given[:60]!r}.", hint="`backup --list`")
        if len(matches) > 1:
            raise BadInputError(f"{given!r} could be {', '.join(matches[:5])}.")
        return self.load(matches[0])

    def load(self, name: str) -> Backup:
        """Read a manifest. Raises `NotReadableError` naming the file if it is damaged."""
        path = self.manifest(name)
        fields = _read(path)
        try:
            if fields["format"] != FORMAT:
                raise ConflictError(f"{path} is of format {fields['format']}, which is not known.")
            files = tuple(_kept_from(one) for one in fields["files"])
            return Backup(name, float(fields["made"]), str(fields["satchel"]), files)
        except (KeyError, TypeError, ValueError):
            raise NotReadableError(f"{path} is damaged.", hint="Choose another backup.") from None

    def contents(self, one: StoredFile) -> Iterator[bytes]:
        """Yield the blocks of a file. Raises `NotReadableError` naming it if they do not match."""
        whole, size = new_hasher(), 0
        for name in one.blocks:
            try:
                block = self._get(name)
            except NotReadableError as error:
                raise NotReadableError(
                    f"The backup of {one.file.path} is damaged: {error}",
                    hint="Nothing was changed. `satchel backup --verify` says which are whole.",
                ) from None
            whole.update(block)
            size += len(block)
            yield block
        if (whole.hexdigest(), size) != (one.hash, one.size):
            raise NotReadableError(f"The backup of {one.file.path} is not what was kept.")

    def _get(self, name: str) -> bytes:
        path = self._object(name)
        try:
            with open(path, "rb") as file:
                block = zlib.decompress(file.read())
        except (OSError, zlib.error):
            raise NotReadableError(f"{path} cannot be read.") from None
        if digest(block).hex() != name:
            raise NotReadableError(f"{path} does not hold what its name says.")
        return block

    def damage(self, backup: Backup) -> list[str]:
        """Read a whole backup; return what is wrong, one sentence per file."""
        wrong = []
        for one in backup.files:
            try:
                for _ in self.contents(one):
                    pass
            except NotReadableError as error:
                wrong.append(str(error))
        return wrong

    def disk_size(self) -> int:
        """Return the total size on disk."""
        return sum(
            os.path.getsize(os.path.join(where, name))
            for where, _, names in os.walk(self.path)
            for name in names
        )

    def _object(self, name: str) -> str:
        return os.path.join(self.path, "objects", name[:2], name[2:])

    def manifest(self, name: str) -> str:
        """Return the path of a backup's manifest."""
        return os.path.join(self.path, "backups", name + ".json")


def _encode_manifest(backup: Backup) -> dict[str, Any]:
    files = [[*one.file, one.size, one.hash, one.mode, list(one.blocks)] for one in backup.files]
    return {"format": FORMAT, "satchel": backup.release, "made": backup.made, "files": files}


def _kept_from(row: Sequence[Any]) -> StoredFile:
    path, kind, sort, size, whole, mode, blocks = row
    marks = [whole, *blocks]
    known = kind in FILE_KINDS and sort in (LEDGER, LINES, PACKED, WHOLE)
    if not known or any(len(mark) != _HASH or not mark.isalnum() for mark in marks):
        raise ValueError(path)
    file = HomeFile(str(path), str(kind), str(sort))
    return StoredFile(file, int(size), str(whole), int(mode) & 0o777, tuple(map(str, blocks)))


def _read(path: str) -> dict[str, Any]:
    line = read_file(path).rstrip(b"\n")
    value = object_in(line)
    if not value:
        raise NotReadableError(f"{path} is damaged or missing.", hint="Choose another backup.")
    return value
