"""One turn in the making: clients spread what an agent says and does over many records."""

from __future__ import annotations

from satchel.clients.transcript_format.texts import ERROR, shortened
from satchel.clients.transcript_format.values import TranscriptHead, Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Calls and errors of one turn that are kept.
_MOST_CALLS, _MOST_ERRORS = 60, 20


class TurnBuilder:
    """A turn that later records may still add to.

    Args:
        offset: where its first record begins in the file: reading again from there makes it anew.
    """

    __slots__ = (
        "at",
        "errors",
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
        self.model = ""
        self.rejects = False

    def says(self, text: str) -> None:
        """Add a text; the same one again is another log's copy."""
        if text and text not in self.texts:
            self.texts.append(text)

    def calls(self, call: str) -> None:
        """Add a call of a tool."""
        if len(self.tools) < _MOST_CALLS:
            self.tools.append(call)

    def fails(self, text: str) -> None:
        """Add what a failed call came back with."""
        if text and len(self.errors) < _MOST_ERRORS:
            self.errors.append(shortened(text, ERROR))

    def turn(self) -> Turn | None:
        """Return the turn; None where nothing was said or done."""
        text = "\n".join(self.texts)
        if not text and not self.tools and not self.errors:
            return None
        return Turn(
            self.role,
            text,
            self.at,
            self.id,
            tuple(self.tools),
            tuple(self.errors),
            self.model,
            self.rejects,
        )


class RecordReader:
    """What the readers of every client share: a head, and the turn that is open.

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
        """Take one record; return the turns that it completes."""
        raise NotImplementedError

    def since(self) -> int | None:
        """Return where the first record begins that later ones may still add to."""
        return self.open.offset if self.open is not None else None

    def begin(
        self, role: str, ident: str, at: float, offset: int, key: str = ""
    ) -> tuple[TurnBuilder, list[Turn]]:
        """Open a turn; return it, and the one that it closes."""
        done = self.finish()
        self.open = TurnBuilder(role, ident, at, offset, key)
        return self.open, done

    def finish(self) -> list[Turn]:
        """Close the open turn and return it."""
        turn = self.open.turn() if self.open is not None else None
        self.open = None
        return [turn] if turn is not None else []
