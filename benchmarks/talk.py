"""How much of what is said in the course of talk is heard whole.

    python -m benchmarks talk [FILE] [--show]

Each line of `hearing_corpus/talk.jsonl` is a conversation between a person and an agent, with the
lessons a colleague would note and the words that no note of them may lack. A lesson is whole if one
suggestion has all of its words, and half if one has some. Half of the conversations, by a hash of
their id, are held out: nothing was learnt from them. `talk_unseen.jsonl` is held out as a whole.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from satchel.application.learning.signals.lesson_filter import why_dropped
from satchel.application.learning.signals.scanning import scan
from satchel.clients.transcript_format.values import USER, Turn

TALK = Path(__file__).parent / "hearing_corpus" / "talk.jsonl"


class Lesson(NamedTuple):
    """What is to be noted of a turn, and the words that every note of it has."""

    turn: int
    text: str
    words: tuple[str, ...]


class Conversation(NamedTuple):
    """A conversation's id, its turns as (role, text), and its lessons."""

    id: str
    turns: tuple[tuple[str, str], ...]
    lessons: tuple[Lesson, ...]

    @property
    def held_out(self) -> bool:
        """Whether nothing was learnt from it: one of two."""
        return hashlib.sha256(self.id.encode()).digest()[-1] % 2 == 1

    def passing(self) -> Iterator[str]:
        """Yield the person's turns that hold no lesson."""
        taught = {one.turn for one in self.lessons}
        for at, (role, text) in enumerate(self.turns):
            if role == USER and at not in taught:
                yield text


class Judged(NamedTuple):
    """What became of a conversation: a suggestion, or "", for each lesson; and the others."""

    lessons: list[tuple[Lesson, str]]
    others: list[str]


def conversations(path: Path = TALK) -> list[Conversation]:
    """Read conversations."""
    return [_read(json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def _read(line: dict[str, Any]) -> Conversation:
    lessons = (Lesson(one["turn"], one["text"], tuple(one["must"])) for one in line["lessons"])
    turns = tuple((one["role"], one["text"]) for one in line["turns"])
    return Conversation(line["id"], turns, tuple(lessons))


def suggested(conversation: Conversation) -> list[str]:
    """Return what a conversation teaches."""
    turns = [
        Turn(role, text, float(at + 1), id=str(at))
        for at, (role, text) in enumerate(conversation.turns)
    ]
    return [one.learning for one in scan(turns) if not why_dropped(one)]


def judge(conversation: Conversation) -> Judged:
    """Find the suggestion that says most of each lesson."""
    told = suggested(conversation)
    best = [(one, _best(told, one)) for one in conversation.lessons]
    used = {text for _, text in best}
    return Judged(best, [text for text in told if text not in used])


def _best(told: Sequence[str], lesson: Lesson) -> str:
    """Return the suggestion with most of a lesson's words, or ""."""
    _, found = max(((words_in(text, lesson), text) for text in told), default=(0, ""))
    return found if found and words_in(found, lesson) else ""


def words_in(text: str, lesson: Lesson) -> int:
    """Return how many of a lesson's words a text has."""
    lower = text.lower().replace("\u2019", "'")
    return sum(word.lower() in lower for word in lesson.words)


def report(judged: Sequence[tuple[Conversation, Judged]]) -> str:
    """Say how many lessons are whole, and how many suggestions are none of them."""
    found = Counter(
        "missed" if not text else "whole" if words_in(text, one) == len(one.words) else "half"
        for _, result in judged
        for one, text in result.lessons
    )
    passing = sum(len(list(one.passing())) for one, _ in judged)
    others = sum(len(result.others) for _, result in judged)
    return (
        f"of {found.total()} lessons {found['whole']} whole, {found['half']} in part, "
        f"{found['missed']} missed; {others} other suggestions from {passing} passing prompts"
    )


def main() -> None:
    """Print both halves."""
    parser = argparse.ArgumentParser(description="Hear lessons said in the course of talk.")
    parser.add_argument("file", nargs="?", type=Path, default=TALK)
    parser.add_argument("--show", action="store_true", help="what was missed of those learnt from")
    wanted = parser.parse_args()
    judged = [(one, judge(one)) for one in conversations(wanted.file)]
    unseen = wanted.file.resolve() != TALK.resolve()
    parts = {
        "learnt from": [] if unseen else [one for one in judged if not one[0].held_out],
        "held out": [one for one in judged if unseen or one[0].held_out],
    }
    for name, part in parts.items():
        if part:
            print(f"{name:12}{report(part)}")
    for conversation, result in parts["learnt from"] if wanted.show else ():
        for one, text in result.lessons:
            if words_in(text, one) < len(one.words):
                print(f"\n{conversation.id}  {one.text}\n  heard: {text or '-'}")
        for text in result.others:
            print(f"\n{conversation.id}  also suggested: {text}")


if __name__ == "__main__":
    main()
