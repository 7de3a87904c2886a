"""The disks that a power cut could have left behind, replayed from a trace.

The replay walks the trace once, in the order of the cuts, and touches no file until an image is
materialised: a thousand images of a small tree take a second or two. ``disk`` holds the model.
"""

import os
import random
from collections.abc import Iterator
from typing import NamedTuple

from reliability_kit.disk import Disk
from reliability_kit.trace_file import Kind, Trace, TraceError, load_trace

__all__ = [
    "CrashImage",
    "Trace",
    "TraceError",
    "acked",
    "crash_images",
    "load_trace",
    "materialise",
    "unexplained",
]


class CrashImage(NamedTuple):
    """One tree after one power cut; paths are relative to the prefix."""

    number: int
    cut: int  # how many records had happened
    marks: tuple[bytes, ...]  # the acknowledgements among them
    files: dict[str, bytes]
    links: dict[str, str]
    folders: tuple[str, ...]


def acked(image: CrashImage) -> tuple[str, ...]:
    """The acknowledged lines that preceded the cut."""
    return tuple(b"".join(image.marks).decode(errors="replace").splitlines())


def _cuts(trace: Trace, dice: random.Random, n: int) -> list[int]:
    """Where to cut: anywhere, and as often where promises are made or about to be kept."""
    later = list(enumerate(trace.records))[trace.start :]
    promises = [at + 1 for at, record in later if record.kind is Kind.MARK]
    syncs = [at for at, record in later if record.kind in (Kind.SYNC, Kind.SYNC_DIR)]
    anywhere = range(trace.start, len(trace.records) + 1)
    kinds = (promises, syncs, anywhere)
    return sorted(dice.choice(dice.choice(kinds) or anywhere) for _ in range(n))


def crash_images(
    trace: Trace, seed: int, n: int, *, strict_create: bool = False
) -> Iterator[CrashImage]:
    """Draw n images; the same trace, seed and n give the same images.

    Args:
        trace: What happened.
        seed: Of the dice; print it when a check fails.
        n: How many images.
        strict_create: A new file's name needs an fsync of its folder; otherwise one of the file
            itself is enough, as on ext4 and xfs.
    """
    dice = random.Random(seed)
    disk = Disk(trace.prefix, strict_create=strict_create)
    played = 0
    marks: tuple[bytes, ...] = ()
    for number, cut in enumerate(_cuts(trace, dice, n)):
        for record in trace.records[played:cut]:
            disk.play(record)
            if record.kind is Kind.MARK:
                marks = (*marks, record.data)
        played = max(played, cut)
        files: dict[str, bytes] = {}
        links: dict[str, str] = {}
        folders = []
        for path, content in disk.after_crash(dice):
            if isinstance(content, bytes):
                files[path] = content
            elif isinstance(content, str):
                links[path] = content
            else:
                folders.append(path)
        yield CrashImage(number, cut, marks, files, links, tuple(folders))


def materialise(image: CrashImage, directory: str) -> None:
    """Write an image into a folder, which must be new or empty."""
    os.makedirs(directory, exist_ok=True)
    if os.listdir(directory):
        raise FileExistsError(f"{directory} is not empty")
    for folder in sorted(image.folders):
        os.makedirs(os.path.join(directory, folder), exist_ok=True)
    for path, content in image.files.items():
        with open(os.path.join(directory, path), "wb") as handle:
            handle.write(content)
    for path, target in image.links.items():
        os.symlink(target, os.path.join(directory, path))


def unexplained(trace: Trace, directory: str) -> tuple[str, ...]:
    """Paths whose content the trace does not account for; empty means that it tells everything.

    Assert it after each traced run that ended by itself: it shows writes that the shim cannot see
    (stdio, mmap, static binaries). SQLite's ``-shm`` is written through mmap, and is rebuilt after
    a crash: a caller may ignore it.
    """
    disk = Disk(trace.prefix, strict_create=False)
    for record in trace.records:
        disk.play(record)
    expected = dict(disk.seen())
    found: dict[str, bytes | str | None] = {}
    for folder, folders, files in os.walk(directory):
        for name in folders + files:
            full = os.path.join(folder, name)
            path = os.path.relpath(full, directory)
            if os.path.islink(full):
                found[path] = os.readlink(full)
            elif os.path.isdir(full):
                found[path] = None
            elif not path.endswith(".ack"):
                with open(full, "rb") as handle:
                    found[path] = handle.read()
    missing = object()
    paths = expected.keys() | found.keys()
    return tuple(sorted(p for p in paths if expected.get(p, missing) != found.get(p, missing)))
