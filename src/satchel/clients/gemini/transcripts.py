"""Gemini CLI: a file of lines per session or, in older versions, one document."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from satchel.clients.contract.transcripts import Transcripts
from satchel.clients.transcript_format.building import RecordReader, Sides, TurnBuilder, changed_in
from satchel.clients.transcript_format.files import TranscriptFile, files_below, with_parents
from satchel.clients.transcript_format.texts import (
    said_by_agent,
    said_by_person,
    seconds_of,
    text_of,
    word_of,
)
from satchel.clients.transcript_format.values import ASSISTANT, USER, TranscriptHead, Turn
from satchel.core import quick_json
from satchel.core.hashing import digest
from satchel.core.line_marks import mark_of, marks_of
from satchel.core.shapes import dict_of, list_of
from satchel.storage.files import names_in

_LONGEST = 1 << 26
#: The client's own texts in the user's place: their beginnings, and the marks of compression.
_WRITTEN = ("<session_context>", "<state_snapshot>")
#: What the agent alone is told of a command: its output, and its end behind that.
_OUTPUT = re.compile(r"\A(?:<untrusted_context>\n)?Output: ")
_FAILED = re.compile(r"\nExit Code: -?[1-9]\d{0,9}\n")
_END = 400
#: Its result has what a person said while rejecting the plan.
_PLANS = "exit_plan_mode"


class GeminiReader(RecordReader):
    """Converts Gemini CLI's messages to turns, from lines or, in older versions, a document.

    A message with a repeated id is the same message, longer.
    """

    client = "gemini"
    one_document = True

    def __init__(self, path: str, head: TranscriptHead | None) -> None:
        above = os.path.basename(os.path.dirname(path))
        self._parent = "" if above == "chats" else above
        super().__init__(path, head or TranscriptHead(self.client))

    @staticmethod
    def knows(record: dict[str, Any]) -> bool:
        """Return whether a record is the first line, or the document, of Gemini."""
        return "sessionId" in record and ("projectHash" in record or "messages" in record)

    def feed(self, record: dict[str, Any], offset: int, key: str) -> list[Turn]:
        """Process a line or document; return the turns that it completes."""
        updated = dict_of(record.get("$set"))
        if updated or "sessionId" in record:
            self._note_head(updated or record)
            messages = (updated or record).get("messages")
            done: list[Turn] = []
            for number, message in enumerate(list_of(messages)):
                done += self._message(dict_of(message), offset, f"{key}-{number}")
            return done
        return self._message(record, offset, key)

    def _note_head(self, said: dict[str, Any]) -> None:
        directories = said.get("directories")
        first = directories[0] if isinstance(directories, list) and directories else ""
        self.head = self.head.filled_in(
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
            text = "" if text.lstrip().startswith(_WRITTEN) else said_by_person(text)
            return self.said(USER, text, ident, at, offset) if text else []
        turn, done = self.begin(ASSISTANT, ident, at, offset)
        turn.model = word_of(message.get("model"))
        self.head = self.head.filled_in(model=turn.model)
        turn.says(said_by_agent(text))
        calls = [dict_of(one) for one in list_of(message.get("toolCalls"))]
        for call in calls:
            _note_call(turn, call)
        for number, call in enumerate(calls):
            answer = _answer_of(call)
            typed = turn.typed_answers(word_of(call.get("id")), _answers_in(answer))
            told = answer if call.get("name") == _PLANS else ""
            done += self.replied(told, typed, f"{ident}-{number}", at)
        return done


def _note_call(turn: TurnBuilder, call: dict[str, Any]) -> None:
    ident = word_of(call.get("id"))
    turn.calls(call.get("name"), call.get("args"), ident)
    answer = _answer_of(call)
    told = text_of(call.get("resultDisplay")) or answer
    turn.returns(told, ident, seconds_of(call.get("timestamp")))
    shown, given = dict_of(call.get("resultDisplay")), dict_of(call.get("args"))
    lines = changed_in(shown.get("fileDiff"))
    theirs = _is_changed_by_user(given, shown)
    if theirs:
        lines = _only_proposed(lines, given)
    turn.wrote(word_of(shown.get("filePath")), lines, ident, all_of_it=theirs)
    # Not only errors: a call may be cancelled, or running when the session ended; and to the
    # client, any command that ran is a success.
    if call.get("status") != "success" or _has_failed(answer):
        turn.fails(said_by_agent(_printed(told) or "failed"), ident)


def _is_changed_by_user(given: dict[str, Any], shown: dict[str, Any]) -> bool:
    """Return whether the user changed a proposal before it was written."""
    added = dict_of(shown.get("diffStat")).get("user_added_lines")
    return bool(given.get("modified_by_user") or added)


def _only_proposed(lines: Sides, given: dict[str, Any]) -> Sides:
    """Leave out added lines that the agent did not propose, as far as the client kept that.

    A changed call has the user's text in place of the agent's.
    """
    names = ["ai_proposed_content"]
    if not given.get("modified_by_user"):
        names += ["content", "new_string"]
    proposed = next((word_of(given[name], _LONGEST) for name in names if given.get(name)), "")
    marks = frozenset(marks_of(proposed))
    added, removed = lines
    return [line for line in added if mark_of(line) in marks], removed


def _answer_of(call: dict[str, Any]) -> str:
    """Return the text of a call's result as given to the model."""
    for one in list_of(call.get("result")):
        answer = dict_of(dict_of(dict_of(one).get("functionResponse")).get("response"))
        text = word_of(answer.get("output") or answer.get("error"), _LONGEST)
        if text:
            return text
    return ""


def _answers_in(answer: str) -> list[Any]:
    """Return a person's answers to questions: `{"answers": {"0": "the second one"}}`."""
    if not answer.startswith('{"answers":'):
        return []
    try:
        return list(dict_of(dict_of(quick_json.loads(answer)).get("answers")).values())
    except ValueError:
        return []


def _has_failed(answer: str) -> bool:
    """Return whether an answer is of a command that failed."""
    return bool(_OUTPUT.match(answer) and _FAILED.search(f"{answer[-_END:]}\n"))


def _printed(told: str) -> str:
    """Return what a command printed, without what the client adds."""
    if not _OUTPUT.match(told):
        return told
    ends = list(_FAILED.finditer(told))
    return _OUTPUT.sub("", told[: ends[-1].start()] if ends else told, count=1)


def _files(
    home: str, root: str, _head_of: Callable[[str], TranscriptHead]
) -> Iterator[TranscriptFile]:
    """Yield chats in directories named after `root` or what contains it, or that name theirs."""
    hashed = {
        digest(one.encode("utf-8", "surrogateescape")).hex(): one for one in with_parents(root)
    }
    projects = os.path.join(home, "tmp")
    for name in names_in(projects):
        folder = os.path.join(projects, name)
        cwd = hashed.get(name, "")
        try:
            with open(os.path.join(folder, ".project_root"), encoding="utf-8") as file:
                cwd = cwd or file.read(4096).strip()
        except (OSError, ValueError):
            pass  # older: the name is the hash of the path
        if cwd:
            for path in files_below(os.path.join(folder, "chats"), endings=(".jsonl", ".json")):
                yield TranscriptFile("gemini", path, cwd)


TRANSCRIPTS = Transcripts(GeminiReader, _files)
