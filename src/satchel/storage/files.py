"""Files: opened without waiting, written durably, replaced atomically.

The only module that knows what differs between platforms of files; `platforms` knows that of
processes.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from _thread import get_ident

from satchel.core.errors import NotReadableError, NotWritableError, StoreError

if sys.platform == "win32":
    #: Windows needs binary mode, and has no flags for links and pipes.
    RAW, NO_WAIT, NO_LINK = os.O_BINARY, 0, 0
else:
    import fcntl

    RAW, NO_WAIT, NO_LINK = 0, os.O_NONBLOCK, os.O_NOFOLLOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

PRIVATE_FILE = 0o600
PRIVATE_DIRECTORY = 0o700
_ELSEWHERE = "Satchel's own files may be elsewhere: set SATCHEL_HOME."
#: The hint where the file system refuses locks.
NO_LOCKS = "This file system has no working locks; set SATCHEL_HOME to a local disk."


def stamp_of_status(status: os.stat_result) -> tuple[int, int, int, int]:
    """Return what changes with a file: its size, its times in nanoseconds, its inode."""
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def file_stamp(path: str) -> tuple[int, ...]:
    """Return the stamp of a file; () if it is missing."""
    try:
        return stamp_of_status(os.stat(path))
    except OSError:
        return ()


def text_in(path: str) -> str:
    """Return a file's text; "" if there is none, or none that can be read."""
    try:
        return read_file(path).decode("utf-8", "replace")
    except StoreError:
        return ""


def read_object(path: str) -> dict[str, Any]:
    """Return the object in a JSON file; {} if there is none, or none that can be read."""
    from satchel.core.quick_json import loads

    try:
        value = loads(read_file(path, most=TOLD_SIZE).decode() or "{}")
    except (ValueError, RecursionError, StoreError):
        return {}
    return value if isinstance(value, dict) else {}


def changed_at(path: str) -> float:
    """Return when a file was last written, in Unix seconds; 0 if it is missing."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def stamp_text(stamp: tuple[int, ...]) -> str:
    """Return a stamp as text; "" for a missing file."""
    return ":".join(map(str, stamp))


def open_private(path: str, flags: int) -> int:
    """Open a file readable only by its owner, creating its directory if missing.

    Anything else that stands there, as a pipe, is named and not waited for.
    """
    flags |= RAW | NO_WAIT
    try:
        return _opened(path, flags)
    except FileNotFoundError:
        if not flags & os.O_CREAT:
            raise
    except OSError as error:
        raise not_usable(path, error, writing=bool(flags & (os.O_CREAT | os.O_RDWR))) from error
    try:
        make_private_directory(os.path.dirname(path))
        return _opened(path, flags)
    except OSError as error:
        raise not_usable(path, error, writing=True) from error


def _opened(path: str, flags: int) -> int:
    fd = os.open(path, flags, PRIVATE_FILE)
    if stat.S_ISREG(os.fstat(fd).st_mode):
        return fd
    os.close(fd)
    raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path)


def make_private_directory(path: str) -> None:
    """Create a directory with missing parents, accessible only to the owner.

    `os.makedirs` applies its mode only to the last one.
    """
    if os.path.isdir(path) or not path:
        return
    make_private_directory(os.path.dirname(path))
    try:
        os.mkdir(path, PRIVATE_DIRECTORY)
    except FileExistsError:
        if not os.path.isdir(path):
            raise


def not_usable(path: str, error: OSError, *, writing: bool) -> StoreError:
    """Translate an operating-system error, with its cause and the next step."""
    hints = {
        errno.ENOSPC: "Free some space on this disk; what was saved before is unharmed.",
        errno.EDQUOT: "Your disk quota is used up; what was saved before is unharmed.",
        errno.EACCES: "Check who owns the file and its directory.",
        errno.EPERM: "Check who owns the file and its directory.",
        errno.EROFS: f"The file system is read-only. {_ELSEWHERE}",
        errno.EMFILE: "This process has too many open files.",
        errno.ENOTDIR: "A file stands where a directory is needed.",
        errno.EISDIR: "A directory stands where a file is needed.",
        errno.EFBIG: "Satchel writes no file of this size there: look at it, and move it away.",
        errno.EINVAL: "A pipe or a device stands where a file is needed.",
        errno.ENXIO: "A pipe or a device stands where a file is needed.",
    }
    kind = NotWritableError if writing else NotReadableError
    verb = "written" if writing else "read"
    reason = os.strerror(error.errno) if error.errno else str(error)
    return kind(f"{path} could not be {verb}: {reason}.", hint=hints.get(error.errno or 0, ""))


def too_large(path: str, *, writing: bool) -> StoreError:
    """Return the error for a file that is larger than any that is read whole."""
    error = OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return not_usable(path, error, writing=writing)


def flush_to_disk(fd: int) -> None:
    """Flush a file to the disk itself, not just to its cache."""
    if sys.platform == "darwin":
        fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
    else:
        os.fsync(fd)


def flush_directory(path: str) -> None:
    """Make a creation or rename in a directory durable, if the platform can."""
    if sys.platform != "win32":
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


if sys.platform == "win32":

    def read_at(fd: int, size: int, start: int) -> bytes:
        """Read bytes at a position in a file; may move the file position."""
        os.lseek(fd, start, os.SEEK_SET)
        return os.read(fd, size)

    def write_at(fd: int, data: bytes, start: int) -> int:
        """Write bytes at a position in a file; may move the file position."""
        os.lseek(fd, start, os.SEEK_SET)
        return os.write(fd, data)

else:
    read_at, write_at = os.pread, os.pwrite


def own(fd: int, mode: int, like: os.stat_result | None = None) -> None:
    """Set an open file's permissions, and `like`'s owner if that is somebody else.

    On Windows a file inherits both from its directory.
    """
    if sys.platform != "win32":
        os.fchmod(fd, mode)
        if like is not None and is_foreign(like):
            os.fchown(fd, like.st_uid, like.st_gid)


def is_foreign(status: os.stat_result) -> bool:
    """Return whether somebody else owns a file, if that is known."""
    return sys.platform != "win32" and status.st_uid != os.geteuid()


def is_open_to(status: os.stat_result, rights: int) -> bool:
    """Return whether a file's mode grants any of these rights, if the platform has modes."""
    return sys.platform != "win32" and bool(status.st_mode & rights)


def write_all(fd: int, data: bytes) -> None:
    """Write every byte, even if the kernel accepts fewer at once."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


#: Most bytes of what a person or a repository sets, and of git's pointers: hooks read these.
SETTINGS_SIZE = 1 << 20
#: Most bytes of a file of a repository that an agent may be told of: hooks read these whole.
TOLD_SIZE = 32 << 20
#: Most bytes of any file that is read whole: a larger one would fill the memory.
WHOLE_SIZE = 1 << 30


def unique_suffix() -> str:
    """Return a file name part unique to this process and thread."""
    return f"{os.getpid()}-{get_ident()}"


def replace_file(path: str, data: bytes, *, mode: int = PRIVATE_FILE) -> None:
    """Replace a file atomically: readers, and a power loss, see the old or the new content."""
    directory = os.path.dirname(path) or "."
    temporary = f"{path}.{unique_suffix()}.tmp"
    try:
        make_private_directory(directory)
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | RAW, mode)
        try:
            write_all(fd, data)
            flush_to_disk(fd)
        finally:
            os.close(fd)
        os.replace(temporary, path)
        flush_directory(directory)
    except OSError as error:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise not_usable(path, error, writing=True) from error


def open_file(path: str, *, most: int = 0) -> BinaryIO:
    """Open a regular file for reading; anything else raises `OSError` without blocking.

    A pipe that a repository puts at a known name would block its reader forever, and so would a
    file of gigabytes: with `most`, one of more bytes is refused.
    """
    fd = os.open(path, os.O_RDONLY | NO_WAIT)
    status = os.fstat(fd)
    mode, is_file = status.st_mode, stat.S_ISREG(status.st_mode)
    if not is_file or 0 < most < status.st_size:
        os.close(fd)
        wrong = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        number = errno.EFBIG if is_file else wrong
        raise OSError(number, os.strerror(number), path)
    return os.fdopen(fd, "rb")


def read_file(path: str, *, most: int = WHOLE_SIZE) -> bytes:
    """Read a whole regular file; a missing one is empty, one of more than `most` an error."""
    try:
        with open_file(path, most=most) as file:
            return file.read()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise not_usable(path, error, writing=False) from error


def size_of(path: str) -> int:
    """Return a file's size in bytes; 0 if it is missing or unreadable."""
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def names_in(directory: str) -> list[str]:
    """Return the names in a directory, sorted; none if it is missing or unreadable."""
    try:
        return sorted(os.listdir(directory))
    except OSError:
        return []
