"""Facts that somebody changes in passing: "baudrate is 1M now", where 921600 is remembered.

A sentence that says by itself little that lasts does, if it gives a remembered fact another value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from satchel.application.learning.signals.classifying import is_question
from satchel.application.learning.signals.own_words import own_words, sentences
from satchel.application.learning.signals.scanning import stated
from satchel.application.learning.signals.speech.moments import NOW
from satchel.clients.transcript_format.values import USER
from satchel.engine.statements.changed_facts import changed
from satchel.engine.words import in_figures, says_change, says_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.learning.signals.values import Signal
    from satchel.clients.transcript_format.values import Turn
    from satchel.engine.statements.contradictions import Rule


def changes_in(
    turns: Sequence[Turn], heard: Iterable[Signal], known: Sequence[Rule]
) -> Iterator[Signal]:
    """Yield the statements that change what is known, and that were not heard as lasting.

    Args:
        turns: a session's.
        heard: what was heard in them.
        known: memories and rules.
    """
    quoted = {one.quote for one in heard}
    for turn in turns:
        if turn.role != USER:
            continue
        for sentence in sentences(own_words(turn.text)):
            if sentence[:200] in quoted or not _may_change(sentence):
                continue
            told = in_figures(sentence)
            if any(changed(told, in_figures(one.text)) for one in known):
                yield stated(sentence, turn)


def _may_change(sentence: str) -> bool:
    """Return whether a sentence says that something is different from now on."""
    if not says_change(sentence) or says_later(sentence) or is_question(sentence):
        return False
    return not NOW.search(sentence.replace("\u2019", "'"))
