"""Responses by idempotency key: a repeated request gets the first answer, from any worker.

A file for each key, in the installation's private state, for a day. Its lock is held while the
request is done, so that two workers never do it side by side.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from typing import Any

from satchel.core import quick_json
from satchel.core.clock import Clock
from satchel.core.errors import ConflictError
from satchel.core.hashing import digest
from satchel.core.values import NamedTuple
from satchel.storage.locks import FileLock, write_all

_DAY = 86_400
#: Old answers are looked for whenever so many were kept.
_SWEEP = 200
_BLOCK = 1 << 20


class StoredResponse(NamedTuple):
    """A stored response: its HTTP status and JSON value."""

    status: int
    value: Any


class IdempotencyStore:
    """The stored responses of one installation.

    Args:
        directory: where they lie; made when it is needed.
        clock: tells when an answer is too old.
    """

    def __init__(self, directory: str, clock: Clock) -> None:
        self._directory, self._clock = directory, clock
        self._kept = 0

    def once(
        self, name: tuple[str, ...], asked: str, do: Callable[[], StoredResponse]
    ) -> StoredResponse:
        """Run a request, or return the stored response.

        Args:
            name: who asks, for what, and the key.
            asked: the whole request as text.
            do: does it.

        Raises `ConflictError` where the key was used for something else, or is being used.
        """
        mark = digest(asked.encode("utf-8", "replace")).hex()
        place = digest("\0".join(name).encode("utf-8", "replace")).hex()
        lock = FileLock(os.path.join(self._directory, f"{place}.json"), timeout=0)
        if not lock.acquire():
            raise ConflictError("The same request is still being answered.", hint="Wait for it.")
        try:
            held = self._held(lock.fd)
            if held is None:
                answer = do()
                # It is done: a disk that is full now does not unsay it.
                with contextlib.suppress(OSError):
                    self._keep(lock.fd, mark, answer)
                return answer
        finally:
            lock.release()
        if held.get("mark") != mark:
            raise ConflictError(
                "This Idempotency-Key was used for another request.", hint="Make a new one."
            )
        return StoredResponse(int(held["status"]), held["value"])

    def _held(self, fd: int) -> dict[str, Any] | None:
        """Return a file's response; None if it is missing, too old, or truncated."""
        data = b""
        while block := os.read(fd, _BLOCK):
            data += block
        try:
            value = quick_json.loads(data.decode("utf-8"))
        except ValueError:
            return None
        whole = isinstance(value, dict) and {"mark", "status", "value", "at"} <= set(value)
        return value if whole and self._clock.now() - value["at"] < _DAY else None

    def _keep(self, fd: int, mark: str, answer: StoredResponse) -> None:
        kept = {"mark": mark, "at": int(self._clock.now()), **answer._asdict()}
        os.ftruncate(fd, 0)
        os.lseek(fd, 0, os.SEEK_SET)
        write_all(fd, quick_json.dumps(kept).encode("utf-8", "replace") + b"\n")
        if self._kept % _SWEEP == 0:
            self._sweep()
        self._kept += 1

    def _sweep(self) -> None:
        """Remove expired responses."""
        for entry in list(os.scandir(self._directory)):
            try:
                if self._clock.now() - entry.stat().st_mtime > _DAY:
                    os.unlink(entry.path)
            except FileNotFoundError:
                continue  # another worker was here before
