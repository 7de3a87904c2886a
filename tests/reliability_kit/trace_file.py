"""The trace: a file of records, written by the shim in the order of the effects.

A trace begins with a snapshot of the tree as it was before the first traced command, so that it
can be replayed without that tree.
"""

import os
import struct
from enum import IntEnum
from typing import NamedTuple

_HEAD = struct.Struct("<IIqQIIII")


class TraceError(Exception):
    """A trace that cannot be replayed truthfully."""


class Kind(IntEnum):
    """What a record says; the numbers are those of ``shim_state.h``."""

    CREATE = 1
    WRITE = 2
    TRUNCATE = 3
    SYNC = 4
    SYNC_FAILED = 5
    SYNC_DIR = 6
    SYNC_ALL = 7
    RENAME = 8
    LINK = 9
    UNLINK = 10
    MKDIR = 11
    RMDIR = 12
    SYMLINK = 13
    MARK = 14
    START = 15  # the end of the snapshot; `path` is the prefix


class Record(NamedTuple):
    """One state-changing call that succeeded, or one acknowledgement."""

    kind: Kind
    pid: int = 0
    at: int = 0  # write: offset; truncate: size
    inode: int = 0
    path: str = ""
    other: str = ""  # rename: the new name; link: the old one; symlink: its target
    data: bytes = b""


class Trace(NamedTuple):
    """The records of one or more commands over one tree."""

    prefix: str
    records: tuple[Record, ...]
    start: int  # the records before it are the snapshot


def append_record(path: str, record: Record) -> None:
    """Add one record with one write."""
    name, other = os.fsencode(record.path), os.fsencode(record.other)
    head = _HEAD.pack(
        record.kind,
        record.pid,
        record.at,
        record.inode,
        len(name),
        len(other),
        len(record.data),
        0,
    )
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(handle, head + name + other + record.data)
    finally:
        os.close(handle)


def append_mark(path: str, line: str) -> None:
    """Record an acknowledgement that the driver itself saw, such as an exit status of 0."""
    append_record(path, Record(Kind.MARK, pid=os.getpid(), data=line.encode() + b"\n"))


def snapshot(path: str, prefix: str) -> None:
    """Begin a trace with the present tree, which counts as durable."""
    root = os.path.realpath(prefix)
    first_names: dict[int, str] = {}
    for folder, folders, files in os.walk(root):
        for name in sorted(folders + files):
            full = os.path.join(folder, name)
            inode = os.lstat(full).st_ino
            if os.path.islink(full):
                append_record(path, Record(Kind.SYMLINK, path=full, other=os.readlink(full)))
            elif os.path.isdir(full):
                append_record(path, Record(Kind.MKDIR, path=full))
            elif inode in first_names:
                append_record(path, Record(Kind.LINK, path=full, other=first_names[inode]))
            elif os.path.isfile(full) and not name.endswith(".ack"):
                first_names[inode] = full
                append_record(path, Record(Kind.CREATE, inode=inode, path=full))
                with open(full, "rb") as handle:
                    content = handle.read()
                append_record(path, Record(Kind.WRITE, inode=inode, path=full, data=content))
    append_record(path, Record(Kind.SYNC_ALL))
    append_record(path, Record(Kind.START, path=root))


def load_trace(path: str) -> Trace:
    """Read a whole trace."""
    with open(path, "rb") as handle:
        content = handle.read()
    records = []
    prefix, start, here = "", -1, 0
    while here < len(content):
        kind, pid, at, inode, *sizes, _ = _HEAD.unpack_from(content, here)
        here += _HEAD.size
        parts = []
        for size in sizes:
            parts.append(content[here : here + size])
            here += size
        record = Record(
            Kind(kind), pid, at, inode, os.fsdecode(parts[0]), os.fsdecode(parts[1]), parts[2]
        )
        records.append(record)
        if record.kind is Kind.START:
            prefix, start = record.path, len(records)
    if start < 0:
        raise TraceError(f"{path} has no snapshot: was it written by run_with_shim?")
    return Trace(prefix, tuple(records), start)
