"""Export archives: a directory, or the same as tar.gz, with a manifest of hashes.

    manifest.json     format, version, of whom, and each file with kind, size and SHA-256
    project/...       private state of the project: ledgers, sessions, archive
    person/...        what belongs to the person in every project
    tracked/...       files of the work tree; `tracked/knowledge.jsonl` is the tracked ledger

The manifest comes first, so that a streaming reader knows what follows.
"""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Iterator
from typing import Any, BinaryIO

from satchel.core import quick_json
from satchel.core.errors import BadInputError, ConflictError, NotReadableError
from satchel.core.hashing import digest
from satchel.core.values import NamedTuple
from satchel.project.inventory import FILE_KINDS, LEDGER, LINES, PACKED, WHOLE, local_path
from satchel.storage.files import (
    flush_directory,
    make_private_directory,
    not_usable,
    read_file,
    replace_file,
)
from satchel.storage.safe_open import is_within

NAME, VERSION = "satchel-export", 1
MANIFEST = "manifest.json"
PROJECT, PERSON, TRACKED = "project", "person", "tracked"
#: Largest file, and largest manifest, to read, in bytes.
_LARGEST, _LARGEST_MANIFEST = 1 << 30, 64 << 20


class Entry(NamedTuple):
    """A file in an archive: its path, kind and sort (see inventory), length and hash."""

    path: str
    kind: str
    sort: str
    size: int
    hash: str


def write_archive(target: str, head: dict[str, Any], files: dict[Entry, bytes]) -> None:
    """Write an archive as a directory, or as a file ending in .tar.gz or .tgz.

    Raises `ConflictError` if it exists: nothing is ever overwritten.
    """
    if os.path.lexists(target):
        raise ConflictError(f"{target} already exists.", hint="Name a new file or directory.")
    parent = os.path.dirname(target) or "."
    if not os.path.isdir(parent):
        raise BadInputError(f"{parent} is not a directory.", hint="Make it first.")
    unfinished = f"{target}.{os.getpid()}.unfinished"
    if target.endswith((".tar.gz", ".tgz")):
        buffer = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(buffer, "wb") as file:
                stream_archive(file, head, files)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            os.unlink(unfinished)
            raise not_usable(target, error, writing=True) from error
    else:
        make_private_directory(unfinished)
        for entry, data in files.items():
            replace_file(local_path(unfinished, entry.path), data)
        replace_file(os.path.join(unfinished, MANIFEST), manifest_of(head, list(files)))
    os.rename(unfinished, target)
    flush_directory(parent)


def stream_archive(out: BinaryIO, head: dict[str, Any], files: dict[Entry, bytes]) -> None:
    """Write the archive as tar.gz to a stream."""
    with tarfile.open(fileobj=out, mode="w|gz") as tar:
        _add(tar, MANIFEST, manifest_of(head, list(files)))
        for entry, data in files.items():
            _add(tar, entry.path, data)


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(data), 0o600
    tar.addfile(member, io.BytesIO(data))


def manifest_of(head: dict[str, Any], entries: list[Entry]) -> bytes:
    """Encode a manifest."""
    fields = {"format": NAME, "version": VERSION, **head}
    return quick_json.dumps(fields | {"files": [e._asdict() for e in entries]}).encode() + b"\n"


def entry_of(path: str, kind: str, sort: str, data: bytes) -> Entry:
    """Return a file's entry."""
    return Entry(path, kind, sort, len(data), digest(data).hex())


def is_archive(path: str) -> bool:
    """Return whether a path is an export archive, judged by content and not by name."""
    if path == "-" or os.path.isfile(os.path.join(path, MANIFEST)):
        return True
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"\x1f\x8b"
    except OSError:
        return False


def read_archive(path: str, into: str) -> tuple[list[Entry], str]:
    """Return an archive's entries, and a verified unpacked directory.

    Args:
        path: a directory, a tar.gz, or `-` for a tar.gz from standard input.
        into: an empty directory to unpack a tar.gz into.

    Raises `NotReadableError` naming the file that is damaged; nothing has been imported then.
    """
    root = path if os.path.isdir(path) else into
    if root is into:
        _unpack(path, into)
    entries = _manifest(os.path.join(root, MANIFEST))
    for entry in entries:
        data = read_entry(root, entry)
        if (len(data), digest(data).hex()) != (entry.size, entry.hash):
            raise NotReadableError(
                f"{entry.path} of the archive is damaged.", hint="Nothing was imported."
            )
    return entries, root


def read_entry(root: str, entry: Entry) -> bytes:
    """Read a file of an unpacked archive."""
    path = local_path(root, entry.path)
    if not is_within(os.path.realpath(path), os.path.realpath(root)):
        raise NotReadableError(f"{entry.path} of the archive points outside it.")
    return read_file(path)


def _manifest(path: str) -> list[Entry]:
    try:
        fields = quick_json.loads(read_file(path)[:_LARGEST_MANIFEST].decode())
        version = int(fields["version"]) if fields.get("format") == NAME else int("")
        entries = [Entry(**one) for one in fields["files"]] if version == VERSION else []
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadInputError(
            f"{path} is not a manifest of an export.", hint="`satchel export` makes archives."
        ) from None
    if version != VERSION:
        raise BadInputError(
            f"The archive is of version {version}; this release reads {VERSION}.",
            hint="Import it with the Satchel that made it, or a newer one.",
        )
    for one in entries:
        sorts = (LEDGER, LINES, PACKED, WHOLE)
        if one.kind not in FILE_KINDS or one.sort not in sorts:
            raise BadInputError(f"The archive has a file of an unknown kind: {one.path[:200]!r}.")
    return entries


def _unpack(path: str, into: str) -> None:
    import sys

    source = sys.stdin.buffer if path == "-" else None
    try:
        with (
            tarfile.open(fileobj=source, mode="r|gz") if source else tarfile.open(path, "r:gz")
        ) as tar:
            for name, data in _members(tar):
                replace_file(local_path(into, name), data)
    except (tarfile.TarError, EOFError, OSError) as error:
        raise NotReadableError(
            f"{path} is not a complete archive: {error}.", hint="Nothing was imported."
        ) from None


def _members(tar: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    for member in tar:
        if not member.isreg() or member.size > _LARGEST:
            raise BadInputError(
                f"The archive has {member.name[:200]!r}, which is not a plain file."
            )
        file = tar.extractfile(member)
        yield member.name, file.read() if file else b""
