"""Turns of archived sessions that were forgotten, and come back by a restore, an import or a sync.

Receipts name records only. What was forgotten of a session is known by the marks in its archive:
a turn without text was forgotten whole, one with a gap in its text in part.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from satchel.application.forgetting.choosing import strings_in
from satchel.application.forgetting.scrub import untitled
from satchel.application.forgetting.values import MARK
from satchel.core.hashing import object_in
from satchel.core.values import Any, NamedTuple
from satchel.features.sessions.archive import FORGOTTEN
from satchel.features.sessions.compression import lines_in, packed

#: How many bytes at an episode's start have its metadata.
_HEAD = 2_000
#: Fields of a turn that have what was said and done.
_SAID = ("text", "tools", "errors")


class ForgottenTurns(NamedTuple):
    """What is left of forgotten turns, by their ids; sessions with a turn forgotten whole."""

    marks: dict[str, bytes]
    sessions: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.marks)

    def plus(self, other: ForgottenTurns) -> ForgottenTurns:
        """Join what two homes forgot."""
        return ForgottenTurns(other.marks | self.marks, self.sessions | other.sessions)

    def kept(self, lines: Sequence[bytes]) -> list[bytes]:
        """Return an archive's lines with what is left of each forgotten turn in its place."""
        if not self.marks:
            return list(lines)
        made, is_touched = [], False
        for raw in lines:
            fields = object_in(raw)
            left = self.marks.get(str(fields.get("id"))) if "role" in fields else None
            is_touched = is_touched or left is not None
            made.append(raw if left is None or fields.get(FORGOTTEN) else left)
        return list(dict.fromkeys(map(untitled, made) if is_touched else made))

    def kept_packed(self, data: bytes) -> bytes:
        """Return an archive's bytes in the same way; unchanged if nothing returned."""
        lines = [raw for raw in lines_in(data, whole=True) if raw] if self.marks else []
        made = self.kept(lines)
        return data if made == lines else packed(b"\n".join(made) + b"\n")

    def lost(self, lines: Iterable[bytes]) -> Iterator[str]:
        """Yield what an archive's lines say that was forgotten out of their turns.

        Turns forgotten whole are not searched for: half of what they say is in any session.
        """
        for raw in lines:
            fields = object_in(raw)
            left = self.marks.get(str(fields.get("id"))) if "role" in fields else None
            if left is None or fields.get(FORGOTTEN):
                continue
            rest = [text for text in _said(object_in(left)) if MARK in text]
            for text in _said(fields):
                yield from next(filter(None, (_gaps(text, one) for one in rest)), ())

    def retold_in(self, path: str, data: bytes) -> bool:
        """Return whether a file is an episode about a session that was forgotten."""
        if not self.sessions or "episodes" not in path.split(os.sep):
            return False
        head = data[:_HEAD].decode("utf-8", "replace")
        names = (
            line.partition(":")[2].strip(" '\"")
            for line in head.splitlines()
            if line.startswith("session:")
        )
        return any(name in self.sessions for name in names)


NONE = ForgottenTurns({}, frozenset())


def forgotten_turns(archives: Iterable[bytes]) -> ForgottenTurns:
    """Return what the marks in some archives' bytes say was forgotten."""
    marks: dict[str, bytes] = {}
    sessions: set[str] = set()
    for data in archives:
        session, is_whole_gone = "", False
        for raw in lines_in(data, whole=True):
            fields = object_in(raw)
            if isinstance(fields.get("head"), dict):
                session = str(fields["head"].get("session") or "")
            elif "role" in fields and fields.get(FORGOTTEN):
                marks[str(fields.get("id"))] = raw
                is_whole_gone = is_whole_gone or not any(_said(fields))
        if session and is_whole_gone:
            sessions.add(session)
    return ForgottenTurns(marks, frozenset(sessions))


def _said(fields: dict[str, Any]) -> list[str]:
    return [text for name in _SAID for text in strings_in(fields.get(name))]


def _gaps(text: str, left: str) -> list[str]:
    """Return what stood where a text now has marks; nothing if it is not the same text."""
    found, at, parts = [], 0, left.split(MARK)
    for number, part in enumerate(parts):
        is_last = number == len(parts) - 1
        start = len(text) - len(part) if is_last else text.find(part, at)
        if start < at or text[start : start + len(part)] != part or (not number and start):
            return []
        if start > at:
            found.append(text[at:start])
        at = start + len(part)
    return found
