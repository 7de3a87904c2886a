"""Opens untrusted files safely, and verifies what was opened.

A name says nothing: between a look and an opening, a link can lead elsewhere. So the file is
opened first, without waiting, and then the open file itself is asked what it is and where it lies.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable

from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.values import NamedTuple

#: Seconds are not waited for a pipe, terminals are not taken over. Python lets no child inherit.
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
#: What a refusal says, by its word.
MISSING, UNREADABLE, NO_FILE, TOO_LARGE, NO_TEXT, ELSEWHERE, MOVED = (
    "missing",
    "unreadable",
    "no-file",
    "too-large",
    "no-text",
    "elsewhere",
    "moved",
)
_F_GETPATH = 50
_LONGEST_PATH = 1024


class OpenResult(NamedTuple):
    """The result of opening a file: its bytes, or a word and a sentence on why not.

    `real` is the path of the file that was opened, links followed; "" where nothing was.
    `identity` is its device and inode. `whole` says whether these are all its bytes.
    """

    data: bytes
    real: str
    identity: tuple[int, int]
    refused: str = ""
    told: str = ""
    whole: bool = True
    size: int = 0


def refusal(word: str, told: str) -> OpenResult:
    """Return the result for a file that was not read."""
    return OpenResult(b"", "", (0, 0), word, told)


def open_text(
    path: str, may_read: Callable[[str], str], *, most: int, head_only: bool = False
) -> OpenResult:
    """Read a permitted regular file, never blocking and never reading another one.

    Args:
        path: absolute or relative to the working directory; links are followed.
        may_read: given the real path, says why it may not be read; "" if it may. Asked before
            opening, so that no device is touched, and again about what was opened.
        most: bytes. A larger file is refused, or read so far with `head_only`.
    """
    try:
        real = os.path.realpath(path)
        told = may_read(real)
        if told:
            return refusal(ELSEWHERE, told)
        if not stat.S_ISREG(os.stat(path).st_mode):
            return refusal(NO_FILE, "it is not a regular file")
        fd = os.open(path, _FLAGS)
    except (OSError, ValueError) as error:
        return _failed(error)
    try:
        return _read(fd, path, may_read, most, head_only=head_only)
    except OSError as error:
        return _failed(error)
    finally:
        os.close(fd)


def _read(
    fd: int, path: str, may_read: Callable[[str], str], most: int, *, head_only: bool
) -> OpenResult:
    status = os.fstat(fd)
    if not stat.S_ISREG(status.st_mode):
        return refusal(NO_FILE, "it is not a regular file")
    real = real_path_of(fd, path, status)
    if not real:
        return refusal(MOVED, "it was moved while it was read")
    told = may_read(real)
    if told:
        return refusal(ELSEWHERE, told)
    if status.st_size > most and not head_only:
        return refusal(TOO_LARGE, f"it has {status.st_size:,} bytes; at most {most:,} are read")
    data = _head(fd, most + 1)
    whole = len(data) <= most
    if not whole and not head_only:
        return refusal(TOO_LARGE, f"it has more than {most:,} bytes")
    data = data[:most]
    if b"\0" in data:
        return refusal(NO_TEXT, "it holds binary data")
    size = max(status.st_size, len(data))
    return OpenResult(data, real, (status.st_dev, status.st_ino), whole=whole, size=size)


def _head(fd: int, most: int) -> bytes:
    parts, left = [], most
    while left > 0:
        part = os.read(fd, min(left, 65_536))
        if not part:
            break
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def real_path_of(fd: int, opened_as: str, status: os.stat_result) -> str:
    """Return an open file's current path; "" if it was removed.

    The system is asked. Where it cannot say, the name is followed once more; either way the file
    that is found there must be the very one that is open.
    """
    path = _path_by_system(fd) or os.path.realpath(opened_as)
    try:
        there = os.stat(path, follow_symlinks=False)
    except (OSError, ValueError):
        return ""
    return path if (there.st_dev, there.st_ino) == (status.st_dev, status.st_ino) else ""


def _path_by_system(fd: int) -> str:
    if sys.platform == "darwin":
        import fcntl

        return os.fsdecode(fcntl.fcntl(fd, _F_GETPATH, bytes(_LONGEST_PATH)).rstrip(b"\0"))
    else:  # noqa: RET505 -- so that a type checker for another platform leaves it out
        try:
            return os.readlink(f"/proc/self/fd/{fd}")
        except OSError:
            return ""


def _failed(error: OSError | ValueError) -> OpenResult:
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.ENOENT, errno.ENOTDIR):
        return refusal(MISSING, "there is no such file")
    if number == errno.ELOOP:
        return refusal(MISSING, "its links form a circle")
    if number in (errno.ENAMETOOLONG, None):
        return refusal(MISSING, "no file can have this name")
    if number in (errno.EACCES, errno.EPERM):
        return refusal(UNREADABLE, "you have no permission to read it")
    if number in (errno.ENXIO, errno.ENODEV, errno.EWOULDBLOCK):
        return refusal(NO_FILE, "it is not a regular file")
    return refusal(UNREADABLE, os.strerror(number or 0).lower())


def read_inside(root: str, path: str, *, most: int) -> bytes:
    """Read a whole text file inside a tree.

    Args:
        root: of the tree; a link may lead about in it, not out of it.
        most: bytes.

    Raises `NotFoundError` where there is none, and `BadInputError` naming the file and the reason
    for what is not a regular file, lies elsewhere, is too large or holds binary data.
    """
    real = os.path.realpath(root)
    opened = open_text(
        path,
        lambda found: (
            "" if is_within(found, real) else "it is a link that points outside the project"
        ),
        most=most,
    )
    if opened.refused == MISSING:
        raise NotFoundError(f"There is no {path}.")
    if opened.refused:
        raise BadInputError(
            f"{path} is not read: {opened.told}.", hint="Put an ordinary text file there."
        )
    return opened.data


def escapes_root(path: str, *roots: str) -> bool:
    """Return whether a path, after resolving links, is outside all these directories."""
    real = os.path.realpath(path)
    return not any(is_within(real, os.path.realpath(root)) for root in roots if root)


def is_within(path: str, directory: str) -> bool:
    """Return whether a real path is a real directory or inside it."""
    return path == directory or path.startswith(directory.rstrip(os.sep) + os.sep)
