"""File operations that differ by platform: locks, durable flushes, atomic replacement.

The only module that knows file differences; `platforms` knows those of processes. A lock only
coordinates Satchel's own processes; data is safe without it (a writer that ignores it still appends
whole lines).
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from _thread import get_ident

from satchel.core.errors import BusyError, NotReadableError, NotWritableError, StoreError

if sys.platform == "win32":
    import msvcrt

    #: Windows needs binary mode, and has no flags for links and pipes.
    RAW, NO_WAIT, NO_LINK = os.O_BINARY, 0, 0
else:
    import fcntl

    RAW, NO_WAIT, NO_LINK = 0, os.O_NONBLOCK, os.O_NOFOLLOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO, Self

#: The hint where the file system refuses locks.
NO_LOCKS = "This file system has no working locks; set SATCHEL_HOME to a local disk."
PRIVATE_FILE = 0o600
PRIVATE_DIRECTORY = 0o700
_FIRST_PAUSE, _LONGEST_PAUSE = 0.0002, 0.005
#: The byte that Windows locks: a locked byte is unreadable, so it lies beyond any content.
_LOCKED_BYTE = 1 << 30


class FileLock:
    """An advisory lock on its own file, held within `with`.

    Args:
        path: the lock file; created if missing, never removed (removing a lock file is a race).
        timeout: seconds to wait before `BusyError`; 0 tries once.
        keep_open: keep the file open after a release, for the next time.
    """

    __slots__ = ("_idle", "_pid", "fd", "keep_open", "path", "timeout")

    def __init__(self, path: str, *, timeout: float = 30.0, keep_open: bool = False) -> None:
        self.path = path
        self.timeout = timeout
        self.keep_open = keep_open
        self.fd = -1
        self._idle = -1
        self._pid = 0

    def acquire(self) -> bool:
        """Try to acquire the lock within the timeout; return whether it succeeded."""
        fd, self._idle = self._idle, -1
        if fd >= 0 and self._pid != os.getpid():
            # Inherited by fork: parent and child would share the lock.
            os.close(fd)
            fd = -1
        if fd < 0:
            fd = open_private(self.path, os.O_RDWR | os.O_CREAT)
            self._pid = os.getpid()
        deadline = time.monotonic() + self.timeout
        pause = _FIRST_PAUSE
        try:
            while not _try_lock(fd):
                if time.monotonic() >= deadline:
                    os.close(fd)
                    return False
                time.sleep(pause)
                pause = min(pause * 1.5, _LONGEST_PAUSE)
        except OSError as error:
            os.close(fd)
            raise not_lockable(self.path, os.strerror(error.errno or 0)) from error
        except BaseException:
            os.close(fd)
            raise
        self.fd = fd
        return True

    def release(self) -> None:
        """Release the lock, by closing the file or by unlocking one kept open."""
        fd, self.fd = self.fd, -1
        if fd < 0:
            return
        if self.keep_open:
            _unlock(fd)
            self._idle = fd
        else:
            os.close(fd)

    def close(self) -> None:
        """Close a lock file that was kept open."""
        fd, self._idle = self._idle, -1
        if fd >= 0:
            os.close(fd)

    def __del__(self) -> None:
        self.close()

    def __enter__(self) -> Self:
        if not self.acquire():
            raise BusyError(
                f"Another process has held {self.path} for {self.timeout:.0f} s.",
                hint="See which one with `satchel doctor`, or try again.",
            )
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


class NestingLock(FileLock):
    """A reentrant lock; the last release frees it.

    For code that reads and then writes, where the write takes the same lock.
    """

    __slots__ = ("_depth", "_holder")

    def __init__(self, path: str, *, timeout: float = 30.0) -> None:
        super().__init__(path, timeout=timeout)
        self._depth = self._holder = 0

    def acquire(self) -> bool:
        """Try to acquire the lock within the timeout; return whether it succeeded."""
        if not (self._depth and self._holder == get_ident()):
            if not super().acquire():
                return False
            self._depth, self._holder = 0, get_ident()
        self._depth += 1
        return True

    def release(self) -> None:
        """Release the lock once."""
        self._depth -= 1
        if not self._depth:
            super().release()


def _try_lock(fd: int) -> bool:
    try:
        if sys.platform == "win32":
            os.lseek(fd, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
            return False
        raise
    return True


def _unlock(fd: int) -> None:
    if sys.platform == "win32":
        os.lseek(fd, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)
    else:
        fcntl.flock(fd, fcntl.LOCK_UN)


def lock_refusal(directory: str) -> str:
    """Return why files in a directory cannot be locked; "" if they can, or if unknown.

    On a file system without working locks, a database mistakes the error for another process's
    lock. Tries both kinds of lock, on a separate file.
    """
    probe = os.path.join(directory, f".lock-probe-{os.getpid()}")
    try:
        fd = os.open(probe, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
    except OSError:
        return ""
    try:
        _try_lock(fd)
        if sys.platform != "win32":
            fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return os.strerror(error.errno or 0)
    finally:
        os.close(fd)
        _unlink_if_there(probe)
    return ""


def _unlink_if_there(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


def not_lockable(path: str, reason: str) -> NotWritableError:
    """Return the error for a lock that the file system refuses."""
    return NotWritableError(
        f"{path} could not be locked: {reason}. Nothing was saved.", hint=NO_LOCKS
    )


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
        errno.EROFS: "The file system is read-only; set SATCHEL_HOME to a place you can write.",
        errno.EMFILE: "This process has too many open files.",
        errno.ENOTDIR: "A file stands where a directory is needed.",
        errno.EISDIR: "A directory stands where a file is needed.",
        **dict.fromkeys(
            (errno.EINVAL, errno.ENXIO), "A pipe or a device stands where a file is needed."
        ),
    }
    kind = NotWritableError if writing else NotReadableError
    verb = "written" if writing else "read"
    reason = os.strerror(error.errno) if error.errno else str(error)
    return kind(f"{path} could not be {verb}: {reason}.", hint=hints.get(error.errno or 0, ""))


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


def nobody_elses() -> str:
    """Return a file name part unique to this process and thread."""
    return f"{os.getpid()}-{get_ident()}"


def replace_file(path: str, data: bytes, *, mode: int = PRIVATE_FILE) -> None:
    """Replace a file atomically: readers, and a power loss, see the old or the new content."""
    directory = os.path.dirname(path) or "."
    temporary = f"{path}.{nobody_elses()}.tmp"
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


def open_file(path: str) -> BinaryIO:
    """Open a regular file for reading; anything else raises `OSError` without blocking.

    A pipe that a repository puts at a known name would block its reader forever.
    """
    fd = os.open(path, os.O_RDONLY | NO_WAIT)
    mode = os.fstat(fd).st_mode
    if not stat.S_ISREG(mode):
        os.close(fd)
        number = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise OSError(number, os.strerror(number), path)
    return os.fdopen(fd, "rb")


def read_file(path: str) -> bytes:
    """Read a whole regular file; a missing one is empty."""
    try:
        with open_file(path) as file:
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
