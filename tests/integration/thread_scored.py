"""Asks of every line why it is so, and holds the answers against what is known of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

from integration.thread_made import Origin, Repository
from integration.thread_ways import WAYS

CERTAIN = "certain"
#: What is asked (`FILE:FIRST-LAST`) -> what `satchel why --json` prints.
Why = Callable[[str], dict[str, Any]]


class Answer(NamedTuple):
    """What was told of one line; `told` and `known` are a session and a prompt, or None."""

    path: str
    line: int
    text: str
    known: Origin
    told: Origin
    confidence: str


class Score(NamedTuple):
    """How many lines were told how; `lines` are those that an agent wrote.

    Attributes:
        certain: right, and told as certain.
        likely: right, and told as less than certain.
        wrong: another prompt was named, or none.
        wrong_certain: told as certain and wrong, lines that a person wrote among them.
    """

    lines: int
    certain: int
    likely: int
    wrong: tuple[Answer, ...]
    wrong_certain: tuple[Answer, ...]

    @property
    def right(self) -> float:
        """The share of lines that are told right."""
        return (self.certain + self.likely) / self.lines

    def __str__(self) -> str:
        """As a cell of a table."""
        told = f"{self.certain} / {self.likely} / {len(self.wrong)} / {len(self.wrong_certain)}"
        return f"{told} of {self.lines}"


def score(why: Why, repository: Repository, chosen: Collection[tuple[str, int]] = ()) -> Score:
    """Ask about every line that says something; about the agents' lines `chosen` if there are."""
    answers = list(_answers(why, repository))
    wrong_certain = [one for one in answers if one.confidence == CERTAIN and one.told != one.known]
    of_agents = [
        one
        for one in answers
        if one.known is not None and (not chosen or (one.path, one.line) in chosen)
    ]
    right = [one for one in of_agents if one.told == one.known]
    certain = sum(one.confidence == CERTAIN for one in right)
    return Score(
        len(of_agents),
        certain,
        len(right) - certain,
        tuple(one for one in of_agents if one.told != one.known),
        tuple(wrong_certain),
    )


def _answers(why: Why, repository: Repository) -> Iterator[Answer]:
    for path, lines in sorted(repository.lines.items()):
        told = why(f"{path}:1-{len(lines)}")
        asked = {
            (session["session"], prompt["place"]): prompt["text"]
            for session in told["sessions"]
            for prompt in session["prompts"]
        }
        for one, (text, known) in zip(told["lines"], lines, strict=True):
            assert one["text"] == text, (path, one, text)
            if not text.strip():
                continue
            best = one["origin"][0] if one["origin"] else {}
            session = best.get("session", "")
            # One client puts a prompt that it is started with between quotation marks.
            prompt = asked.get((session, best.get("place")), "").strip('"')
            yield Answer(
                path,
                one["line"],
                text,
                known,
                (session, prompt) if best else None,
                best.get("confidence", ""),
            )


def scores(
    why: Why, repository: Repository, ways: Sequence[Callable[[Repository], None]] = WAYS
) -> Iterator[tuple[str, Score]]:
    """Rewrite history in each way, from the same state each time; ask about every line then."""
    root = repository.root
    kept = root.parent / "kept"
    shutil.copytree(root, kept, symlinks=True)
    for way in ways:
        shutil.rmtree(root)
        shutil.copytree(kept, root, symlinks=True)
        again = Repository(root)
        again.now = repository.now
        again.lines = {path: [*lines] for path, lines in repository.lines.items()}
        way(again)
        yield way.__name__, score(why, again)
