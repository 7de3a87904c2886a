"""Leaves out an agent's answers to what it was asked not to keep.

An answer repeats what it answers. What was edited and committed meanwhile stays: it says what was
done to the code, not what was said.
"""

from __future__ import annotations

from satchel.clients.transcript_format.texts import said_by_person
from satchel.clients.transcript_format.values import USER, Turn
from satchel.core.redaction.confidential import MARK, without_confidential


class OffTheRecord:
    """Follows a transcript's turns.

    Attributes:
        since: where the turn begins whose answers are left out; None if there is none.
    """

    def __init__(self) -> None:
        self.since: int | None = None

    def kept(self, turn: Turn, begun: int) -> Turn:
        """Return the next turn without what must not be kept.

        Args:
            turn: in transcript order.
            begun: the offset at which it begins.
        """
        if turn.role != USER:
            if self.since is None:
                return turn
            return turn._replace(text=turn.text and MARK, tools=(), errors=())
        said = said_by_person(turn.text)
        if said:
            self.since = begun if without_confidential(said) == MARK else None
        return turn
