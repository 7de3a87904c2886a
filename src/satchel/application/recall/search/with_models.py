"""Recall with models: embeddings, and query rewriting."""

from __future__ import annotations

from satchel.application.recall.questions import RecallRequest
from satchel.application.recall.search.keyword import NEAR, Match
from satchel.engine.search.contracts import DocumentVectors
from satchel.engine.search.documents import Filter
from satchel.engine.search.hybrid import WEIGHTS, Query, Scored, search_documents
from satchel.engine.search.wordings import agreed, search_wordings
from satchel.engine.tool_kinds import tools_meant
from satchel.features.memories.service import Memories


def search_with_models(
    asking: RecallRequest, store: Memories, limit: int, only: Filter, vectors: DocumentVectors
) -> list[Match]:
    """Return hybrid search results for a question and its rewordings."""
    method = asking.method
    weights = None if method.late else WEIGHTS["documents"]._replace(late=0.0)

    def search(wording: str) -> list[Scored]:
        query = Query(wording, limit, method.name, weights=weights, diverse=True)
        return search_documents(store.index, store.view(only), query, vectors=vectors)

    def wordings(question: str) -> list[str]:
        every = [*method.expand(question)] if method.expand else [question]
        meant = tools_meant(question)
        return [*every, f"{question} {meant}"] if meant else every

    found = search_wordings(asking.question, wordings, search)[:limit]
    least, both = vectors.least_cosine(), agreed(found)
    return [
        Match(
            one.hit,
            one.score,
            one.parts
            | (
                {NEAR: 1.0}
                if one.parts.get("vectors", 0.0) >= least or one.hit.number == both
                else {}
            ),
        )
        for one in found
    ]
