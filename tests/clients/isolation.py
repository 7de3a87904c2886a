"""Takes the network from a process and all that it starts, and ends what they leave running."""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import socket
import struct
from pathlib import Path

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_SET_FLAGS, _UP = 0x8914, 1
_BE_REAPER = 36
_LIBC = ctypes.CDLL(None, use_errno=True)


def keep_loopback_alone() -> None:
    """Move this process, which has one thread, into a network namespace of its own.

    Without the superuser's rights that takes a user namespace, too.

    Raises:
        OSError: this machine allows neither.
    """
    user, group = os.geteuid(), os.getegid()
    if _LIBC.unshare(_NEW_NETWORK):
        if _LIBC.unshare(_NEW_USER | _NEW_NETWORK):
            number = ctypes.get_errno()
            raise OSError(number, f"no network namespace: {os.strerror(number)}")
        Path("/proc/self/setgroups").write_text("deny", "ascii")
        Path("/proc/self/uid_map").write_text(f"0 {user} 1", "ascii")
        Path("/proc/self/gid_map").write_text(f"0 {group} 1", "ascii")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh14x", b"lo", _UP))


def adopt_orphans() -> None:
    """Become the parent of what our programs start and leave."""
    _LIBC.prctl(_BE_REAPER, 1, 0, 0, 0)


def end_what_is_left() -> None:
    """End every process that this one started, directly or not."""
    for _ in range(20):
        left = _children_of(os.getpid())
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except OSError:
                continue
        if not left:  # what those had started has become ours
            return


def _children_of(parent: int) -> list[int]:
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            stat = Path("/proc", pid, "stat").read_bytes()
        except OSError:
            continue
        # A program's name may hold anything, also brackets.
        if int(stat.rpartition(b")")[2].split()[1]) == parent:
            found.append(int(pid))
    return found
