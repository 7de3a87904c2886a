"""Tokens: generated at random, stored as hashes, compared in constant time."""

from __future__ import annotations

import contextlib
import hmac
import os
from base64 import urlsafe_b64encode
from collections.abc import Callable

from satchel.core.errors import SatchelError
from satchel.core.hashing import digest
from satchel.storage.files import file_stamp, read_file, replace_file

_PREFIX = "satchel_"
_BYTES = 32
_LONGEST = 256


def new_token() -> str:
    """Return a new token of 256 random bits."""
    return _PREFIX + urlsafe_b64encode(os.urandom(_BYTES)).decode().rstrip("=")


def hash_of(token: str) -> str:
    """Return the hash that is stored for a token. It is random, so no slow hash is needed."""
    return digest(token[:_LONGEST].encode("utf-8", "replace")).hex()


def equal_in_constant_time(one: str, other: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def installation_token(path: str) -> str:
    """Return this installation's token, created on first use with mode 0600."""
    held = read_file(path).decode("ascii", "replace").strip()
    if held.startswith(_PREFIX) and len(held) > len(_PREFIX) + _BYTES:
        return held
    token = new_token()
    if held or not _put_first(path, token):
        replace_file(path, (token + "\n").encode(), mode=0o600)
    # If several were created at once, the first counts.
    return read_file(path).decode("ascii", "replace").strip()


def _put_first(path: str, token: str) -> bool:
    """Write a token if there is none; false if the file system cannot create exclusively."""
    making = f"{path}.{os.getpid()}"
    replace_file(making, (token + "\n").encode(), mode=0o600)
    try:
        os.link(making, path)
    except FileExistsError:
        return True
    except OSError:
        return False
    finally:
        os.unlink(making)
    return True


class InstallationToken:
    """This installation's current token, so that a running server sees it rotated.

    Args:
        path: its file, created if missing at first. If it is later deleted or unreadable, nothing
            changes: there are other ways to stop a server.
        read: reads or creates it.
    """

    def __init__(self, path: str, read: Callable[[str], str] = installation_token) -> None:
        self._path, self._read = path, read
        self._held = read(path)
        self._seen = file_stamp(self._path)

    def now(self) -> str:
        """Return the token, reading the file again if it was replaced."""
        seen = file_stamp(self._path)
        if seen and seen != self._seen:
            self._seen = seen
            with contextlib.suppress(SatchelError, OSError):
                self._held = self._read(self._path)
        return self._held


def rotate_installation_token(path: str) -> str:
    """Create a new token; the old one stops working."""
    token = new_token()
    replace_file(path, (token + "\n").encode(), mode=0o600)
    return token
