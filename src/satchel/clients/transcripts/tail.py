"""The last messages of a transcript, without reading all of it."""

from __future__ import annotations

import os
from typing import NamedTuple

from satchel.core.errors import StoreError

#: Transcripts run to megabytes; the last messages lie in the last part of them.
_TAIL_BYTES = 2 * 1024 * 1024


class Message(NamedTuple):
    """What one side said: `user` or `assistant`, and the text of it."""

    role: str
    text: str
    id: str = ""


def last_messages(path: str, count: int) -> list[Message]:
    """Return the last messages that people and the agent exchanged, oldest first.

    Whichever client wrote them. Tool calls, tool results, summaries, other sessions' side chains
    and commands to the client (`/clear`) are not messages. A transcript that is missing, no
    regular file, or unreadable has none.
    """
    from satchel.clients.transcript_format.texts import is_command
    from satchel.clients.transcript_format.values import USER
    from satchel.clients.transcripts.reading import TranscriptReader

    if not path:
        return []
    try:
        start = _line_after(path, max(0, os.stat(path).st_size - _TAIL_BYTES))
        turns = [
            turn
            for turn in TranscriptReader(path, start=start)
            if turn.text and not (turn.role == USER and is_command(turn.text))
        ]
    except (OSError, ValueError, StoreError):
        return []
    return [Message(turn.role, turn.text, turn.id) for turn in turns[-count:]]


def _line_after(path: str, offset: int) -> int:
    """Return where the first whole line behind an offset begins."""
    if not offset:
        return 0
    from satchel.clients.transcript_format.lines import open_regular

    with open_regular(path) as file:
        file.seek(offset)
        return offset + len(file.readline(_TAIL_BYTES))
