"""Streams a transcript of any client, resuming where the last read ended.

    reader = TranscriptReader(path)
    for turn in reader:
        ...
    later = TranscriptReader(path, start=reader.resume, head=reader.head)

Reading a part and then the rest gives what reading the whole gives, if turns with the same id
take each other's place (`values.merged`): the last turn of a part may come again, longer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from satchel.clients.contract.transcripts import transcripts_of
from satchel.clients.registry import ALIASES
from satchel.clients.transcript_format.building import RecordReader
from satchel.clients.transcript_format.files import TranscriptFile
from satchel.clients.transcript_format.lines import LONGEST_LINE, lines_from, open_regular
from satchel.clients.transcript_format.values import TranscriptHead, Turn
from satchel.clients.transcripts.off_the_record import OffTheRecord
from satchel.core.errors import StoreError
from satchel.core.hashing import short_hash

#: How far into a file to search for its directory.
_LINES_LOOKED_AT, _BYTES_LOOKED_AT = 200, 4 << 20


def transcript_files(client: str, home: str, root: str) -> Iterator[TranscriptFile]:
    """Yield a client's files that may be about `root`; `head_of` tells for certain.

    Args:
        client: one of `registry.ALIASES`.
        home: the client's own directory, `~/.claude` for example.
    """
    return transcripts_of(client).files(home, root, head_of)


def head_of(path: str) -> TranscriptHead:
    """Read the beginning of a transcript until its session's directory is known.

    An unreadable file has an empty head.
    """
    try:
        reader = TranscriptReader(path)
        with open_regular(path) as file:
            for number, (offset, raw, complete) in enumerate(lines_from(file)):
                reader.look_at(offset, raw, complete=complete)
                if reader.head.cwd or number > _LINES_LOOKED_AT or offset > _BYTES_LOOKED_AT:
                    break
    except StoreError:
        return TranscriptHead("")
    return reader.head


#: How many lines to read to identify the client.
_LOOKED_AT = 60
#: A record without a message may be long; it is skipped without parsing.
_SHORT = 4096
_DOCUMENT = b"{"


#: From the last line of the registry up: Claude Code's records, its first, have the fewest marks.
_FORMATS = tuple(transcripts_of(one).reader for one in reversed(ALIASES))
_BY_CLIENT = {one.client: one for one in _FORMATS}


class TranscriptReader:
    """Iterates over a transcript's turns, holding one turn and one line in memory.

    Args:
        path: the file. A pipe, a device or a missing file raises `NotReadableError`.
        start: offset to begin at: `resume` of an earlier reader.
        head: an earlier reader's head.

    Attributes:
        client: who wrote it; "" if unknown.
        head: its session, as far as read.
        resume: where to begin next time: the first record of the last turn, or an incomplete line.
        damaged: lines that are not records.
    """

    def __init__(self, path: str, *, start: int = 0, head: TranscriptHead | None = None) -> None:
        self.path = path
        self.resume = start
        self.damaged = 0
        self._start = start
        self.client, self._document = client_of(path)
        reader = _BY_CLIENT.get(self.client)
        self._records: RecordReader | None = None if reader is None else reader(path, head)
        self._unkept = OffTheRecord()

    @property
    def head(self) -> TranscriptHead:
        """Return the session's head, as far as read."""
        return self._records.head if self._records is not None else TranscriptHead("")

    def __iter__(self) -> Iterator[Turn]:
        if self._records is None:
            return
        with open_regular(self.path) as file:
            if self._document:
                yield from self._whole(file)
                return
            for offset, raw, complete in lines_from(file, self._start):
                yield from self._line(offset, raw, complete=complete)
            yield from self._last(self._records)

    def look_at(self, offset: int, raw: bytes, *, complete: bool) -> None:
        """Process a line for its session's head, ignoring turns."""
        if self._records is not None and not self._document:
            self._line(offset, raw, complete=complete)

    def _line(self, offset: int, raw: bytes, *, complete: bool) -> list[Turn]:
        records = self._records
        assert records is not None  # noqa: S101 -- iterated only where there are some
        line = raw.strip()
        if line and not (len(line) > _SHORT and records.every_message_has not in line):
            record = _record(line)
            if record is not None:
                begun = records.since()
                done = records.feed(record, offset, self._key(line, record, offset))
                done = [self._unkept.kept(one, offset if begun is None else begun) for one in done]
                self._pass(offset, raw, complete=complete)
                return done
            self.damaged += complete
        elif not raw and complete:
            self.damaged += 1
        self._pass(offset, raw, complete=complete)
        return []

    def _pass(self, offset: int, raw: bytes, *, complete: bool) -> None:
        """Record where to resume: after this line, or at the open turn's start."""
        behind = offset + len(raw) if complete else offset
        since = self._records.since() if self._records is not None else None
        # A later answer to an omitted turn is recognized by that turn.
        begun = [at for at in (since, self._unkept.since) if at is not None]
        self.resume = min(behind, *begun) if begun else behind

    def _key(self, line: bytes, record: dict[str, Any], offset: int) -> str:
        """Return an id for a record without one: its bytes' hash if timed, else its position."""
        if "timestamp" in record:
            return short_hash(line)
        return short_hash(f"{self.head.session}\0{offset}".encode("utf-8", "replace"))

    def _last(self, records: RecordReader) -> list[Turn]:
        """Return the open turn, leaving it open for the next read."""
        turn = records.open.turn() if records.open is not None else None
        return [self._unkept.kept(turn, records.since() or 0)] if turn is not None else []

    def _whole(self, file: BinaryIO) -> Iterator[Turn]:
        records = self._records
        assert records is not None  # noqa: S101 -- iterated only where there are some
        self.resume = 0
        raw = file.read(LONGEST_LINE)
        record = _record(raw) if len(raw) < LONGEST_LINE else None
        if record is None:
            self.damaged += 1
            return
        key = short_hash(str(record.get("sessionId")).encode("utf-8", "replace"))
        for turn in (*records.feed(record, 0, key), *records.finish()):
            yield self._unkept.kept(turn, 0)


def client_of(path: str) -> tuple[str, bool]:
    """Return a transcript's client, and whether it is a single document.

    "" if nothing in its first lines is recognized.
    """
    with open_regular(path) as file:
        first = file.read(64).lstrip()
        if first.startswith(_DOCUMENT) and not _lines_hold(file):
            file.seek(0)
            raw = file.read(LONGEST_LINE)
            record = _record(raw) if len(raw) < LONGEST_LINE else None
            if record is not None and isinstance(record.get("messages"), list):
                known = (one for one in _FORMATS if one.one_document and one.knows(record))
                return next(((one.client, True) for one in known), ("", False))
        for number, (_, line, _) in enumerate(lines_from(file)):
            record = _record(line.strip())
            if record is not None:
                for one in _FORMATS:
                    if one.knows(record):
                        whole = isinstance(record.get("messages"), list)
                        return one.client, whole and one.one_document
            if number >= _LOOKED_AT:
                break
    return "", False


def _lines_hold(file: BinaryIO) -> bool:
    """Return whether the first line is a whole record, in a file of lines."""
    for _, line, complete in lines_from(file):
        return _record(line.strip()) is not None and complete
    return False


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
