"""The instruction tier: lines of CLAUDE.md and similar files that answer a question."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from satchel.application.recall.results import HOT, Result
from satchel.application.recall.routing import INSTRUCTIONS
from satchel.application.services import Services
from satchel.engine.search.tokens import coverage, shares_enough, spellings, stem, subject_words
from satchel.storage.files import text_in

_EXCERPT = 600
#: How many lines of a file an answer shows.
_LINES = 3
_LONGEST_LINE = 400
#: Beginnings of lines that are not rules: headings, tables, comments, fences.
_NO_RULE = ("#", "|", "<", "`" * 3, "~~~")
_LIST_MARKS = "-*+ \t"


def instruction_results(work: Services, question: str, limit: int) -> list[Result]:
    """Search the instruction files that agents are given: lines that answer, otherwise sections."""
    files = work.instructions
    lines = instruction_lines(work) if may_answer(work, question) else ()
    found = [
        one._replace(score=coverage(question, one.title))
        for one in lines
        if shares_enough(question, one.title)
    ]
    if found:
        return found[:limit]
    for segment in files.loaded().segments:
        if shares_enough(question, segment.text):
            offset, text = _telling_lines(question, segment.text)
            place = f"{files.shown(segment.path)}:{segment.first_line + offset}"
            found.append(
                Result(
                    HOT,
                    INSTRUCTIONS,
                    place.rpartition("/")[2],
                    text[:_EXCERPT],
                    place,
                    score=coverage(question, segment.text),
                    identity=f"{segment.path} {segment.first_line + offset}",
                )
            )
    return sorted(found, key=lambda piece: -piece.score)[:limit]


def may_answer(work: Services, question: str) -> bool:
    """Return whether the files contain a question's words, before loading any."""
    notes = [path for path in work.project.tracked.rules if path.endswith(".md")]
    return any(holds_words(path, question) for path in notes)


def instruction_lines(work: Services) -> Iterator[Result]:
    """Yield the lines of instruction files that may be rules."""
    files = work.instructions
    for segment in files.loaded().segments:
        for number, line in enumerate(segment.text.splitlines(), segment.first_line):
            said = line.strip(_LIST_MARKS)
            if said and not said.startswith(_NO_RULE):
                place = f"{files.shown(segment.path)}:{number}"
                name = said[:_LONGEST_LINE]
                yield Result(
                    HOT, INSTRUCTIONS, name, "", place, identity=f"{segment.path} {number}"
                )


def holds_words(path: str, question: str) -> bool:
    """Return whether a line of a file has enough of a question's words, in any inflection."""
    lines = text_in(path).lower().splitlines()
    asked = [tuple(map(_beginning, spellings(word))) for word in subject_words(question)]
    least = min(2, len(asked))
    return any(
        sum(any(one in line for one in word) for word in asked) >= least for line in lines if asked
    )


def _beginning(word: str) -> str:
    """Return what all inflections of a word begin with; the stem of "retry" is "retri"."""
    shared = takewhile(lambda pair: pair[0] == pair[1], zip(word, stem(word), strict=False))
    return "".join(letter for letter, _ in shared).removesuffix("i")


def _telling_lines(question: str, text: str) -> tuple[int, str]:
    """Return the lines that share the most words with a question, and the first one's number."""
    lines = text.splitlines()
    scores = {n: score for n, line in enumerate(lines) if (score := coverage(question, line))}
    best = sorted(sorted(scores, key=lambda n: -scores[n])[:_LINES])
    return (best[0], "\n".join(lines[n] for n in best)) if best else (0, text)
