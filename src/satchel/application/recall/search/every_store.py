"""Searches every store by the chosen method and fuses results by rank.

A memory's circumstances (scope, age, certainty, kind) may reorder near ties; weak matches are left
out.
"""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.recall.questions import FAST, HYBRID, SEMANTIC, RecallRequest
from satchel.application.recall.results import Answer, RecallHit
from satchel.application.recall.search.keyword import NEAR, Match, search_codes, search_words
from satchel.application.recall.search.reranking import rerank_hits
from satchel.core.kinds import BACKGROUND, KINDS, kinds_for
from satchel.core.scope import EPIC, TASK, Scope, proximity
from satchel.core.trust import REPO
from satchel.engine.ranking.boosts import bounded, recency
from satchel.engine.ranking.fusion import reciprocal_rank_fusion
from satchel.engine.search.documents import Filter
from satchel.engine.search.records import record_of
from satchel.engine.search.tokens import coverage, least_coverage, shares_two
from satchel.engine.tool_kinds import kinds_named, tools_meant
from satchel.features.memories.ledgers import TEAM
from satchel.features.memories.service import Memories
from satchel.storage.ledger.record import Record

_RECENCY, _SCOPE, _CONFIDENCE, _KIND = 0.2, 0.6, 0.2, 0.1
_PROXIMITY = {TASK: 1.0, EPIC: 0.8}
#: Candidates that boosts may reorder, per item requested.
_WINDOW = 3
#: Sessions' automatic records are not what people search for first.
_BACKGROUND = (*kinds_for(BACKGROUND), "injection")
_KIND_WEIGHT = {kind.name: kind.weight for kind in KINDS.values()}
#: A single shared word of several is an answer if at most this share of unrelated questions scores
#: as high.
_SURE = 0.95
#: The evidence that says how surely.
SURE = "sure"


def recall(asking: RecallRequest, stores: Sequence[Memories]) -> Answer:
    """Search every store (project first, then user) and pending inbox events."""
    rankings = []
    meant = tools_meant(asking.question)
    for store in stores:
        # A concurrent rebuild renumbers documents, so every step must see the same state.
        with store.index.database.snapshot():
            rankings.append(_ranked(asking, store, meant))
    waiting = _waiting(asking)
    if waiting:
        rankings.append(waiting)
    kept = (
        rankings if asking.weak else [[f for f in r if _is_relevant(asking, f)] for r in rankings]
    )
    left_out = sum(map(len, rankings)) - sum(map(len, kept))
    items = kept[0] if len(kept) == 1 else _fused(kept)
    items = rerank_hits(asking.question, items, asking.method.rerank)
    return Answer(asking.question, tuple(items[: asking.limit]), left_out)


def _fused(rankings: Sequence[Sequence[RecallHit]]) -> list[RecallHit]:
    """Fuse results of several stores by rank, merging duplicates."""
    by_name: dict[str, RecallHit] = {}
    named = [_names(ranking) for ranking in rankings]
    for names, ranking in zip(named, rankings, strict=True):
        for name, found in zip(names, ranking, strict=True):
            first = by_name.setdefault(name, found)
            if found.source == TEAM and first.record.version == found.record.version:
                # A local copy counts as the team's.
                by_name[name] = first._replace(source=TEAM)
    fused = reciprocal_rank_fusion(named)
    return [by_name[name]._replace(score=score) for name, score in fused]


def _names(ranking: Sequence[RecallHit]) -> list[str]:
    """Return what tells a store's results apart: see `memory_results` about the second of two."""
    names: list[str] = []
    for found in ranking:
        name = found.record.identity
        names.append(f"{name} {REPO}" if name in names else name)
    return names


def _is_relevant(asking: RecallRequest, found: RecallHit) -> bool:
    """Return whether a match is better than chance."""
    if NEAR in found.evidence:
        return True
    if found.coverage < least_coverage(asking.question):
        return False
    return shares_two(asking.question, found.coverage) or found.evidence.get(SURE, 0.0) >= _SURE


def _ranked(asking: RecallRequest, store: Memories, meant: str) -> list[RecallHit]:
    now = store.clock.now()
    only = asking.only
    only = only._replace(without=tuple(k for k in _BACKGROUND if k not in only.kinds))
    found = []
    for hit, score, evidence in _hits(asking, store, only, meant):
        record = record_of(hit.document)
        # FTS5 gives words in most documents a millionth: boosts must still matter there.
        parts = {"relevance": max(score, 1e-9), **_boosts(record, asking.scope, now)}
        product = 1.0
        for part in parts.values():
            product *= part
        text = f"{record.title} {record.content} {' '.join(record.tags)}"
        # A question for "the database" finds memories that name one.
        share = coverage(asking.question, f"{text} {kinds_named(text)}" if meant else text)
        found.append(
            RecallHit(record, hit.source, product, coverage=share, parts=parts, evidence=evidence)
        )
    if not asking.weak:
        found = _with_confidence(asking, found, store)
    return _holding(sorted(found, key=lambda f: -f.score), store, now)


def _with_confidence(
    asking: RecallRequest, found: list[RecallHit], store: Memories
) -> list[RecallHit]:
    """Set the confidence of a memory that shares one word with the question."""
    doubtful = {
        f.record.id for f in found if f.coverage > 0 and not shares_two(asking.question, f.coverage)
    }
    if not doubtful:
        return found
    from satchel.engine.search.calibration import chance_in, length_of, matches, signals_for

    index = store.index
    chance, length = chance_in(index), length_of(asking.question)
    hits = matches(index, store.view(asking.only), asking.question, chance.documents)
    alike = {f.record.id: f.evidence["alike"] for f in found if "alike" in f.evidence}
    near = {hit.number: alike[hit.document.id] for hit in hits if hit.document.id in alike}
    sure = {
        hit.document.id: chance.judge(signals, length)[1]
        for hit, signals in zip(hits, signals_for(hits, length, near), strict=True)
    }
    return [
        f._replace(evidence=f.evidence | {SURE: round(sure.get(f.record.id, 0.0), 3)})
        if f.record.id in doubtful
        else f
        for f in found
    ]


def _hits(asking: RecallRequest, store: Memories, only: Filter, meant: str) -> list[Match]:
    method, words = asking.method, f"{asking.question} {meant}".rstrip()
    limit = asking.limit * _WINDOW
    if method.name == FAST and method.code:
        return search_codes(words, store, limit, only, method.code)
    if method.name in (HYBRID, SEMANTIC) and method.vectors_of is not None:
        vectors = method.vectors_of(store.index)
        if vectors is not None:
            from satchel.application.recall.search.with_models import search_with_models

            return search_with_models(asking, store, limit, only, vectors)
    return search_words(words, store, limit, only)


def _holding(found: list[RecallHit], store: Memories, now: float) -> list[RecallHit]:
    """Drop facts superseded by a later answer to the same question.

    Two people writing separately may both have left theirs open.
    """
    if not any(f.record.kind == "fact" for f in found):
        return found
    from satchel.features.memories.facts import facts_at

    held = {fact.id for fact in facts_at(store.live(kinds=("fact",)), now)}
    return [f for f in found if f.record.kind != "fact" or f.record.id in held]


def _boosts(record: Record, scope: Scope, now: float) -> dict[str, float]:
    near = _PROXIMITY.get(proximity(record.task, record.epic, scope), 0.5)
    certain = 0.5 if record.confidence is None else record.confidence
    boosts = {
        "recency": bounded(_RECENCY, recency(now - record.when)),
        "scope": bounded(_SCOPE, near),
        "confidence": bounded(_CONFIDENCE, certain),
        "kind": bounded(_KIND, _KIND_WEIGHT.get(record.kind, 0.5)),
    }
    return {name: round(value, 4) for name, value in boosts.items()}


def _waiting(asking: RecallRequest) -> list[RecallHit]:
    found = []
    for record in asking.pending:
        if asking.only.kinds and record.kind not in asking.only.kinds:
            continue
        text = f"{record.title} {record.content} {' '.join(record.tags)}"
        share = coverage(asking.question, text)
        if share > 0 and record.kind not in _BACKGROUND:
            found.append(RecallHit(record, "inbox", share, share, {"coverage": round(share, 3)}))
    return sorted(found, key=lambda f: -f.score)
