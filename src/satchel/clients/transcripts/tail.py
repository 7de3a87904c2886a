"""Reads the last messages of a transcript without reading all of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from satchel.core.errors import StoreError

#: Transcripts grow to megabytes; the last messages are near the end.
_TAIL_BYTES = 2 * 1024 * 1024
#: The factor by which each further attempt reads more, and the most to read.
_FURTHER, _FURTHEST_BYTES = 8, 32 * 1024 * 1024
#: Occurs in every call that remembers something.
_OWN = "satchel"


class Message(NamedTuple):
    """A message: its role, `user` or `assistant`, and its text.

    `worked`: the agent called tools between it and the next message, other than to remember.
    `commits` are those git reported then, each an id and the first line of its message. `rejects`:
    the person said it while refusing a call.
    """

    role: str
    text: str
    id: str = ""
    worked: bool = False
    commits: tuple[str, ...] = ()
    rejects: bool = False


def last_messages(
    path: str, count: int, wanted: Callable[[Message], bool] | None = None
) -> list[Message]:
    """Return the last messages between user and agent, oldest first.

    Whichever client wrote them. Tool calls, tool results, summaries, other sessions' side chains
    and commands to the client (`/clear`) are not messages. A transcript that is missing, unreadable
    or not a regular file has none.

    Args:
        wanted: a message that must be among them, however far back.
    """
    size = _TAIL_BYTES
    while True:
        found, whole = _messages_within(path, size)
        last = _last_wanted(found, wanted)
        if wanted is None or last >= 0 or whole or size >= _FURTHEST_BYTES:
            from_here = max(0, len(found) - count)
            return found[min(from_here, last) if last >= 0 else from_here :]
        size *= _FURTHER


def _last_wanted(found: list[Message], wanted: Callable[[Message], bool] | None) -> int:
    """Return the position of the last relevant message, or -1."""
    if wanted is None:
        return -1
    return next((at for at in range(len(found) - 1, -1, -1) if wanted(found[at])), -1)


def _messages_within(path: str, size: int) -> tuple[list[Message], bool]:
    """Return the messages in the last `size` bytes, and whether that is the whole file."""
    from satchel.clients.transcript_format.texts import is_command
    from satchel.clients.transcript_format.values import USER
    from satchel.clients.transcripts.reading import TranscriptReader

    if not path:
        return [], True
    try:
        before = max(0, os.stat(path).st_size - size)
        found: list[Message] = []
        for turn in TranscriptReader(path, start=_line_after(path, before)):
            if turn.text and not (turn.role == USER and is_command(turn.text)):
                found.append(Message(turn.role, turn.text, turn.id, rejects=turn.rejects))
            if found and (turn.commits or any(_OWN not in tool for tool in turn.tools)):
                commits = found[-1].commits + turn.commits
                found[-1] = found[-1]._replace(worked=True, commits=commits)
    except (OSError, ValueError, StoreError):
        return [], True
    return found, not before


def _line_after(path: str, offset: int) -> int:
    """Return the start of the first whole line after an offset."""
    if not offset:
        return 0
    from satchel.clients.transcript_format.lines import open_regular

    with open_regular(path) as file:
        file.seek(offset)
        return offset + len(file.readline(_TAIL_BYTES))
