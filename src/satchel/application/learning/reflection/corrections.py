"""The user's corrections in sessions, from the clients' transcripts."""

from __future__ import annotations

from satchel.application.learning.reflection.transcripts import (
    oldest_first,
    own_transcripts,
    read_turns,
)
from satchel.application.learning.signals.classifying import classify
from satchel.application.learning.signals.values import CORRECTION
from satchel.clients.transcript_format.values import ASSISTANT, USER
from satchel.core.errors import SatchelError
from satchel.features.guards.repeats import Correction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from satchel.application.services import Services

#: Most transcripts to read, the newest first.
_MOST = 200


def corrections_said(work: Services) -> Iterator[Correction]:
    """Return every correction by the user in this project's transcripts, as sentences."""
    for path in oldest_first(own_transcripts(work))[: -_MOST - 1 : -1]:
        try:
            turns, session, _ = read_turns(work, path)
        except SatchelError:
            continue
        before = ""
        for number, turn in enumerate(turns):
            if turn.role == USER:
                for one in classify(turn.text, before):
                    if one.label == CORRECTION and one.sentence:
                        name = f"{session}:{number}"
                        yield Correction(name, int(turn.at), session, one.sentence)
            before = turn.text or before if turn.role == ASSISTANT else before
