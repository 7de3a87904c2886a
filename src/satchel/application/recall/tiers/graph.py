"""The knowledge graph tier: texts connected to one that answers by itself."""

from __future__ import annotations

import os
from collections.abc import Sequence

from satchel.application.recall.conversions import note_path, size_of
from satchel.application.recall.results import WARM, Result
from satchel.application.recall.routing import GRAPH
from satchel.application.services import Services
from satchel.core.errors import BusyError
from satchel.engine.search.tokens import shares_enough
from satchel.features.graph.searching import GraphAnswer
from satchel.features.graph.values import Memory

_TITLE, _EXCERPT = 160, 600
#: How many of the graph's texts to check for one that answers the question itself.
_FOOTHOLDS = 30
#: Most ledger bytes for drawing the graph during a question; a larger one is drawn on request.
_DRAWN_AT_ONCE = 2_000_000


def graph_results(work: Services, question: str, limit: int, *, weak: bool) -> list[Result]:
    """Query the knowledge graph.

    Args:
        question: any text.
        limit: most results.
        weak: do not require a text that answers the question itself.

    Raises:
        BusyError: it is large and not drawn yet.
    """
    state = work.project.state
    if not os.path.exists(state.graph) and size_of(state.ledgers) > _DRAWN_AT_ONCE:
        raise BusyError("the graph is not drawn yet", hint="`satchel rebuild --only graph`")
    from satchel.features.graph.searching import NAIVE

    with work.notes as notebook:
        directories = notebook.indexes.note_directories()
    with work.graph as graph:
        # Searching by words is cheaper than the walk that starts there.
        near = graph.search(question, mode=NAIVE, limit=_FOOTHOLDS)
        if not (weak or _has_foothold(near, question)):
            return []
        answer = graph.search(question, limit=limit)
    return [
        _result(hit.memory, " > ".join(hit.path), hit.score, directories)
        for hit in answer.hits
        if hit.memory is not None
    ]


def _has_foothold(answer: GraphAnswer, question: str) -> bool:
    """Return whether a connected text depends on one that answers the question itself.

    A walk through the graph leads somewhere from anywhere, by a single shared word.
    """
    texts = (f"{h.memory.title} {h.memory.content}" for h in answer.hits if h.memory)
    return any(shares_enough(question, text) for text in texts)


def _result(one: Memory, through: str, score: float, directories: Sequence[str]) -> Result:
    from satchel.features.graph.ingest import NOTE, RECORD

    identity = one.id.removeprefix(RECORD)
    if one.id.startswith(NOTE):
        identity = note_path(one.id.removeprefix(NOTE), directories)
    text = one.content + (f"\nthrough {through}" if through else "")
    return Result(
        WARM,
        GRAPH,
        one.title or one.content[:_TITLE],
        text=text[:_EXCERPT],
        place=one.source or one.id,
        at=one.ts,
        score=score,
        identity=identity,
    )
