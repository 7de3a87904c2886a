"""opencode: keeps sessions in its own database; our plugin writes them as lines."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from satchel.clients.contract.transcripts import Transcripts
from satchel.clients.transcript_format.building import RecordReader, TurnBuilder
from satchel.clients.transcript_format.files import TranscriptFile, files_below
from satchel.clients.transcript_format.texts import (
    said_by_agent,
    said_by_person,
    seconds_of,
    word_of,
)
from satchel.clients.transcript_format.values import ASSISTANT, USER, TranscriptHead, Turn
from satchel.core.shapes import dict_of, list_of

_LONGEST = 1 << 26


class OpencodeReader(RecordReader):
    """Converts our plugin's lines to turns, one per message."""

    client = "opencode"

    @staticmethod
    def knows(record: dict[str, Any]) -> bool:
        """Return whether a record is a line of our plugin."""
        return record.get("type") == "opencode.message"

    def feed(self, record: dict[str, Any], offset: int, key: str) -> list[Turn]:
        """Process a message; return the turns that it completes."""
        role, at = record.get("role"), seconds_of(record.get("time"))
        self.head = self.head.filled_in(
            session=word_of(record.get("session")),
            cwd=word_of(record.get("cwd")),
            started=at,
            model=word_of(record.get("model")),
        )
        text = word_of(record.get("text"), _LONGEST)
        if role == USER:
            text = said_by_person(text)
        if role not in (USER, ASSISTANT) or (role == USER and not text):
            return []
        ident = word_of(record.get("id")) or key
        turn, done = self.begin(role, ident, at, offset)
        turn.says(text if role == USER else said_by_agent(text))
        turn.model = word_of(record.get("model")) if role == ASSISTANT else ""
        calls = [dict_of(one) for one in list_of(record.get("tools"))]
        for number, call in enumerate(calls):
            _note_call(turn, call, str(number))
        for number, call in enumerate(calls):
            typed = turn.typed_answers(str(number), _answers_of(call))
            told = word_of(call.get("error"), _LONGEST) if _is_own(call) else ""
            done += self.replied(told, typed, f"{ident}-{number}", at)
        return done


def _note_call(turn: TurnBuilder, call: dict[str, Any], ident: str) -> None:
    turn.calls(call.get("name"), call.get("input"), ident)
    if "result" in call:
        told = word_of(call["result"], _LONGEST)
        turn.returns(told, ident, seconds_of(call.get("ended")))
    error = said_by_agent(word_of(call.get("error"), _LONGEST))
    if error:
        turn.fails(error, ident)


def _is_own(call: dict[str, Any]) -> bool:
    """Return whether a call is of a tool of the client: of others, it names the server as well."""
    name = word_of(call.get("name"))
    return "_" not in name or name == "apply_patch"


def _answers_of(call: dict[str, Any]) -> list[Any]:
    """Return the answers to the questions of a call, each of which may have several."""
    return [answer for one in list_of(call.get("answers")) for answer in list_of(one)]


def _files(
    home: str, _root: str, _head_of: Callable[[str], TranscriptHead]
) -> Iterator[TranscriptFile]:
    for path in files_below(os.path.join(home, "satchel")):
        yield TranscriptFile("opencode", path)


TRANSCRIPTS = Transcripts(OpencodeReader, _files)
