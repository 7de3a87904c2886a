"""Which matches of a note search are answers, and which are only connected to one."""

from __future__ import annotations

from satchel.application.recall.search import LEAST_COVERAGE
from satchel.engine.search.hybrid import SEMANTIC, Scored
from satchel.engine.search.tokens import coverage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.recall.connected_notes import Arm
    from satchel.engine.search.vectors import Vectors


def answering(
    question: str,
    mode: str,
    scored: list[Scored],
    vectors: Vectors | None,
    arm: Arm | None,
) -> tuple[list[Scored], dict[str, tuple[str, ...]]]:
    """Leave out what only seems to answer; return with it what led to connected notes, by path."""
    if mode == SEMANTIC or (vectors is None and arm is None):
        # Asked by meaning alone, everything has a nearest text: the reader judges the score.
        return scored, {}
    if vectors is None:
        good = {one.hit.number for one in scored if "words" in one.parts}
    else:
        least = vectors.least_cosine()
        good = {one.hit.number for one in scored if _answers(question, one, least)}
    paths = list(dict.fromkeys(one.hit.path for one in scored if one.hit.number in good))
    ways = {} if arm is None else arm.led(scored, paths)
    led = {one.hit.path: ways[one.hit.number] for one in scored if one.hit.number in ways}
    return [one for one in scored if one.hit.number in good or one.hit.number in ways], led


def _answers(question: str, found: Scored, least_cosine: float) -> bool:
    """Say whether a match is more than chance."""
    document = found.hit.document
    share = coverage(question, f"{document.title} {document.content} {document.tags}")
    return share >= LEAST_COVERAGE or found.parts.get("vectors", 0.0) >= least_cosine
