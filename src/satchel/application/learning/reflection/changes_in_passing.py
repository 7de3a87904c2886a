"""Facts that somebody changes in passing: "baudrate is 1M now", where 921600 is remembered.

A sentence that says by itself little that lasts does, if it gives a remembered fact another value;
"I measured again: it's 1.9, not 2.1" is the one memory that says 2.1, corrected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from satchel.application.learning.signals.classifying import is_question
from satchel.application.learning.signals.own_words import own_words, sentences
from satchel.application.learning.signals.scanning import stated
from satchel.application.learning.signals.speech.moments import NOW
from satchel.clients.transcript_format.values import USER
from satchel.engine.search.tokens import distinctive_words
from satchel.engine.statements.changed_facts import changed
from satchel.engine.words import in_figures, says_change, says_later
from satchel.storage.kept_patterns import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.learning.signals.values import Signal
    from satchel.clients.transcript_format.values import Turn
    from satchel.engine.statements.contradictions import Rule

#: A value and the wrong one, of what is not named: a single digit may mean anything.
_VALUE = r"(?=[^\s,;]{2})[^\s,;]{0,20}\d[^\s,;.!?]{0,20}(?:\.\d{1,9}[^\s,;.!?]{0,20})?"
#: Few memories say it by chance; of another, "it's 80, not 90", the talk has to name something.
_DISTINCT = re.compile(r"\d\.\d")
#: How much of a turn to read for what it is about, in characters.
_READ = 2000
_NOT_THAT = spoken(
    rf"\b(?:it'?s|its|it (?:is|was)|that'?s|make it|(?:it )?should be|they're) (?P<new>{_VALUE})"
    rf"(?: now| [a-z]{{1,10}})?,? (?:and )?not (?P<old>{_VALUE})"
)
#: The same the other way round: "it isn't 2.1, it's 1.9".
_BUT_THIS = spoken(
    rf"\b(?:not|isn't|aren't|wasn't) (?P<old>{_VALUE})(?: [a-z]{{1,10}})?[,;] (?:but )?"
    rf"(?:(?:it'?s|its|it is|that'?s) )?(?P<new>{_VALUE})"
)


def with_changes(
    turns: Sequence[Turn], heard: Sequence[Signal], known: Sequence[Rule]
) -> list[Signal]:
    """Return what was heard in a session's turns, with what changes the known memories and rules.

    "It isn't 1.9, it's 2.1" was heard, too, but says nothing by itself.
    """
    changes = list(_changes_in(turns, {one.quote for one in heard}, known))
    told = {one.quote for one in changes}
    return [*(one for one in heard if one.quote not in told), *changes]


def _changes_in(turns: Sequence[Turn], quoted: set[str], known: Sequence[Rule]) -> Iterator[Signal]:
    """Yield the statements that change what is known, and that were not heard as lasting."""
    before = set[str]()
    for turn in turns:
        words = set(distinctive_words(turn.text[:_READ]))
        if turn.role != USER:
            before |= words
            continue
        talk, before = before | words, words
        for sentence in sentences(own_words(turn.text)):
            right = _corrected(sentence, known, talk)
            if right:
                yield stated(sentence, turn)._replace(learning=right)
                continue
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


def _corrected(sentence: str, known: Sequence[Rule], talk: AbstractSet[str]) -> str:
    """Return the one known line that says a value which a sentence corrects, with the right one.

    `talk`: the words of what was said around it, since the person spoke last.
    """
    told = sentence.replace("\u2019", "'")
    said = _NOT_THAT.search(told) or _BUT_THIS.search(told)
    if said is None or is_question(sentence) or said["new"] == said["old"]:
        return ""
    old = re.compile(rf"(?<![\w.]){re.escape(said['old'])}(?![\w%]|\.\d)")
    texts = {one.text for one in known if old.search(one.text)}
    if len(texts) != 1 or said["new"] in (text := texts.pop()):
        return ""
    named = _DISTINCT.search(said["old"]) or talk & set(distinctive_words(text)) - {said["old"]}
    return old.sub(lambda _: said["new"], text, count=1) if named else ""
