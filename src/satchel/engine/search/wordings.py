"""Applies query rewording and reranking to a list of results."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from satchel.engine.ranking.fusion import reciprocal_rank_fusion
from satchel.engine.search.hybrid import Scored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")

#: Rewords a question, itself first; scores texts as answers to a question.
Expansion = Callable[[str], Sequence[str]]
Reranking = Callable[[str, Sequence[str]], Sequence[float]]


#: How many of the best a reranker reads; few because each costs a model run.
RERANKED = 20
#: The question itself counts as much as this many rewordings.
_OWN_WORDS = 2.0
#: When words and vectors agree on the best text, this cosine is enough to trust it. It is lower
#: than a vector match needs on its own: two independent searches rarely agree by chance.
_AGREED = 0.4


def search_wordings(
    question: str, expand: Expansion | None, search: Callable[[str], list[Scored]]
) -> list[Scored]:
    """Search for a question and its rewordings; fuse the results by rank.

    Scores of the question itself are kept for documents it found.
    """
    wordings = list(expand(question)) if expand else [question]
    rankings = [search(wording) for wording in wordings]
    if len(rankings) == 1:
        return rankings[0]
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


def rerank_best(
    question: str,
    found: list[T],
    rerank: Reranking,
    *,
    text_of: Callable[[T], str],
    scored: Callable[[T, float, float], T],
    score_of: Callable[[T], float],
) -> list[T]:
    """Rerank the best results; the others follow in their order.

    Args:
        found: best first.
        rerank: gives no scores if its model does not answer; then the order stays.
        text_of: the text of a finding to read.
        scored: builds a finding with its new score and the reranker's.
        score_of: the score of a finding.
    """
    best, rest = found[:RERANKED], found[RERANKED:]
    scores = rerank(question, [text_of(one) for one in best]) if best else ()
    if not best or len(scores) != len(best):
        return found
    low, high = min(scores), max(scores)
    spread = (high - low) or 1.0
    floor = score_of(rest[0]) if rest else 0.0
    ordered = sorted(zip(best, scores, strict=True), key=lambda pair: -pair[1])
    return [
        *(
            scored(one, floor + (score - low) / spread + 1e-6, round(float(score), 4))
            for one, score in ordered
        ),
        *rest,
    ]


def agreed(found: Sequence[Scored]) -> int:
    """Return the document ranked first by both words and vectors, or -1."""
    best = [
        max(found, key=lambda one: one.parts.get(arm, 0.0), default=None)
        for arm in ("words", "vectors")
    ]
    words, vectors = best
    if words is None or vectors is None or words.hit.number != vectors.hit.number:
        return -1
    sure = words.parts.get("words", 0.0) > 0 and words.parts.get("vectors", 0.0) >= _AGREED
    return words.hit.number if sure else -1
