"""A server's named documents, kept for a while: in files of its home, or in a database."""

from __future__ import annotations

import contextlib
import os
from typing import Any, Protocol

from satchel.core import quick_json
from satchel.core.clock import Clock
from satchel.core.errors import SatchelError
from satchel.core.values import NamedTuple
from satchel.project.server_database import ServerDatabase
from satchel.storage.database.contract import Row, Value
from satchel.storage.database.queries import load_queries
from satchel.storage.files import read_file, replace_file


class ServerDocuments(Protocol):
    """Documents with names, each for a time."""

    def put(self, name: str, fields: dict[str, Any]) -> None:
        """Keep a document."""

    def get(self, name: str) -> Held | None:
        """Return a document, or None."""

    def touch(self, name: str) -> None:
        """Note that a document was used."""

    def take(self, name: str) -> Held | None:
        """Remove a document; of several concurrent callers, one gets its text."""

    def sweep(self) -> None:
        """Remove those that have ended."""


class Held(NamedTuple):
    """A document: its text, and the seconds since it was made and last touched."""

    fields: dict[str, Any]
    age: float
    idle: float


class HomeDocuments:
    """One file for each document, so that all workers of a server share them.

    Args:
        directory: where they are; created on first use.
        seconds: how long each is kept.
    """

    def __init__(self, directory: str, clock: Clock, seconds: float) -> None:
        self._directory, self._clock, self._seconds = directory, clock, seconds

    def put(self, name: str, fields: dict[str, Any]) -> None:
        """Keep a document."""
        path, now = self._path(name), int(self._clock.now())
        data = quick_json.dumps({**fields, "began": now}).encode()
        replace_file(path, data + b"\n", mode=0o600)
        os.utime(path, (now, now))  # when it was last touched

    def get(self, name: str) -> Held | None:
        """Return a document, or None."""
        return self._read(self._path(name))

    def touch(self, name: str) -> None:
        """Record that a document was used. One just removed does not come back."""
        now = int(self._clock.now())
        with contextlib.suppress(OSError):
            os.utime(self._path(name), (now, now))

    def take(self, name: str) -> Held | None:
        """Remove a document; of several concurrent callers, one gets its text."""
        held = self.get(name)
        try:
            os.unlink(self._path(name))
        except OSError:
            return None
        return held

    def sweep(self) -> None:
        """Remove expired documents, and other files."""
        try:
            entries = list(os.scandir(self._directory))
        except FileNotFoundError:
            return
        for entry in entries:
            held = self._read(entry.path)
            if held is None or held.age > self._seconds:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(entry.path)

    def _path(self, name: str) -> str:
        return os.path.join(self._directory, f"{name}.json")

    def _read(self, path: str) -> Held | None:
        try:
            value = quick_json.loads(read_file(path).decode("utf-8", "replace"))
            seen = int(os.stat(path).st_mtime)
            now = self._clock.now()
            return Held(value, now - value["began"], now - seen)
        except (ValueError, KeyError, TypeError, OSError, SatchelError):
            return None


class SharedDocuments:
    """Documents in a database, shared by servers on several machines. Thread-safe.

    Args:
        project: the project they belong to; `SERVER` for none.
        subject: what kind they are.
        seconds: how long each is kept.
    """

    def __init__(
        self, database: ServerDatabase, project: str, subject: str, seconds: float
    ) -> None:
        self._database, self._whose, self._seconds = database, (project, subject), seconds
        self._sql = load_queries(__file__, "server_documents.sql")

    def put(self, name: str, fields: dict[str, Any]) -> None:
        """Keep a document."""
        self._ask("put", name, _encoded(fields), self._seconds)

    def get(self, name: str) -> Held | None:
        """Return a document, or None."""
        return _held(self._ask("get", name))

    def touch(self, name: str) -> None:
        """Note that a document was used."""
        self._ask("touch", name)

    def take(self, name: str) -> Held | None:
        """Remove a document; of several concurrent callers, one gets its text."""
        return _held(self._ask("take", name))

    def sweep(self) -> None:
        """Remove the project's expired documents."""
        with self._database.opened(self._whose[0]) as database:
            database.read(self._sql["sweep"], self._whose[:1])

    # Requests that are done once

    def claim(self, name: str, holder: str, mark: str, silence: float) -> int:
        """Claim a request, so that nobody else handles it; return when it was first claimed, in ms.

        Returns 0 if another worker has claimed it and was active within `silence` seconds, or if it
        was answered: see `claimed`.
        """
        rows = self._ask("claim", name, holder, mark, self._seconds, silence)
        return int(rows[0][0] or 0) if rows else 0

    def claimed(self, name: str) -> tuple[str, dict[str, Any] | None] | None:
        """Return the hash of another worker's request, and its answer if it has one."""
        rows = self._ask("claimed", name)
        return (str(rows[0][0]), _decoded(rows[0][1])) if rows else None

    def renew(self, name: str, holder: str) -> None:
        """Give a sign of life."""
        self._ask("renew", name, holder)

    def keep(self, name: str, holder: str, answer: dict[str, Any]) -> None:
        """Store the answer to a request that the holder still has."""
        self._ask("keep", name, holder, _encoded(answer))

    def release(self, name: str, holder: str) -> None:
        """Release a failed request, so that the next worker can claim it at once."""
        self._ask("release", name, holder)

    def _ask(self, query: str, name: str, *values: Value) -> list[Row]:
        # Each may be sent again after a lost answer: it finds its earlier effect.
        with self._database.opened(self._whose[0]) as database:
            return database.read(self._sql[query], (*self._whose, name, *values))


def _encoded(fields: dict[str, Any]) -> bytes:
    return quick_json.dumps(fields).encode("utf-8", "replace")


def _decoded(body: Value) -> dict[str, Any] | None:
    return dict(quick_json.loads(body.decode("utf-8"))) if isinstance(body, bytes) else None


def _held(rows: list[Row]) -> Held | None:
    fields = _decoded(rows[0][0]) if rows else None
    return None if fields is None else Held(fields, float(rows[0][1] or 0), float(rows[0][2] or 0))
