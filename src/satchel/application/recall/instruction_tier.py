"""The instruction tier: lines of CLAUDE.md and similar files that answer a question."""

from __future__ import annotations

from satchel.application.recall.results import HOT, Result
from satchel.application.recall.routing import INSTRUCTIONS
from satchel.engine.search.tokens import coverage, shares_enough

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services

_EXCERPT = 600
#: Lines of a file that an answer shows.
_LINES = 3


def instruction_results(work: Services, question: str, limit: int) -> list[Result]:
    """Search the instruction files that agents are given, segment by segment."""
    files = work.instructions
    found = []
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
                    identity=f"{segment.path} {segment.first_line}",
                )
            )
    return sorted(found, key=lambda piece: -piece.score)[:limit]


def _telling_lines(question: str, text: str) -> tuple[int, str]:
    """Return the lines that share most words with a question, and the first one's number."""
    lines = text.splitlines()
    scores = {n: score for n, line in enumerate(lines) if (score := coverage(question, line))}
    best = sorted(sorted(scores, key=lambda n: -scores[n])[:_LINES])
    return (best[0], "\n".join(lines[n] for n in best)) if best else (0, text)
