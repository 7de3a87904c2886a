"""Recall with models: vectors, and those that expand a question or rerank what was found."""

from __future__ import annotations

from satchel.application.recall.keyword import NEAR, Match
from satchel.engine.ranking.rank_fusion import reciprocal_rank_fusion
from satchel.engine.search.documents import Filter
from satchel.engine.search.hybrid import WEIGHTS, Query, Scored, search_documents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from satchel.application.recall.questions import RecallRequest
    from satchel.engine.search.contracts import DocumentVectors
    from satchel.features.memories.service import Memories

#: A reranker reads so many of the best; they are few because each costs a run of a model.
_RERANKED = 20
#: The question itself counts as much as so many of its other wordings.
_OWN_WORDS = 2.0


def search_with_models(
    asking: RecallRequest, store: Memories, limit: int, only: Filter, vectors: DocumentVectors
) -> list[Match]:
    """Return what the hybrid search finds for a question and its other wordings."""
    method = asking.method
    wordings = list(method.expand(asking.question)) if method.expand else [asking.question]
    weights = None if method.late else WEIGHTS["documents"]._replace(late=0.0)
    rankings = [
        search_documents(
            store.index,
            store.sources,
            Query(
                wording, store.clock.now(), limit, only, method.name, weights=weights, diverse=True
            ),
            vectors=vectors,
        )
        for wording in wordings
    ]
    found = rankings[0] if len(rankings) == 1 else _fused(rankings)[:limit]
    if method.rerank is not None and found:
        found = _reranked(asking, found)
    least = vectors.least_cosine()
    return [
        Match(
            one.hit,
            one.score,
            one.parts | ({NEAR: 1.0} if one.parts.get("vectors", 0.0) >= least else {}),
        )
        for one in found
    ]


def _fused(rankings: Sequence[Sequence[Scored]]) -> list[Scored]:
    """Fuse by rank; scores of the question itself are kept where it found the document."""
    first: dict[str, Scored] = {}
    for ranking in rankings:
        for one in ranking:
            first.setdefault(one.hit.document.hash, one)
    order = reciprocal_rank_fusion(
        [[one.hit.document.hash for one in ranking] for ranking in rankings],
        weights=[_OWN_WORDS, *[1.0] * (len(rankings) - 1)],
    )
    top = order[0][1] if order else 1.0
    return [first[ident]._replace(score=score / top) for ident, score in order]


def _reranked(asking: RecallRequest, found: list[Scored]) -> list[Scored]:
    """Let a reranker order the best; the others keep their order, below them."""
    rerank = asking.method.rerank
    best, rest = found[:_RERANKED], found[_RERANKED:]
    texts = [f"{one.hit.document.title}\n{one.hit.document.content}".strip() for one in best]
    scores = rerank(asking.question, texts) if rerank is not None else ()
    if len(scores) != len(best):
        return found
    low, high = min(scores), max(scores)
    spread = (high - low) or 1.0
    floor = rest[0].score if rest else 0.0
    ordered = [
        one._replace(
            score=floor + (score - low) / spread + 1e-6,
            parts={**one.parts, "reranker": round(float(score), 4)},
        )
        for one, score in zip(best, scores, strict=True)
    ]
    return [*sorted(ordered, key=lambda one: -one.score), *rest]
