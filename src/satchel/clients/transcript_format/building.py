"""Builds a turn, which clients spread over many records."""

from __future__ import annotations

from typing import Any

from satchel.clients.transcript_format.edits import commits_in, edits_of, has_created, may_commit
from satchel.clients.transcript_format.texts import ERROR, call_of, shortened
from satchel.clients.transcript_format.values import Edit, TranscriptHead, Turn

#: Calls and errors of one turn that are kept.
_MOST_CALLS, _MOST_ERRORS = 60, 20
#: Some clients make one turn of an hour's work.
_MOST_EDITS = 2000


class TurnBuilder:
    """A turn that later records may extend.

    Args:
        offset: where its first record begins in the file: reading again from there rebuilds it.
    """

    __slots__ = (
        "at",
        "commits",
        "edits",
        "errors",
        "git",
        "id",
        "key",
        "model",
        "offset",
        "rejects",
        "role",
        "texts",
        "tools",
    )

    def __init__(self, role: str, ident: str, at: float, offset: int, key: str = "") -> None:
        self.role, self.id, self.at, self.offset, self.key = role, ident, at, offset, key
        self.texts: list[str] = []
        self.tools: list[str] = []
        self.errors: list[str] = []
        self.edits: list[tuple[str, Edit]] = []
        self.commits: list[str] = []
        #: Calls that may make a commit; "" for one whose client gives calls no ids.
        self.git: set[str] = set()
        self.model = ""
        self.rejects = False

    def says(self, text: str) -> None:
        """Add a text; an identical one is another log's copy."""
        if text and text not in self.texts:
            self.texts.append(text)

    def calls(self, name: Any, given: Any, ident: str = "") -> None:
        """Add a tool call; `ident` matches its result."""
        if len(self.tools) < _MOST_CALLS:
            self.tools.append(call_of(name, given))
        if len(self.edits) < _MOST_EDITS:
            self.edits += [(ident, edit) for edit in edits_of(given)]
        if may_commit(given):
            self.git.add(ident)

    def returns(self, text: str, ident: str = "") -> None:
        """Add a call's result: commits it made, a file it created."""
        if ident and has_created(text):
            self.edits = [
                (call, edit._replace(whole=False) if call == ident else edit)
                for call, edit in self.edits
            ]
        if ident in self.git:
            self.commits += [one for one in commits_in(text) if one not in self.commits]

    def fails(self, text: str, ident: str = "") -> None:
        """Add a failed call's result. What it would have written was not."""
        if ident:
            self.edits = [(call, edit) for call, edit in self.edits if call != ident]
        if text and len(self.errors) < _MOST_ERRORS:
            self.errors.append(shortened(text, ERROR))

    def turn(self) -> Turn | None:
        """Return the turn; None if it is empty."""
        text = "\n".join(self.texts)
        if not text and not self.tools and not self.errors:
            return None
        return Turn(
            self.role,
            text,
            self.at,
            id=self.id,
            tools=tuple(self.tools),
            errors=tuple(self.errors),
            model=self.model,
            rejects=self.rejects,
            edits=tuple(edit for _, edit in self.edits),
            commits=tuple(self.commits),
        )


class RecordReader:
    """What all clients' readers share: a head, and the open turn.

    Args:
        path: the file; names often say which session it is of.
        head: what is known of the session already.

    Attributes:
        client: whose records it reads.
        one_document: whether a file may be one JSON document in place of lines.
        every_message_has: bytes without which a line holds no message; b"" where nothing tells.
    """

    client = ""
    one_document = False
    every_message_has = b""

    def __init__(self, path: str, head: TranscriptHead | None) -> None:  # noqa: ARG002 -- theirs
        self.head = head or TranscriptHead(self.client)
        self.open: TurnBuilder | None = None

    @staticmethod
    def knows(record: dict[str, Any]) -> bool:
        """Return whether a record is this client's."""
        raise NotImplementedError

    def feed(self, record: dict[str, Any], offset: int, key: str) -> list[Turn]:
        """Process a record; return the turns that it completes."""
        raise NotImplementedError

    def since(self) -> int | None:
        """Return the start of the first record whose turn may still grow."""
        return self.open.offset if self.open is not None else None

    def begin(
        self, role: str, ident: str, at: float, offset: int, key: str = ""
    ) -> tuple[TurnBuilder, list[Turn]]:
        """Open a turn; return it and the turn it closes."""
        done = self.finish()
        self.open = TurnBuilder(role, ident, at, offset, key)
        return self.open, done

    def finish(self) -> list[Turn]:
        """Close the open turn and return it."""
        turn = self.open.turn() if self.open is not None else None
        self.open = None
        return [turn] if turn is not None else []
