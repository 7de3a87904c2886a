"""The last messages of a Claude Code transcript, without reading all of it."""

from __future__ import annotations

import json
import os
import stat
from typing import Any, NamedTuple

#: Transcripts run to megabytes; the last messages lie in the last part of them.
_TAIL_BYTES = 2 * 1024 * 1024


class Message(NamedTuple):
    """What one side said: `user` or `assistant`, and the text of it."""

    role: str
    text: str
    id: str = ""


def last_messages(path: str, count: int) -> list[Message]:
    """Return the last messages that people and the agent exchanged, oldest first.

    Tool calls, tool results, summaries and other sessions' side chains are not messages. A
    transcript that is missing, no regular file, or unreadable has none.
    """
    messages: list[Message] = []
    for line in _tail(path).split(b"\n"):
        message = _message(line)
        if message is None:
            continue
        if messages and message.id and messages[-1].id == message.id:
            # One answer is several lines with the same id, one block in each.
            merged = f"{messages[-1].text}\n{message.text}"
            messages[-1] = messages[-1]._replace(text=merged)
        else:
            messages.append(message)
    return messages[-count:]


def _tail(path: str) -> bytes:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return b""
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            return b""
        start = max(0, status.st_size - _TAIL_BYTES)
        data = os.pread(fd, _TAIL_BYTES, start)
    except OSError:
        return b""
    finally:
        os.close(fd)
    return data[data.find(b"\n") + 1 :] if start else data


def _message(line: bytes) -> Message | None:
    if b'"message"' not in line:
        return None
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or entry.get("type") not in ("user", "assistant"):
        return None
    if entry.get("isMeta") or entry.get("isSidechain") or entry.get("isCompactSummary"):
        return None
    message = entry.get("message")
    if not isinstance(message, dict):
        return None
    text = _text(message.get("content")).strip()
    if not text or text.startswith("<command-name>"):
        return None
    return Message(str(entry["type"]), text, str(message.get("id") or ""))


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    blocks = [b for b in content if isinstance(b, dict) and b.get("type") == "text"]
    return "\n".join(str(block.get("text", "")) for block in blocks)
