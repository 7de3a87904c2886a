"""Takes the network from a process and all that it starts, and ends what they leave running."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import signal
import socket
import struct
from pathlib import Path

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_SET_FLAGS, _UP = 0x8914, 1
_BE_REAPER, _NO_NEW_RIGHTS, _FILTER = 36, 38, 22
#: Landlock: make a set of rules, add one, obey them; the same numbers on every processor.
_MAKE_RULES, _ADD_RULE, _OBEY = 444, 445, 446
_CONNECT, _PORT_RULE = 2, 2
#: Where servers on loopback listen that ask for any port.
_ANY_PORT = range(32_768, 61_000)
_SOCKET_CALL = {"x86_64": 41, "aarch64": 198}
_REFUSED = (errno.ENETUNREACH, errno.EACCES, errno.EPERM)
_LIBC = ctypes.CDLL(None, use_errno=True)


def keep_loopback_alone() -> None:
    """Take every network but loopback from this process, which has one thread.

    In a network namespace; where the machine allows none (containers), by Landlock, which refuses
    connections, and a filter of system calls, which refuses datagrams.

    Raises:
        OSError: this machine allows neither.
    """
    user, group = os.geteuid(), os.getegid()
    if not _LIBC.unshare(_NEW_NETWORK):
        _raise_loopback()
    elif not _LIBC.unshare(_NEW_USER | _NEW_NETWORK):
        Path("/proc/self/setgroups").write_text("deny", "ascii")
        Path("/proc/self/uid_map").write_text(f"0 {user} 1", "ascii")
        Path("/proc/self/gid_map").write_text(f"0 {group} 1", "ascii")
        _raise_loopback()
    else:
        _refuse_connections()
        _refuse_datagrams()


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh14x", b"lo", _UP))


def _refuse_connections() -> None:
    """Refuse TCP to any port but those where programs of one machine find each other."""
    _called(_LIBC.prctl(_NO_NEW_RIGHTS, 1, 0, 0, 0), "no new rights")
    asked = struct.pack("QQ", 0, _CONNECT)
    rules = _called(_LIBC.syscall(_MAKE_RULES, asked, len(asked), 0), "Landlock")
    for port in _ANY_PORT:
        rule = struct.pack("QQ", _CONNECT, port)
        _called(_LIBC.syscall(_ADD_RULE, rules, _PORT_RULE, rule, 0), "Landlock")
    _called(_LIBC.syscall(_OBEY, rules, 0), "Landlock")


def _refuse_datagrams() -> None:
    """Refuse every socket of the internet that is not for streams."""
    load, if_equal, both, give = 0x20, 0x15, 0x54, 0x06
    allow, refuse = 0x7FFF0000, 0x00050000 | errno.EACCES
    steps = (
        (load, 0, 0, 0),  # which call
        (if_equal, 0, 7, _SOCKET_CALL[os.uname().machine]),
        (load, 0, 0, 16),  # its family
        (if_equal, 1, 0, socket.AF_INET),
        (if_equal, 0, 4, socket.AF_INET6),
        (load, 0, 0, 24),  # its type
        (both, 0, 0, 15),
        (if_equal, 1, 0, socket.SOCK_STREAM),
        (give, 0, 0, refuse),
        (give, 0, 0, allow),
    )
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *one) for one in steps))
    program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code))
    _called(_LIBC.prctl(_FILTER, 2, program, 0, 0), "a filter of system calls")


def _called(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"no network namespace, and no {what}: {os.strerror(number)}")
    return result


def ways_out() -> list[str]:
    """Try to reach another machine; return the ways on which that was not refused at once."""
    found = []
    for kind, name in ((socket.SOCK_STREAM, "TCP"), (socket.SOCK_DGRAM, "UDP")):
        try:
            with socket.socket(socket.AF_INET, kind) as one:
                one.settimeout(2)
                one.connect(("192.0.2.1", 443))  # an address for documentation
            found.append(name)
        except OSError as error:
            if error.errno not in _REFUSED:
                found.append(f"{name}: {error}")
    return found


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
