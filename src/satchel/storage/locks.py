"""Locks between Satchel's own processes.

Data is safe without them: a writer that ignores one still appends whole lines.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from _thread import get_ident

from satchel.core.errors import BusyError, NotWritableError
from satchel.storage.files import NO_LOCKS, PRIVATE_FILE, open_private

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

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
