"""What a replayed day came to. The rules here use none of the product's own: a release that hears
or finds otherwise is measured with the same measure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

from benchmarks.week_replay import Moment

_FILE = re.compile(r"[\w.@-]*\w\.[a-z][a-z0-9]{0,4}\b")
_WORD = re.compile(r"[^\W\d_]\w{3,}")
_COMMON_WORDS = """
about after again also always another asked because been before being both cannot change changes
code could does doing done each else even every file files from have here into it's just like made
make many more most much must need needs never next only open other over please same session should
since some still such than that their them then there these they this those through under until used
uses using want well were what when where which while will with within without would your
"""
_COMMON = frozenset(_COMMON_WORDS.split())
#: What a person says to correct: measured by its form alone, in English.
_CORRECTS = re.compile(
    r"\b(no|nope|not|don'?t|do not|never|always|instead|rather|wrong|should|must|prefer|remember|"
    r"again|already|actually|make sure|careful|stop|mistaken|first so)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
#: A turn of more sentences is a task or a paste.
_LONG_TURN = 12
_SAME, _FEWEST = 0.6, 3
_CONCERNS = 0.5
#: What is kept of a session, and is no lesson.
NO_LESSON = ("activity", "checkpoint", "episode")
NUDGE = "nudge"


@dataclass
class Figures:
    """The figures of one day, or of all; the order is that of the table."""

    sessions: int = 0
    prompts: int = 0
    kept: int = 0
    suggestions: int = 0
    accepted: int = 0
    nudges: int = 0
    items: int = 0
    item_tokens: int = 0
    touched_items: int = 0
    touched_tokens: int = 0
    corrections: int = 0
    repeats: int = 0
    unsaid: int = 0
    tokens: int = 0

    def __iadd__(self, other: Figures) -> Self:
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))
        return self

    @property
    def touched_per_thousand(self) -> float:
        """Items that concerned what the session then did, for 1,000 tokens shown to agents."""
        return round(1000 * self.touched_items / self.tokens, 2) if self.tokens else 0.0


def telling(text: str) -> frozenset[str]:
    """Words that a text could be known by."""
    return frozenset(word for word in _WORD.findall(text.lower()) if word not in _COMMON)


def named_files(text: str) -> frozenset[str]:
    """Names of files in a text, without their directories."""
    return frozenset(name.lower() for name in _FILE.findall(text))


def concerns(text: str, touched: str) -> bool:
    """Return whether a text names a file that was touched, or half of its words were."""
    if named_files(text) & named_files(touched):
        return True
    words = telling(text)
    shared = len(words & telling(touched))
    return shared >= _FEWEST and shared >= _CONCERNS * len(words)


def says(held: str, sentence: str) -> bool:
    """Return whether what is held says what a sentence says, by their words."""
    one, other = telling(held), telling(sentence)
    shared = len(one & other)
    return shared >= _FEWEST and shared >= _SAME * min(len(one), len(other))


def corrections(moment: Moment) -> list[str]:
    """Return the sentences of a moment in which a person corrects."""
    if moment.what not in ("person", "refusal"):
        return []
    found = [one.strip() for one in _SENTENCE.split(moment.text) if one.strip()]
    if len(found) > _LONG_TURN:
        return []
    enough = [one for one in found if len(telling(one)) >= _FEWEST]
    return [one for one in enough if moment.what == "refusal" or _CORRECTS.search(one)]


def touched(moments: Iterable[Moment]) -> str:
    """Return what calls named, and people said."""
    return "\n".join(one.text for one in moments if one.what != "told")


def lessons(items: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return injected items without nudges and without headings of files."""
    shown = [one for one in items if one["section"] != NUDGE]
    return [one for one in shown if not one["text"].lstrip().startswith("#")]


def of_session(moments: Sequence[Moment], held: Sequence[str], rules: Sequence[str]) -> Figures:
    """Count one session.

    Args:
        moments: what happened.
        held: memories and suggestions that were there before it.
        rules: those of them that stand in the file that the client reads by itself.
    """
    found = Figures(sessions=1)
    told = list(rules)
    for number, moment in enumerate(moments):
        if moment.what == "told":
            found.tokens += (len(moment.text.encode()) + 3) // 4
            found.nudges += sum(item["section"] == NUDGE for item in moment.items)
            later = touched(moments[number + 1 :])
            for item in lessons(moment.items):
                told.append(item["text"])
                hit = concerns(item["text"], later)
                found.items += 1
                found.item_tokens += item["tokens"]
                found.touched_items += hit
                found.touched_tokens += item["tokens"] * hit
        for sentence in corrections(moment):
            found.corrections += 1
            known = any(says(one, sentence) for one in held)
            found.repeats += known
            found.unsaid += known and not any(says(one, sentence) for one in told)
    return found


def by_chance(sessions: Sequence[Sequence[Moment]]) -> float:
    """Return the share of items that would concern a later session than the one they were told."""
    whole = [touched(moments) for moments in sessions]
    hits = tried = 0
    for number, moments in enumerate(sessions):
        for item in lessons(item for moment in moments for item in moment.items):
            others = whole[number + 1 :]  # one of the earlier ones is where it comes from
            tried += len(others)
            hits += sum(concerns(item["text"], text) for text in others)
    return hits / tried if tried else 0.0
