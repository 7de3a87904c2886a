"""Cursor: speakers and blocks, without times and tool results."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from satchel.clients.contract.transcripts import Transcripts
from satchel.clients.transcript_format.building import RecordReader
from satchel.clients.transcript_format.files import TranscriptFile, files_below, with_parents
from satchel.clients.transcript_format.project_key import project_key
from satchel.clients.transcript_format.texts import said_by_agent, said_by_person, text_of, word_of
from satchel.clients.transcript_format.values import ASSISTANT, USER, TranscriptHead, Turn
from satchel.core.shapes import dict_of, list_of

_QUERY = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)


class CursorReader(RecordReader):
    """Converts Cursor's lines to turns: speakers and blocks, no times or tool results."""

    client = "cursor"

    def __init__(self, path: str, head: TranscriptHead | None) -> None:
        stem = os.path.basename(path).partition(".")[0]
        above = os.path.dirname(path)
        inner = os.path.basename(above) == "subagents"
        parent = os.path.basename(os.path.dirname(above)) if inner else ""
        super().__init__(path, head or TranscriptHead(self.client, stem, parent=parent))

    @staticmethod
    def knows(record: dict[str, Any]) -> bool:
        """Return whether a record is a line of Cursor."""
        if record.get("type") == "metadata":
            return isinstance(record.get("metadata"), dict)
        return "type" not in record and "message" in record and "role" in record

    def feed(self, record: dict[str, Any], offset: int, key: str) -> list[Turn]:
        """Process a line; return the turns that it completes."""
        if record.get("type") == "metadata":
            overview = dict_of(record.get("metadata")).get("overview")
            self.head = self.head.filled_in(title=word_of(overview))
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
        for block in list_of(content):
            if dict_of(block).get("type") == "tool_use":
                turn.calls(block.get("name"), block.get("input"))
        return done


def _files(
    home: str, root: str, _head_of: Callable[[str], TranscriptHead]
) -> Iterator[TranscriptFile]:
    for directory in with_parents(root):
        slug = "-".join(part for part in project_key(directory).split("-") if part)
        for path in files_below(os.path.join(home, "projects", slug, "agent-transcripts")):
            yield TranscriptFile("cursor", path, directory)


TRANSCRIPTS = Transcripts(CursorReader, _files)
