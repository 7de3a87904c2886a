"""Drains the inbox: events become lines of the private ledgers, each exactly once."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from satchel.application.learning.listening.events import records_of
from satchel.application.services import DrainReport
from satchel.core.errors import SatchelError, StoreError
from satchel.core.hashing import sealed
from satchel.core.quick_json import dumps
from satchel.core.trust import AGENT
from satchel.engine.search.documents import Hit
from satchel.engine.search.records import record_of
from satchel.features.injections.injection_ledger import InjectionLedger
from satchel.features.injections.nudges import cause_of
from satchel.features.memories.ledgers import PRIVATE, grouped
from satchel.features.memories.replacing import with_replaced
from satchel.features.memories.service import Memories
from satchel.storage.files import replace_file
from satchel.storage.inbox.faults import note_fault
from satchel.storage.inbox.spool import Inbox, read_events
from satchel.storage.ledger.quarantine import Quarantine
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_BATCH = 64


class Drainer:
    """Drains one project's inbox.

    Args:
        memories: receives the records.
        injections: what was shown to agents, which is not captured again.
        quarantine: receives unreadable lines.
        faults: file for faults that nobody is shown.
    """

    def __init__(
        self,
        inbox: Inbox,
        memories: Memories,
        injections: InjectionLedger,
        quarantine: Quarantine,
        faults: str,
    ) -> None:
        self.inbox = inbox
        self.memories = memories
        self.injections = injections
        self.quarantine = quarantine
        self.faults = faults
        self._injected: dict[str, list[str]] = {}
        self._said: set[tuple[str, str]] = set()

    def drain(self, seconds: float) -> DrainReport:
        """Drain for at most `seconds`. Does nothing if another process is draining."""
        if not self.inbox.waiting():
            return DrainReport((), 0, ())
        lock = self.inbox.drain_lock()
        if not lock.acquire():
            return DrainReport((), len(self.inbox.peek()), (), busy=True)
        deadline = time.monotonic() + seconds
        written: list[Record] = []
        skipped: list[tuple[Record, str]] = []
        left = 0
        try:
            for number, path in enumerate(self.inbox.take()):
                # However short the time, every drain gets a little further.
                if number and time.monotonic() > deadline:
                    left += 1
                else:
                    left += self._drain_file(path, deadline, written, skipped)
        finally:
            lock.release()
        return DrainReport(tuple(written), left, tuple(skipped))

    def _drain_file(
        self, path: str, deadline: float, written: list[Record], skipped: list[tuple[Record, str]]
    ) -> int:
        """Drain one taken file; return how many of its events remain."""
        try:
            events, damaged = read_events(path)
        except StoreError as error:
            # Kept for the next drain: unreadable events were acknowledged all the same.
            note_fault(self.faults, "drain", str(error), self.memories.clock.now())
            return 1
        for raw in damaged:
            now = int(self.memories.clock.now())
            self.quarantine.keep(path, raw, "an inbox line that is not an event", now)
        for start in range(0, len(events), _BATCH):
            if start and time.monotonic() > deadline:
                rest = events[start:]
                replace_file(path, b"".join(_line(event) for event in rest))
                return len(rest)
            self._write(events[start : start + _BATCH], written, skipped)
        try:
            os.unlink(path)
        except OSError as error:
            # The next drain replays it; ids prevent duplicates.
            note_fault(self.faults, "drain", str(error), self.memories.clock.now())
        return 0

    def _write(
        self,
        events: Sequence[dict[str, Any]],
        written: list[Record],
        skipped: list[tuple[Record, str]],
    ) -> None:
        fresh: list[Record] = []
        named: list[Record] = []
        for event in events:
            for record in self._records(event):
                reason = self._why_not(record)
                if reason:
                    skipped.append((record, reason))
                    named += self._now_of_session(record)
                else:
                    fresh.append(with_replaced(self.memories, record))
                    self._said.add((record.kind, _normal(record.content)))
        for ledger, group in grouped(self.memories.ledgers, fresh):
            # A killed drainer may already have written some of these lines.
            written += ledger.append_new(group)
        if named:
            written += self.memories.append(named)

    def _records(self, event: dict[str, Any]) -> list[Record]:
        try:
            records = records_of(event)
        except (SatchelError, ValueError, TypeError, KeyError, OverflowError) as error:
            # The boundary of one event: its error is recorded, and the others continue.
            raw = dumps(event).encode("utf-8", "replace")
            now = int(self.memories.clock.now())
            self.quarantine.keep(self.inbox.directory, raw, f"not understood: {error}", now)
            return []
        # An unreadable store ends the drain: the event is not at fault, and stays.
        return [self._caused(record) for record in records]

    def _caused(self, record: Record) -> Record:
        """Record the user's words behind an agent's memory, if it was asked for."""
        if not record.session or not _is_said(record):
            return record
        injections = self.injections.of_session(record.session)
        ident = cause_of(record.content, injections, session=record.session, now=record.ts)
        return record._replace(derived_from=(ident,)) if ident else record

    def _why_not(self, record: Record) -> str:
        """Return why a record is skipped: already known, or written by Satchel itself."""
        if not _is_said(record):
            return ""
        words = _normal(record.content)
        if any(_repeats(words, text) for text in self._texts_injected(record.session)):
            return "it was injected in this session"
        if (record.kind, words) in self._said:
            return "it was said before in the same drain"
        if self._already_remembered(record, words):
            return "the same memory is there already"
        return ""

    def _already_remembered(self, record: Record, words: str) -> bool:
        return any(
            v.document.kind == record.kind
            and not v.document.deleted
            and _repeats(words, _normal(v.document.content))
            for v in self._alike(record)
        )

    def _alike(self, record: Record) -> list[Hit]:
        """Return the stored version of a record, or the most similar record."""
        index, sources = self.memories.index, self.memories.sources
        versions = index.history(record.identity, sources)[:1]
        return versions or index.search(record.content[:400], self.memories.view(), limit=3)

    def _now_of_session(self, record: Record) -> list[Record]:
        """Return what the command itself wrote, with the session the hook knows.

        Not every client passes the session to its shells.
        """
        if not record.session:
            return []
        for hit in self._alike(record):
            if hit.source != PRIVATE or hit.document.deleted:
                continue
            one = record_of(hit.document)
            just_now = 0 <= record.ts - one.ts <= _JUST_NOW
            same = one.kind == record.kind and _normal(one.content) == _normal(record.content)
            if same and just_now and one.trust == AGENT and not one.session:
                client = one.client or record.client
                more = one._replace(session=record.session, client=client)
                return [more._replace(rev=one.rev + 1, hash="")]
        return []

    def _texts_injected(self, session: str) -> list[str]:
        if not session:
            return []
        if session not in self._injected:
            items = [i for one in self.injections.of_session(session) for i in one.items]
            self._injected[session] = [_normal(i.text) for i in items if i.text and i.identity]
        return self._injected[session]


def pending_records(inbox: Inbox) -> list[Record]:
    """Return records of undrained events, for searching; nothing is moved."""
    records = []
    for event in inbox.peek():
        try:
            records += records_of(event)
        except (SatchelError, ValueError, TypeError, KeyError, OverflowError):
            continue  # draining will quarantine it
    return records


def _is_said(record: Record) -> bool:
    """Return whether it was said rather than done."""
    return record.kind not in ("activity", "checkpoint")


def _normal(text: str) -> str:
    return " ".join(text.casefold().rstrip("… ").split())


def _repeats(words: str, known: str) -> bool:
    """Return whether `words` is already known, in full or truncated."""
    return words == known or (len(words) > _CUT_SHORT and known.startswith(words))


_CUT_SHORT = 40
#: Most seconds between a command that remembers and the hook after it.
_JUST_NOW = 600


def _line(event: dict[str, Any]) -> bytes:
    bare = {name: value for name, value in event.items() if name != "hash"}
    return sealed(dumps(bare))[0] + b"\n"
