"""Responses by idempotency key: a repeated request gets the first answer, from any worker.

One file per key, in the installation's private state, for a day. Its lock is held while the request
runs, so that two workers never run it concurrently. It records when the request first arrived,
before anything is done: a request repeated after its worker was killed writes under the same id.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from typing import Protocol

from satchel.core import quick_json
from satchel.core.clock import Clock
from satchel.core.errors import ConflictError
from satchel.core.hashing import digest
from satchel.core.ids import derived_ulid
from satchel.core.times import DAY
from satchel.core.values import Any, NamedTuple
from satchel.storage.files import not_usable, write_all
from satchel.storage.locks import FileLock


class Idempotency(Protocol):
    """Runs requests once for each key."""

    def once(
        self, name: RequestName, asked: str, do: Callable[[str], StoredResponse]
    ) -> StoredResponse:
        """Run a request, or return the stored response.

        Args:
            name: the request's identity.
            asked: the whole request as text.
            do: runs it; receives the id of what it writes, the same when repeated.

        Raises `ConflictError` if the key was used for something else, or is in use.
        """


#: After how many stored answers to look for old ones.
_SWEEP = 200
_BLOCK = 1 << 20


class StoredResponse(NamedTuple):
    """A stored response: its HTTP status and JSON value."""

    status: int
    value: Any


class RequestName(NamedTuple):
    """A request's identity: project, user, target, and key."""

    project: str
    user: str
    method: str
    path: str
    key: str

    @property
    def mark(self) -> str:
        """The name as a hash."""
        return digest("\0".join(self).encode("utf-8", "replace")).hex()

    def ident(self, began: int, asked: str) -> str:
        """Return the id of what the request writes; `began` is when it first arrived, in ms."""
        return derived_ulid(began, digest(f"{self.mark}{asked}".encode("utf-8", "replace")))


def mark_of(asked: str) -> str:
    """Return a hash of a whole request."""
    return digest(asked.encode("utf-8", "replace")).hex()


def used_otherwise() -> ConflictError:
    """Return the error for a key used for another request."""
    return ConflictError(
        "This Idempotency-Key was used for another request.", hint="Make a new one."
    )


def being_answered() -> ConflictError:
    """Return the error for a request that another worker is running."""
    return ConflictError("The same request is still being answered.", hint="Wait for it.")


class IdempotencyStore:
    """The stored responses of one installation.

    Args:
        directory: where they are; created on first use.
        clock: for the age of answers.
    """

    def __init__(self, directory: str, clock: Clock) -> None:
        self._directory, self._clock = directory, clock
        self._kept = 0

    def once(
        self, name: RequestName, asked: str, do: Callable[[str], StoredResponse]
    ) -> StoredResponse:
        """Run a request, or return the stored response; see `Idempotency`."""
        mark = mark_of(asked)
        lock = FileLock(os.path.join(self._directory, f"{name.mark}.json"), timeout=0)
        if not lock.acquire():
            raise being_answered()
        try:
            held = self._held(lock.fd)
            if held is None:
                held = {"mark": mark, "at": int(self._clock.now())}
                self._begin(lock.fd, held)
            if held["mark"] not in ("", mark):
                raise used_otherwise()
            if "status" not in held:
                ident = name.ident(held["at"] * 1000, asked)
                return self._done(lock.fd, {**held, "mark": mark}, lambda: do(ident))
        finally:
            lock.release()
        return StoredResponse(int(held["status"]), held["value"])

    def _done(
        self, fd: int, held: dict[str, Any], do: Callable[[], StoredResponse]
    ) -> StoredResponse:
        try:
            answer = do()
        except BaseException:
            # The key can be used again. Its first time is kept, since the effect may exist all the
            # same.
            self._keep(fd, {**held, "mark": ""})
            raise
        self._keep(fd, {**held, **kept_fields(answer)})
        return answer

    def _held(self, fd: int) -> dict[str, Any] | None:
        """Return a file's last whole line; None if there is none, or it is too old."""
        data = b""
        while block := os.read(fd, _BLOCK):
            data += block
        for line in reversed(data.split(b"\n")):
            try:
                value = quick_json.loads(line.decode("utf-8"))
            except ValueError:
                continue
            if isinstance(value, dict) and {"mark", "at"} <= set(value):
                return value if self._clock.now() - value["at"] < DAY else None
        return None

    def _begin(self, fd: int, held: dict[str, Any]) -> None:
        """Write when the request arrived. Without that, a repeated one would write again."""
        try:
            os.ftruncate(fd, 0)
            _append(fd, held)
        except OSError as error:
            raise not_usable(self._directory, error, writing=True) from error

    def _keep(self, fd: int, held: dict[str, Any]) -> None:
        # The work is done: a full disk now does not undo it, nor when it began.
        with contextlib.suppress(OSError):
            _append(fd, held)
            if self._kept % _SWEEP == 0:
                self._sweep()
            self._kept += 1

    def _sweep(self) -> None:
        for entry in list(os.scandir(self._directory)):
            try:
                if self._clock.now() - entry.stat().st_mtime > DAY:
                    os.unlink(entry.path)
            except FileNotFoundError:
                continue  # another worker was here before


def kept_fields(answer: StoredResponse) -> dict[str, Any]:
    """Return a response as it is stored: it may repeat what was sent, with a secret in it."""
    from satchel.core.redaction.redactor import redact_value

    return {"status": answer.status, "value": redact_value(answer.value)[0]}


def _append(fd: int, held: dict[str, Any]) -> None:
    """Append a line whole, or not at all."""
    size = os.lseek(fd, 0, os.SEEK_END)
    try:
        write_all(fd, b"\n" + quick_json.dumps(held).encode("utf-8", "replace") + b"\n")
    except OSError:
        os.ftruncate(fd, size)
        raise
