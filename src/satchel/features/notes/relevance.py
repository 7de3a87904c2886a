"""Which note matches are answers, and which are only connected to one."""

from __future__ import annotations

from satchel.engine.search.hybrid import SEMANTIC, Scored
from satchel.engine.search.tokens import LEAST_COVERAGE, coverage, shares_enough
from satchel.engine.search.wordings import agreed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Protocol

    from satchel.engine.search.contracts import DocumentVectors, SearchIndex
    from satchel.engine.search.documents import View
    from satchel.features.notes.finding import NoteMatch, NoteQuery

    class Arm(Protocol):
        """The graph's signal for one question."""

        def expand(self, scores: Mapping[int, float]) -> Mapping[int, float]:
            """Score documents connected to the results."""

        def connections(
            self, found: Sequence[Scored], answering: Sequence[str]
        ) -> dict[int, tuple[str, ...]]:
            """Return the paths from answers to documents that only they connect."""

    class Connected(Protocol):
        """The knowledge graph, as note search uses it."""

        def arm(
            self, index: SearchIndex, question: str, *, user: bool, directory: str, view: View
        ) -> Arm | None:
            """Return the graph's signal for a question; None without a graph."""

        def through(
            self,
            asked: NoteQuery,
            directories: Sequence[str],
            find: Callable[[str, int], Sequence[NoteMatch]],
        ) -> list[NoteMatch]:
            """Return the notes that the graph leads to, best first."""

        def rebuild(self) -> None:
            """Draw the graphs in full."""

        def close(self) -> None:
            """Close the databases that were opened."""


def filter_relevant(
    question: str,
    mode: str,
    scored: list[Scored],
    vectors: DocumentVectors | None,
    arm: Arm | None,
    *,
    strict: bool = False,
) -> tuple[list[Scored], dict[str, tuple[str, ...]]]:
    """Drop apparent answers; also return what led to connected notes, by path.

    In a search by words alone, every match is an answer, unless `strict`: then a text must share
    more than chance.
    """
    if strict and vectors is None and mode != SEMANTIC:
        scored = [one for one in scored if shares_enough(question, _text_of(one))]
    if mode == SEMANTIC or (vectors is None and arm is None):
        # In a search by meaning alone, everything has a nearest text: the reader judges the score.
        return scored, {}
    if vectors is None:
        good = {one.hit.number for one in scored if "words" in one.parts}
    else:
        least = vectors.least_cosine()
        good = {one.hit.number for one in scored if _is_relevant(question, one, least)}
        good |= {agreed(scored)} - {-1}
    paths = list(dict.fromkeys(one.hit.path for one in scored if one.hit.number in good))
    ways = {} if arm is None else arm.connections(scored, paths)
    led = {one.hit.path: ways[one.hit.number] for one in scored if one.hit.number in ways}
    return [one for one in scored if one.hit.number in good or one.hit.number in ways], led


def _is_relevant(question: str, found: Scored, least_cosine: float) -> bool:
    """Return whether a match is better than chance."""
    share = coverage(question, _text_of(found))
    return share >= LEAST_COVERAGE or found.parts.get("vectors", 0.0) >= least_cosine


def _text_of(found: Scored) -> str:
    document = found.hit.document
    return f"{document.title} {document.content} {document.tags}"
