"""Reranking: one call per question, on the combined results of several sources."""

from __future__ import annotations

from satchel.application.recall.questions import HYBRID, SEMANTIC

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.recall.results import RecallHit, Result
    from satchel.application.services import Services
    from satchel.engine.search.wordings import Reranking

#: The score parts that show a search by meaning: without vectors only words answer.
_BY_MEANING = "vectors"
_GIVEN = "reranker"


def candidates(work: Services, limit: int, method: str) -> int:
    """Return how many results to request: a reranker selects from more than are shown."""
    wanted = method or work.project.settings.text("recall.method")
    if wanted not in (HYBRID, SEMANTIC) or not work.models.reranks:
        return limit
    from satchel.engine.search.wordings import RERANKED

    return max(limit, RERANKED)


def rerank_hits(question: str, found: list[RecallHit], rerank: Reranking | None) -> list[RecallHit]:
    """Rerank memories that were found by meaning."""
    if rerank is None or not any(_BY_MEANING in one.evidence for one in found):
        return found
    from satchel.engine.search.wordings import rerank_best

    return rerank_best(
        question,
        found,
        rerank,
        text_of=lambda one: f"{one.record.title}\n{one.record.content}".strip(),
        scored=lambda one, score, given: one._replace(
            score=score, evidence={**one.evidence, _GIVEN: given}
        ),
        score_of=lambda one: one.score,
    )


def rerank_results(work: Services, question: str, found: list[Result]) -> list[Result]:
    """Rerank results if any was found by meaning; replacements stay first."""
    by_meaning = any(_BY_MEANING in _evidence(one) for one in found)
    rerank = work.models.reranking() if by_meaning else None
    if rerank is None:
        return found
    from satchel.engine.search.wordings import rerank_best

    ordered = rerank_best(
        question,
        found,
        rerank,
        text_of=lambda one: f"{one.title}\n{one.text}".strip(),
        scored=_scored,
        score_of=lambda one: one.score,
    )
    return _later_first(ordered)


def _evidence(one: Result) -> dict[str, float]:
    return one.parts if one.found is None else one.found.evidence


def _scored(one: Result, score: float, given: float) -> Result:
    if one.found is None:
        return one._replace(score=score, parts={**one.parts, _GIVEN: given})
    found = one.found._replace(score=score, evidence={**one.found.evidence, _GIVEN: given})
    return one._replace(score=score, found=found)


def _later_first(ordered: list[Result]) -> list[Result]:
    """Put replacements before the memories they replace again."""
    by_id = {one.found.record.id: one for one in ordered if one.found}
    placed: dict[int, Result] = {}
    for one in ordered:
        later = by_id.get(one.found.replaced_by) if one.found else None
        if later is not None:
            placed.setdefault(id(later), later)
        placed.setdefault(id(one), one)
    return list(placed.values())
