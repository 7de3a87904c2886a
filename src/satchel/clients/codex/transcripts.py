"""Codex: records in envelopes, in two interleaved logs; older files without envelopes.

`response_item` is the main log. An agent's messages may also be in `event_msg`, or, if several
agents work, only there: they count unless they repeat the open turn.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from satchel.clients.contract.transcripts import Transcripts
from satchel.clients.transcript_format.building import RecordReader, TurnBuilder
from satchel.clients.transcript_format.files import TranscriptFile, files_below
from satchel.clients.transcript_format.texts import (
    said_by_agent,
    said_by_person,
    seconds_of,
    text_of,
    word_of,
)
from satchel.clients.transcript_format.values import ASSISTANT, USER, TranscriptHead, Turn
from satchel.core import quick_json
from satchel.core.shapes import dict_of, list_of

_ENVELOPES = ("session_meta", "turn_context", "response_item", "event_msg", "compacted")
_FLAT = ("message", "function_call", "function_call_output", "reasoning")
#: User messages that begin like this were written by the client.
_WRAPPERS = (
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions",
    "<turn_aborted>",
    "<skills_instructions>",
    "<plugins_instructions>",
    "<apps_instructions>",
    "<collaboration_mode>",
    "<permissions instructions>",
)
_CWD = re.compile(r"<cwd>\s*(.*?)\s*</cwd>|Current working directory:\s*(.*)")
_IDE_REQUEST = "## My request for Codex:"
_CODE = re.compile(r"(?:[Ee]xit code:?|exited with code)\s*(-?\d+)")
_APPLIED = "Success. Updated the following files"
_TEXTS = ("text", "input_text", "output_text")
_TYPED = "user_note: "
_NAME = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\Z")


class CodexReader(RecordReader):
    """Converts Codex's records to turns."""

    client = "codex"

    def __init__(self, path: str, head: TranscriptHead | None) -> None:
        named = _NAME.search(os.path.basename(path).partition(".")[0])
        super().__init__(path, head or TranscriptHead(self.client, named[1] if named else ""))

    @staticmethod
    def knows(record: dict[str, Any]) -> bool:
        """Return whether a record is Codex's, with or without an envelope."""
        kind = record.get("type")
        if kind in _ENVELOPES:
            return "payload" in record
        if kind in _FLAT:
            return "data" not in record and "sessionId" not in record and "uuid" not in record
        return record.get("record_type") == "state" or {"id", "timestamp", "instructions"} <= {
            *record
        }

    def feed(self, record: dict[str, Any], offset: int, key: str) -> list[Turn]:
        """Process a record; return the turns that it completes."""
        kind = record.get("type")
        at = seconds_of(record.get("timestamp"))
        if kind not in _ENVELOPES:
            if kind is None:
                self._note_head(record, at)
                return []
            return self._item(record, at or self.head.started, offset, key)
        payload = dict_of(record.get("payload"))
        if kind == "session_meta":
            self._note_head(payload, at)
        elif kind == "turn_context":
            self.head = self.head.filled_in(
                cwd=word_of(payload.get("cwd")), model=word_of(payload.get("model"))
            )
        elif kind == "response_item":
            return self._item(payload, at, offset, key)
        elif kind == "event_msg" and payload.get("type") == "agent_message":
            text = said_by_agent(text_of(payload.get("message")))
            return self._agent(text, at, offset, key)
        return []

    def _note_head(self, meta: dict[str, Any], at: float) -> None:
        git = dict_of(meta.get("git"))
        source = dict_of(dict_of(meta.get("source")).get("subagent"))
        parent = dict_of(source.get("thread_spawn")).get("parent_thread_id")
        self.head = self.head.filled_in(
            session=word_of(meta.get("id")),
            cwd=word_of(meta.get("cwd")),
            branch=word_of(git.get("branch")),
            started=seconds_of(meta.get("timestamp")) or at,
            parent=word_of(parent),
        )

    def _item(self, item: dict[str, Any], at: float, offset: int, key: str) -> list[Turn]:
        kind = item.get("type")
        if kind == "message":
            role = item.get("role")
            text = text_of(item.get("content"), _TEXTS)
            if role == ASSISTANT:
                return self._agent(said_by_agent(text), at, offset, key)
            return self._person(text, at, offset, key) if role == USER else []
        if kind in ("function_call", "custom_tool_call"):
            name = item.get("name")
            given = item.get("arguments", item.get("input"))
            turn, done = self._acting(at, offset, key)
            turn.calls(name, _parsed(given), word_of(item.get("call_id")))
            return done
        if kind in ("local_shell_call", "web_search_call"):
            name = "shell" if kind == "local_shell_call" else "web_search"
            turn, done = self._acting(at, offset, key)
            turn.calls(name, item.get("action"), word_of(item.get("call_id")))
            return done
        if kind in ("function_call_output", "custom_tool_call_output") and self.open is not None:
            failure, succeeded = _outcome_of(item.get("output"))
            call = word_of(item.get("call_id"))
            if self.open.role == ASSISTANT:
                told = _text_of_output(item.get("output"))
                self.open.returns(told, call, at)
                # Patches fail with many messages (not applied, rejected, aborted) and without a
                # code.
                if failure or (not succeeded and self.open.writes(call)):
                    self.open.fails(said_by_agent(failure or told), call)
                typed = self.open.typed_answers(call, _typed_in(item.get("output")))
                return self.replied("", typed, key, at)
        return []

    def _person(self, text: str, at: float, offset: int, key: str) -> list[Turn]:
        text = text.strip()
        if text.startswith(_WRAPPERS):
            found = _CWD.search(text)
            if found:
                self.head = self.head.filled_in(cwd=(found[1] or found[2] or "").strip())
            return []
        if _IDE_REQUEST in text:
            text = text.rpartition(_IDE_REQUEST)[2]
        text = said_by_person(text)
        return self.said(USER, text, key, at, offset) if text else []

    def _agent(self, text: str, at: float, offset: int, key: str) -> list[Turn]:
        before = self.open
        if not text or (before is not None and before.role == ASSISTANT and text in before.texts):
            return []
        return self.said(ASSISTANT, text, key, at, offset)

    def _acting(self, at: float, offset: int, key: str) -> tuple[TurnBuilder, list[Turn]]:
        """Return the agent's open turn, or a new one, and the turn it closes."""
        if self.open is not None and self.open.role == ASSISTANT:
            return self.open, []
        return self.begin(ASSISTANT, key, at, offset)


def _parsed(given: Any) -> Any:
    if isinstance(given, str) and given.startswith("{"):
        try:
            return quick_json.loads(given)
        except ValueError:
            return given
    return given


def _typed_in(output: Any) -> list[str]:
    """Return what a person typed in answer to questions, which has a mark of its own."""
    answers = dict_of(dict_of(_parsed(output)).get("answers"))
    said = [text for one in answers.values() for text in list_of(dict_of(one).get("answers"))]
    notes = [one for one in said if isinstance(one, str) and one.startswith(_TYPED)]
    return [one.removeprefix(_TYPED) for one in notes]


def _text_of_output(output: Any) -> str:
    value = _parsed(output)
    if isinstance(value, dict):
        value = value.get("output", value.get("content"))
    return text_of(value, _TEXTS)


def _outcome_of(output: Any) -> tuple[str, bool]:
    """Return a failed call's output ("" for others), and whether it says that it succeeded."""
    value = _parsed(output)
    if isinstance(value, dict):
        code = dict_of(value.get("metadata")).get("exit_code")
        failed = code not in (None, 0) or value.get("success") is False
        text = value.get("output", value.get("content"))
        return (text_of(text, _TEXTS) or "failed") if failed else "", not failed
    text = text_of(value, _TEXTS)
    found = _CODE.search(text[:400])
    failed = bool(found and int(found[1]))
    return text if failed else "", not failed and (bool(found) or _APPLIED in text[:400])


def _files(
    home: str, _root: str, _head_of: Callable[[str], TranscriptHead]
) -> Iterator[TranscriptFile]:
    for folder in ("sessions", "archived_sessions"):
        for path in files_below(os.path.join(home, folder)):
            yield TranscriptFile("codex", path)


TRANSCRIPTS = Transcripts(CodexReader, _files)
