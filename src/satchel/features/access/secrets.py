"""Tokens: generated at random, stored as hashes, compared in constant time."""

from __future__ import annotations

import contextlib
import hmac
import os
import stat
from base64 import urlsafe_b64encode

from satchel.core.errors import NotReadableError, SatchelError
from satchel.core.hashing import digest
from satchel.storage.files import NO_LINK, NO_WAIT, file_stamp, is_open_to, not_usable, replace_file

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
    """Return this installation's token, created on first use with mode 0600.

    Raises `NotReadableError` if its file has none, is not a regular file, or others can read it.
    """
    if not os.path.lexists(path):
        token = new_token()
        if not _put_first(path, token):
            replace_file(path, (token + "\n").encode(), mode=0o600)
    # If several were created at once, the first counts.
    return _read_token(path)


def _read_token(path: str) -> str:
    try:
        fd = os.open(path, os.O_RDONLY | NO_LINK | NO_WAIT)
    except OSError as error:
        raise not_usable(path, error, writing=False) from None
    with os.fdopen(fd, "rb") as file:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode) or is_open_to(status, 0o077):
            raise NotReadableError(
                f"{path} can be read by other users, or is not an ordinary file.",
                hint="Move it aside to get a new token, or make it readable only by you.",
            )
        token = file.read(_LONGEST).decode("ascii", "replace").strip()
    if not token or not token.isprintable() or " " in token:
        raise NotReadableError(f"{path} contains no token.", hint="Move it aside to get a new one.")
    return token


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
    """

    def __init__(self, path: str) -> None:
        self._path, self._held = path, installation_token(path)
        self._seen = file_stamp(self._path)

    def now(self) -> str:
        """Return the token, reading the file again if it was replaced."""
        seen = file_stamp(self._path)
        if seen and seen != self._seen:
            self._seen = seen
            with contextlib.suppress(SatchelError, OSError):
                self._held = installation_token(self._path)
        return self._held


def rotate_installation_token(path: str) -> str:
    """Create a new token; the old one stops working."""
    token = new_token()
    replace_file(path, (token + "\n").encode(), mode=0o600)
    return token
