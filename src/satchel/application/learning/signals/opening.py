"""Finds the task that a session was opened for, which is not a lesson. Pure."""

from __future__ import annotations

from itertools import takewhile

from satchel.application.learning.signals.briefings import asks_for_work
from satchel.application.learning.signals.lasting import TASK_LASTS
from satchel.application.learning.signals.likelihood import form_in, likelihood
from satchel.application.learning.signals.own_words import own_words, sentences
from satchel.clients.transcript_format.values import USER
from satchel.storage.kept_patterns import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from satchel.clients.transcript_format.values import Turn

#: Takes note, and works on nothing.
_NOTED = spoken(
    r"(?:(?:ok(?:ay)?|understood|got it|noted|sure|will do|thanks?|done|good to know"
    r"|makes sense|right)\b[^.!?\n]{0,60}[.!\s]{0,3}){1,3}"
)


def opening_task(turns: Sequence[Turn]) -> str:
    """Return the sentence that a session was opened for, unless it is sure to last; or "".

    "Add rate limiting to the public api, 100 req/min per key" sounds like a fact.
    """
    opened = next((at for at, one in enumerate(turns) if one.role == USER), len(turns))
    # The results of calls are the person's turns, too, and without a text.
    answers = list(takewhile(lambda one: one.role != USER or not one.text, turns[opened + 1 :]))
    answer = " ".join(one.text for one in answers if one.text)
    only_noted = not answer or bool(_NOTED.fullmatch(answer))
    works = any(one.tools for one in answers)
    said = sentences(own_words(turns[opened].text)) if works or not only_noted else []
    if not said:
        return ""
    if not asks_for_work(said[0]) and any(map(asks_for_work, said[1:])):
        return ""  # the background of what is asked for behind it
    return said[0] if likelihood(said[0], form_in(said[0])) < TASK_LASTS else ""
