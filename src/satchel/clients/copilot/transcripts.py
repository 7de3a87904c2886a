"""Copilot: one file of events per session."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from satchel.clients.contract.transcripts import Transcripts
from satchel.clients.transcript_format.building import RecordReader, TurnBuilder, changed_in
from satchel.clients.transcript_format.files import TranscriptFile, files_below
from satchel.clients.transcript_format.texts import (
    said_by_agent,
    said_by_person,
    seconds_of,
    text_of,
    word_of,
)
from satchel.clients.transcript_format.values import ASSISTANT, USER, TranscriptHead, Turn
from satchel.core.shapes import dict_of, list_of

#: What the client appends to a command's output.
_ENDED = re.compile(
    r"\s{0,9}<(?:shellId: \S{1,40} completed|exited) with exit code -?\d{1,10}>\s{0,9}\Z"
)
_TYPED = "User responded: "
_SAID_NO = ("denied", "rejected")


class CopilotReader(RecordReader):
    """Converts Copilot's events to turns: `{type, data, id, timestamp, parentId}`."""

    client = "copilot"

    def __init__(self, path: str, head: TranscriptHead | None) -> None:
        folder = os.path.basename(os.path.dirname(path))
        named = folder if os.path.basename(path) == "events.jsonl" else ""
        super().__init__(path, head or TranscriptHead(self.client, named))

    @staticmethod
    def knows(record: dict[str, Any]) -> bool:
        """Return whether a record is an event of Copilot."""
        kind = record.get("type")
        return isinstance(kind, str) and "." in kind and isinstance(record.get("data"), dict)

    def feed(self, record: dict[str, Any], offset: int, key: str) -> list[Turn]:
        """Process an event; return the turns that it completes."""
        data = dict_of(record.get("data"))
        kind, at = record.get("type"), seconds_of(record.get("timestamp"))
        ident = word_of(record.get("id")) or key
        if record.get("agentId") and kind in ("user.message", "session.model_change"):
            return []  # of a subagent: the agent asked it, not a person
        if kind in ("session.start", "session.resume", "session.context_changed"):
            self._note_head(data, at)
        elif kind == "session.title_changed":
            self.head = self.head.filled_in(title=word_of(data.get("title")))
        elif kind == "session.model_change":
            self.head = self.head.filled_in(model=word_of(data.get("newModel")))
        elif kind == "user.message":
            text = said_by_person(text_of(data.get("content")))
            return self.said(USER, text, ident, at, offset) if text else []
        elif kind == "assistant.message" and not data.get("parentToolCallId"):
            turn, done = self.begin(ASSISTANT, ident, at, offset)
            turn.model = word_of(data.get("model"))
            turn.says(said_by_agent(text_of(data.get("content"))))
            for one in list_of(data.get("toolRequests")):
                call = dict_of(one)
                turn.calls(call.get("name"), call.get("arguments"), word_of(call.get("toolCallId")))
            return done
        elif kind == "tool.execution_complete":
            return self._returned(data, at, ident)
        return []

    def _note_head(self, data: dict[str, Any], at: float) -> None:
        context = dict_of(data.get("context")) or data
        self.head = self.head.filled_in(
            session=word_of(data.get("sessionId")),
            cwd=word_of(context.get("cwd")) or word_of(context.get("gitRoot")),
            branch=word_of(context.get("branch")),
            model=word_of(data.get("selectedModel")),
            started=seconds_of(data.get("startTime")) or at,
        )

    def _returned(self, data: dict[str, Any], at: float, ident: str) -> list[Turn]:
        turn = self.open
        if turn is None or turn.role != ASSISTANT:
            return []
        _note_result(turn, data, at)
        error = dict_of(data.get("error"))
        refusal = text_of(error.get("message")) if error.get("code") in _SAID_NO else ""
        _, answers, typed = text_of(dict_of(data.get("result")).get("content")).partition(_TYPED)
        typed = turn.typed_answers(word_of(data.get("toolCallId")), [typed] if answers else [])
        return self.replied(refusal, typed, ident, at)


def _note_result(turn: TurnBuilder, data: dict[str, Any], at: float) -> None:
    call = word_of(data.get("toolCallId"))
    result = text_of(dict_of(data.get("result")).get("content"))
    turn.returns(result, call, at)
    # A command's output may be a diff of someone else's work; it names no file here.
    turn.wrote("", changed_in(dict_of(data.get("result")).get("detailedContent")), call)
    # To the client, any command that ran is a success, whatever its exit code.
    if data.get("success") is False or dict_of(data.get("shellExecution")).get("exitCode"):
        error = text_of(dict_of(data.get("error")).get("message"))
        turn.fails(said_by_agent(error or _ENDED.sub("", result) or "failed"), call)


def _files(
    home: str, _root: str, _head_of: Callable[[str], TranscriptHead]
) -> Iterator[TranscriptFile]:
    for path in files_below(os.path.join(home, "session-state"), name="events.jsonl"):
        yield TranscriptFile("copilot", path)


TRANSCRIPTS = Transcripts(CopilotReader, _files)
