"""Copilot, Gemini and Cursor: one record for each message or event."""

from __future__ import annotations

import os
import re
from typing import Any

from satchel.clients.transcript_format.building import RecordReader
from satchel.clients.transcript_format.texts import (
    call_of,
    dict_of,
    said_by_agent,
    said_by_person,
    seconds_of,
    text_of,
    word_of,
)
from satchel.clients.transcript_format.values import (
    ASSISTANT,
    COPILOT,
    CURSOR,
    GEMINI,
    USER,
    TranscriptHead,
    Turn,
)

_QUERY = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)


class CopilotReader(RecordReader):
    """Makes turns of the events of Copilot: `{type, data, id, timestamp, parentId}`."""

    client = COPILOT

    def __init__(self, path: str, head: TranscriptHead | None) -> None:
        folder = os.path.basename(os.path.dirname(path))
        named = folder if os.path.basename(path) == "events.jsonl" else ""
        super().__init__(head or TranscriptHead(COPILOT, named))

    @staticmethod
    def knows(record: dict[str, Any]) -> bool:
        """Say whether a record is an event of Copilot."""
        kind = record.get("type")
        return isinstance(kind, str) and "." in kind and isinstance(record.get("data"), dict)

    def feed(self, record: dict[str, Any], offset: int, key: str) -> list[Turn]:
        """Take one event; return the turns that it completes."""
        data = dict_of(record.get("data"))
        kind, at = record.get("type"), seconds_of(record.get("timestamp"))
        ident = word_of(record.get("id")) or key
        if kind in ("session.start", "session.resume", "session.context_changed"):
            self._note_head(data, at)
        elif kind == "session.title_changed":
            self.head = self.head.told(title=word_of(data.get("title")))
        elif kind == "session.model_change":
            self.head = self.head.told(model=word_of(data.get("newModel")))
        elif kind == "user.message":
            text = said_by_person(text_of(data.get("content")))
            if text:
                turn, done = self.begin(USER, ident, at, offset)
                turn.says(text)
                return done
        elif kind == "assistant.message" and not data.get("parentToolCallId"):
            turn, done = self.begin(ASSISTANT, ident, at, offset)
            turn.model = word_of(data.get("model"))
            turn.says(said_by_agent(text_of(data.get("content"))))
            requests = data.get("toolRequests")
            for one in requests if isinstance(requests, list) else ():
                call = dict_of(one)
                turn.calls(call_of(call.get("name"), call.get("arguments")))
            return done
        elif kind == "tool.execution_complete" and data.get("success") is False:
            self._failed(data)
        return []

    def _note_head(self, data: dict[str, Any], at: float) -> None:
        context = dict_of(data.get("context")) or data
        self.head = self.head.told(
            session=word_of(data.get("sessionId")),
            cwd=word_of(context.get("cwd")) or word_of(context.get("gitRoot")),
            branch=word_of(context.get("branch")),
            model=word_of(data.get("selectedModel")),
            started=seconds_of(data.get("startTime")) or at,
        )

    def _failed(self, data: dict[str, Any]) -> None:
        if self.open is not None and self.open.role == ASSISTANT:
            error = dict_of(data.get("error")).get("message")
            result = dict_of(data.get("result")).get("content")
            self.open.fails(said_by_agent(text_of(error) or text_of(result) or "failed"))


class GeminiReader(RecordReader):
    """Makes turns of the messages of Gemini CLI, a file of lines or, older, one document.

    A message that comes again with the same id is the same message, longer.
    """

    client = GEMINI

    def __init__(self, path: str, head: TranscriptHead | None) -> None:
        above = os.path.basename(os.path.dirname(path))
        self._parent = "" if above == "chats" else above
        super().__init__(head or TranscriptHead(GEMINI))

    @staticmethod
    def knows(record: dict[str, Any]) -> bool:
        """Say whether a record is the first line, or the whole document, of Gemini."""
        return "sessionId" in record and ("projectHash" in record or "messages" in record)

    def feed(self, record: dict[str, Any], offset: int, key: str) -> list[Turn]:
        """Take one line, or one document; return the turns that it completes."""
        updated = dict_of(record.get("$set"))
        if updated or "sessionId" in record:
            self._note_head(updated or record)
            messages = (updated or record).get("messages")
            done: list[Turn] = []
            for number, message in enumerate(messages if isinstance(messages, list) else ()):
                done += self._message(dict_of(message), offset, f"{key}-{number}")
            return done
        return self._message(record, offset, key)

    def _note_head(self, said: dict[str, Any]) -> None:
        directories = said.get("directories")
        first = directories[0] if isinstance(directories, list) and directories else ""
        self.head = self.head.told(
            session=word_of(said.get("sessionId")),
            started=seconds_of(said.get("startTime")),
            title=word_of(said.get("summary")),
            cwd=word_of(first),
            parent=self._parent if said.get("kind") == "subagent" else "",
        )

    def _message(self, message: dict[str, Any], offset: int, key: str) -> list[Turn]:
        kind = message.get("type")
        if kind not in ("user", "gemini"):
            return []
        ident = word_of(message.get("id")) or key
        at = seconds_of(message.get("timestamp"))
        text = text_of(message.get("content"))
        if kind == "user":
            text = "" if text.lstrip().startswith("<session_context>") else said_by_person(text)
            if not text:
                return []
            turn, done = self.begin(USER, ident, at, offset)
            turn.says(text)
            return done
        turn, done = self.begin(ASSISTANT, ident, at, offset)
        turn.model = word_of(message.get("model"))
        self.head = self.head.told(model=turn.model)
        turn.says(said_by_agent(text))
        calls = message.get("toolCalls")
        for one in calls if isinstance(calls, list) else ():
            call = dict_of(one)
            turn.calls(call_of(call.get("name"), call.get("args")))
            if call.get("status") == "error":
                shown = call.get("resultDisplay")
                turn.fails(said_by_agent(text_of(shown) or "failed"))
        return done


class CursorReader(RecordReader):
    """Makes turns of Cursor's lines: who spoke, and the blocks; no times, no results of tools."""

    client = CURSOR

    def __init__(self, path: str, head: TranscriptHead | None) -> None:
        stem = os.path.basename(path).partition(".")[0]
        above = os.path.dirname(path)
        inner = os.path.basename(above) == "subagents"
        parent = os.path.basename(os.path.dirname(above)) if inner else ""
        super().__init__(head or TranscriptHead(CURSOR, stem, parent=parent))

    @staticmethod
    def knows(record: dict[str, Any]) -> bool:
        """Say whether a record is a line of Cursor."""
        if record.get("type") == "metadata":
            return isinstance(record.get("metadata"), dict)
        return "type" not in record and "message" in record and "role" in record

    def feed(self, record: dict[str, Any], offset: int, key: str) -> list[Turn]:
        """Take one line; return the turns that it completes."""
        if record.get("type") == "metadata":
            overview = dict_of(record.get("metadata")).get("overview")
            self.head = self.head.told(title=word_of(overview))
        role = record.get("role")
        if role not in (USER, ASSISTANT):
            return []
        content = dict_of(record.get("message")).get("content")
        text = text_of(content)
        if role == USER:
            query = _QUERY.search(text)
            text = said_by_person(query[1] if query else text)
            if not text:
                return []
        turn, done = self.begin(role, key, 0.0, offset)
        turn.says(text if role == USER else said_by_agent(text))
        for block in content if isinstance(content, list) else ():
            if dict_of(block).get("type") == "tool_use":
                turn.calls(call_of(block.get("name"), block.get("input")))
        return done
