"""Claude Code: one record for each block of an answer, among many that are not conversation.

Records of one answer share `message.id`. Meta records, side chains and compaction summaries are
left out; in a subagent's own file, only what is not its conversation.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from satchel.clients.contract.transcripts import Transcripts
from satchel.clients.transcript_format.building import RecordReader, Sides, sides_of
from satchel.clients.transcript_format.files import TranscriptFile, files_below
from satchel.clients.transcript_format.project_key import LONGEST_KEY, project_key
from satchel.clients.transcript_format.texts import (
    said_by_agent,
    said_by_person,
    said_in_rejecting,
    seconds_of,
    text_of,
    word_of,
)
from satchel.clients.transcript_format.values import ASSISTANT, USER, TranscriptHead, Turn
from satchel.core.shapes import dict_of, list_of
from satchel.storage.files import names_in

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
_TITLES = {"summary": "summary", "custom-title": "customTitle", "ai-title": "aiTitle"}
#: Records that are neither a person's nor an agent's.
_ASIDE = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
#: Origins of messages that begin a turn although nobody typed anything.
_MACHINES = (
    "scheduled",
    "task_notification",
    "auto_continuation",
    "peer",
    "host_synthetic",
    "system",
)
_SIGNS = ("user", "assistant", "summary", "file-history-snapshot", "system", "progress")


def _patch_of(record: dict[str, Any]) -> tuple[str, Sides] | None:
    """Return the file that a call changed, and the lines that it added and removed.

    None without a patch, and if the user changed the proposal: the client does not say which lines
    are whose.
    """
    result = dict_of(record.get("toolUseResult"))
    hunks = result.get("structuredPatch")
    if not isinstance(hunks, list) or not hunks or result.get("userModified"):
        return None
    lines = [line for hunk in hunks for line in _strings(dict_of(hunk).get("lines"))]
    return word_of(result.get("filePath")), sides_of(lines)


def _strings(value: Any) -> list[str]:
    return [one for one in list_of(value) if isinstance(one, str)]


class ClaudeReader(RecordReader):
    """Converts Claude Code's records to turns."""

    client = "claude"
    every_message_has = b'"message"'

    def __init__(self, path: str, head: TranscriptHead | None) -> None:
        stem = os.path.basename(path).partition(".")[0]
        self._subagent = stem.startswith("agent-")
        session = stem if self._subagent or _UUID.match(stem) else ""
        super().__init__(path, head or TranscriptHead(self.client, session))
        #: Prompts typed while the agent was working: offset, text, time, id.
        self._waiting: list[tuple[int, str, float, str]] = []

    @staticmethod
    def knows(record: dict[str, Any]) -> bool:
        """Return whether a record is Claude Code's."""
        if record.get("type") not in _SIGNS or isinstance(record.get("data"), str):
            return False
        if any(name in record for name in ("sessionId", "leafUuid", "snapshot")):
            return True
        return isinstance(record.get("message"), dict)

    def feed(self, record: dict[str, Any], offset: int, key: str) -> list[Turn]:
        """Process a record; return the turns that it completes."""
        kind = word_of(record.get("type"))
        if kind in _TITLES:
            title = word_of(record.get(_TITLES[kind])) or word_of(record.get("title"))
            self.head = self.head.filled_in(title=title)
            return []
        if kind == "queue-operation":
            return self._queued(record, offset, key)
        if kind == "attachment":
            return self._attached(record, offset, key)
        message = record.get("message")
        if kind not in (USER, ASSISTANT) or not isinstance(message, dict):
            return []
        if any(record.get(mark) for mark in _ASIDE):
            return []
        if record.get("isSidechain") and not self._subagent:
            return []
        self._note_head(record, message)
        if kind == USER:
            return self._person(record, message, offset, key)
        return self._agent(record, message, offset, key)

    def _note_head(self, record: dict[str, Any], message: dict[str, Any]) -> None:
        session = word_of(record.get("sessionId"))
        head = self.head.filled_in(
            session=session,
            cwd=word_of(record.get("cwd")),
            branch=word_of(record.get("gitBranch")),
            started=seconds_of(record.get("timestamp")),
        )
        if self._subagent and session:
            head = head.filled_in(parent=session)
        model = word_of(message.get("model"))
        self.head = head.filled_in(model="" if model.startswith("<") else model)

    def _person(
        self, record: dict[str, Any], message: dict[str, Any], offset: int, key: str
    ) -> list[Turn]:
        content = message.get("content")
        rejecting = typed = ""
        for block in list_of(content):
            if isinstance(block, dict) and block.get("type") == "tool_result":
                told = said_by_agent(text_of(block.get("content")))
                typed = typed or self._returned(record, block, told)
                rejecting = rejecting or (said_in_rejecting(told) if block.get("is_error") else "")
        text = "" if _sent_by_machine(record) else said_by_person(text_of(content))
        text = text or rejecting or typed
        if not text:
            return []
        if text == typed and self.open is not None:
            offset = self.open.offset  # from the question on
        done = self._said(text, word_of(record.get("uuid")) or key, record, offset)
        if text == rejecting and self.open is not None:
            self.open.rejects = True
        return done

    def _returned(self, record: dict[str, Any], block: dict[str, Any], told: str) -> str:
        """Note a call's result; return what the person typed in answer to its questions."""
        turn = self.open
        if turn is None or turn.role != ASSISTANT:
            return ""
        call = word_of(block.get("tool_use_id"))
        turn.returns(told, call, seconds_of(record.get("timestamp")))
        patch = _patch_of(record)
        if patch is not None:
            turn.wrote(*patch, call, all_of_it=True)
        if block.get("is_error"):
            turn.fails(told, call)
        answers = dict_of(dict_of(record.get("toolUseResult")).get("answers"))
        return turn.typed_answers(call, answers.values())

    def _said(self, text: str, ident: str, record: dict[str, Any], offset: int) -> list[Turn]:
        turn, done = self.begin(USER, ident, seconds_of(record.get("timestamp")), offset)
        branch = word_of(record.get("gitBranch"))
        turn.branch = "" if branch == self.head.branch else branch
        turn.says(text)
        return done

    def since(self) -> int | None:
        """Return the start of the first record whose turn may still grow."""
        begins = [offset for offset, *_ in self._waiting]
        if self.open is not None:
            begins.append(self.open.offset)
        return min(begins, default=None)

    def _queued(self, record: dict[str, Any], offset: int, key: str) -> list[Turn]:
        """Track prompts queued while the agent was working.

        A dequeued one appears again as a message; a removed one went to the agent in the middle of
        its work, and is recorded nowhere else.
        """
        operation = record.get("operation")
        if operation == "enqueue":
            text = said_by_person(text_of(record.get("content")))
            if text:
                # Resume at the turn that it interrupts, which must not begin in its middle.
                begins = self.open.offset if self.open is not None else offset
                self._waiting.append((begins, text, seconds_of(record.get("timestamp")), key))
        elif operation == "dequeue":
            del self._waiting[:1]
        elif operation == "remove" and self._waiting:
            begins, text, at, ident = self._waiting.pop(0)
            return self.said(USER, text, ident, at, begins)
        elif operation == "popAll":
            self._waiting.clear()
        return []

    def _attached(self, record: dict[str, Any], offset: int, key: str) -> list[Turn]:
        """Process a prompt that newer versions attach while the agent is working."""
        attachment = dict_of(record.get("attachment"))
        if attachment.get("type") != "queued_command" or _sent_by_machine(attachment):
            return []
        text = said_by_person(text_of(attachment.get("prompt")))
        already = self.open is not None and self.open.role == USER and text in self.open.texts
        if not text or already:
            return []
        waiting = [one for one in self._waiting if one[1] == text]
        self._waiting = [one for one in self._waiting if one not in waiting[:1]]
        return self._said(text, word_of(record.get("uuid")) or key, record, offset)

    def _agent(
        self, record: dict[str, Any], message: dict[str, Any], offset: int, key: str
    ) -> list[Turn]:
        ident = word_of(record.get("uuid")) or key
        answer = word_of(message.get("id")) or ident
        done: list[Turn] = []
        turn = self.open
        if turn is None or turn.role != ASSISTANT or turn.key != answer:
            at = seconds_of(record.get("timestamp"))
            turn, done = self.begin(ASSISTANT, ident, at, offset, answer)
        turn.model = turn.model or word_of(message.get("model"))
        content = message.get("content")
        if isinstance(content, str):
            turn.says(said_by_agent(content))
        for block in list_of(content):
            kind = dict_of(block).get("type")
            if kind == "text":
                turn.says(said_by_agent(word_of(block.get("text"), 1 << 26)))
            elif kind == "tool_use":
                turn.calls(block.get("name"), block.get("input"), word_of(block.get("id")))
        return done


def _sent_by_machine(record: dict[str, Any]) -> bool:
    """Return whether a program, not a person, sent a message."""
    kind = dict_of(record.get("origin")).get("kind")
    if kind:
        return bool(kind != "human")
    source = record.get("promptSource")
    return source == "system" if source else record.get("turnOrigin") in _MACHINES


def _files(
    home: str, root: str, head_of: Callable[[str], TranscriptHead]
) -> Iterator[TranscriptFile]:
    """Yield files in directories named after `root`, and those whose sessions ran in it.

    A directory's name cannot be converted back to a path; one file in it says where it was.
    """
    projects = os.path.join(home, "projects")
    key = project_key(root)[:LONGEST_KEY]
    for name in names_in(projects):
        files = list(files_below(os.path.join(projects, name)))
        if name.startswith(key):
            yield from (TranscriptFile("claude", path) for path in files)
        elif files:
            cwd = next((c for c in (head_of(path).cwd for path in files[:3]) if c), "")
            yield from (TranscriptFile("claude", path, near=cwd) for path in files if cwd)


TRANSCRIPTS = Transcripts(ClaudeReader, _files)
