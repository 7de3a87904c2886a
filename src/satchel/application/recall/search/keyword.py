"""Recall from a cold start: BM25, plus codes if available; loads no library."""

from __future__ import annotations

from satchel.core.values import NamedTuple
from satchel.engine.ranking.fusion import lifted_by_group
from satchel.engine.search.documents import Filter, Hit
from satchel.features.memories.service import Memories

#: Share of words in the fused score; codes get the rest. Chosen on the development sets, where .7
#: is best or nearly so: docs/decisions/0013-search.md.
_WORDS = 0.7
_SAME = 0.75
#: How much of the best score under a task goes to what else was learned under it.
_TOGETHER = 0.2
#: Marks documents nearer to the question than chance.
NEAR = "near"
#: Most documents found only by code, and how many to check for each.
_BROUGHT = 10
_LOOKED_AT = 20


class Match(NamedTuple):
    """A matching document: its score and the score's parts."""

    hit: Hit
    score: float
    evidence: dict[str, float]


def search_words(question: str, store: Memories, limit: int, only: Filter) -> list[Match]:
    """Return keyword matches with their BM25 scores."""
    hits = store.index.search(question, store.view(only), limit=limit)
    return _together([Match(hit, hit.score, {"bm25": round(hit.score, 4)}) for hit in hits])


def search_codes(
    question: str, store: Memories, limit: int, only: Filter, code: bytes
) -> list[Match]:
    """Return keyword matches and very similar documents as one ranking.

    Args:
        code: the question's code, from the static table.
    """
    view = store.view(only)
    # Old versions are as near as the latest, so check a few more.
    nearest = _BROUGHT * _LOOKED_AT
    words, near, alike = store.index.search_near(question, code, view, limit=limit, nearest=nearest)
    hits = {hit.number: hit for hit in words}
    missing = [row for row in near if row not in hits]
    if missing:
        seen = store.index.documents_in_rows(missing, view)
        seen.sort(key=lambda hit: -near[hit.number])
        hits |= {hit.number: hit for hit in seen[:_BROUGHT]}
    if not hits:
        return []
    bm25 = {hit.number: hit.score for hit in words}
    top = max(bm25.values(), default=0.0) or 1.0
    alike = alike | near
    fused = []
    for row, hit in hits.items():
        # Half of the bits agree by chance, three quarters for texts that say the same.
        nearness = min(1.0, max(0.0, alike.get(row, 0.5) - 0.5) / (_SAME - 0.5))
        score = _WORDS * bm25.get(row, 0.0) / top + (1 - _WORDS) * nearness
        evidence = {"bm25": round(bm25[row], 4)} if row in bm25 else {}
        if row in alike:
            evidence["alike"] = round(alike[row], 3)
        if row in near:
            evidence[NEAR] = 1.0
        fused.append(Match(hit, score, evidence))
    return _together(fused)[:limit]


def _together(matches: list[Match]) -> list[Match]:
    """Order matches by their scores, lifted by what was learned under the same task."""
    scores = {match.hit.number: match.score for match in matches}
    tasks = {match.hit.number: match.hit.document.task for match in matches}
    lifted = lifted_by_group(scores, tasks, _TOGETHER)
    matches = [match._replace(score=lifted[match.hit.number]) for match in matches]
    return sorted(matches, key=lambda match: -match.score)
