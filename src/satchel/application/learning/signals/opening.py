"""Finds the task that a session was opened for, which is not a lesson. Pure."""

from __future__ import annotations

from itertools import takewhile

from satchel.application.learning.signals.briefings import asks_for_work
from satchel.application.learning.signals.lasting import AS_A_RULE, TASK_LASTS
from satchel.application.learning.signals.likelihood import form_in, likelihood
from satchel.application.learning.signals.own_words import own_words, sentences
from satchel.application.learning.signals.speech.clauses import peel
from satchel.clients.transcript_format.values import USER
from satchel.core.values import NamedTuple
from satchel.storage.kept_patterns import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from satchel.application.learning.signals.values import Signal
    from satchel.clients.transcript_format.values import Turn

#: Takes note, and works on nothing.
_NOTED = spoken(
    r"(?:(?:ok(?:ay)?|understood|got it|noted|sure|will do|thanks?|done|good to know"
    r"|makes sense|right)\b[^.!?\n]{0,60}[.!\s]{0,3}){1,3}"
)
#: Something that does not work as it should, which a session is opened to mend.
_AILS = spoken(
    r"\b(?:flaky|(?:too|so|very|really|super|getting) slow(?:ly)?|stuck|hang(?:s|ing)|broken"
    r"|forever|shit|crap|garbage|ugly|weird|fail(?:s|ing|ed)|crash(?:es|ing|ed)|leak(?:s|ing)"
    r"|flicker(?:s|ing)|complain(?:s|ing)"
    r"|comes? (?:out|back) (?:cut|wrong|empty|broken|blank|twice)"
    r"|(?:is|are|it'?s) (?:\w{2,12} )?(?:down|red|gone|dead|blank|empty|slow|wrong|missing|hidden)"
    r"|(?:doesn'?t|don'?t|does not|do not|won'?t|can'?t) (?:work|show|load|start|open|build|compile"
    r"|connect|respond|update|find)"
    r"|(?:isn'?t|is not|not) (?:work|show|load|start|build|updat)\w{1,6}"
    r"|(?:funktioniert|geht|klappt|startet|l\u00e4uft|l\u00e4dt)\b.{0,60}\bnicht|kaputt"
    r"|no (?:funciona|carga|arranca)|falla|est\u00e1 roto|ne (?:marche|fonctionne)|plante)\b"
)
#: Forms of rules: who opens a session with one means it.
_RULES = AS_A_RULE - {"habit", "noted", "prefers"}


class Opened(NamedTuple):
    """The sentences that ask for work or say what ails, and the first if it may not last."""

    tasks: tuple[str, ...] = ()
    first: str = ""

    def is_for(self, signal: Signal) -> bool:
        """Return whether a signal is what the session was opened for."""
        tasks = (*self.tasks, self.first) if signal.weighed else self.tasks
        return bool(signal.quote) and any(one.startswith(signal.quote) for one in tasks)


def opening_task(turns: Sequence[Turn]) -> Opened:
    """Return what a session was opened for, which is no lesson.

    "Add rate limiting to the public api, 100 req/min per key" sounds like a fact, and "the login
    test is flaky, 3 of 10 red" is one until it is mended.
    """
    opened = next((at for at, one in enumerate(turns) if one.role == USER), len(turns))
    # The results of calls are the person's turns, too, and without a text.
    answers = list(takewhile(lambda one: one.role != USER or not one.text, turns[opened + 1 :]))
    answer = " ".join(one.text for one in answers if one.text)
    only_noted = not answer or bool(_NOTED.fullmatch(answer))
    works = any(one.tools for one in answers)
    said = sentences(own_words(turns[opened].text)) if works or not only_noted else []
    if not said:
        return Opened()
    asked = [one for one in said if asks_for_work(one) or _AILS.search(one)]
    tasks = tuple(one for one in asked if not _is_rule(one))
    if not asks_for_work(said[0]) and any(map(asks_for_work, said[1:])):
        return Opened(tasks)  # the background of what is asked for behind it
    first = said[0] if likelihood(said[0], form_in(said[0])) < TASK_LASTS else ""
    return Opened(tasks, first)


def _is_rule(sentence: str) -> bool:
    """Return whether a sentence lays something down, or is led in: "btw ..."."""
    form = form_in(sentence)
    return peel(sentence).led_in or bool(form and form.name in _RULES)
