"""Keyword recall: BM25 order, bounded boosts, several stores fused by rank."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.ledger.record import Record
from satchel.memories.documents import record_of
from satchel.memories.service import Memories
from satchel.ranking.boosts import bounded, recency
from satchel.ranking.rank_fusion import reciprocal_rank_fusion
from satchel.recall.answers import Answer, Found
from satchel.scopes import EPIC, TASK, Scope, proximity
from satchel.search.index import Filter
from satchel.search.tokens import coverage

_RECENCY, _SCOPE, _CONFIDENCE, _KIND = 0.2, 0.6, 0.2, 0.1
_PROXIMITY = {TASK: 1.0, EPIC: 0.8}
#: Candidates that boosts may reorder, for each item asked for.
_WINDOW = 3
#: What sessions leave behind by themselves is not what people search for first.
_BACKGROUND = ("activity", "injection", "routing_decision")
_KIND_WEIGHT = {"constraint": 1.0, "decision": 0.9, "learned": 0.8, "fact": 0.8}


def recall(
    question: str,
    stores: Sequence[Memories],
    *,
    limit: int,
    only: Filter | None = None,
    scope: Scope | None = None,
    pending: Sequence[Record] = (),
) -> Answer:
    """Search every store and what still waits in the inbox.

    Args:
        question: any text; its telling words are searched.
        stores: project first, then user.
        limit: items wanted.
        only: which memories to consider.
        scope: where the question is asked from; nearer memories are preferred.
        pending: records of undrained events, searched in memory.
    """
    rankings = [
        _ranked(question, store, limit, only or Filter(), scope or Scope()) for store in stores
    ]
    waiting = _waiting(question, pending, only or Filter())
    if waiting:
        rankings.append(waiting)
    by_identity: dict[str, Found] = {}
    for ranking in rankings:
        for found in ranking:
            by_identity.setdefault(found.record.identity, found)
    if len(rankings) == 1:
        return Answer(question, tuple(rankings[0][:limit]), len(stores))
    fused = reciprocal_rank_fusion([[f.record.identity for f in r] for r in rankings])
    items = [by_identity[i]._replace(score=score) for i, score in fused[:limit]]
    return Answer(question, tuple(items), len(stores))


def _ranked(question: str, store: Memories, limit: int, only: Filter, scope: Scope) -> list[Found]:
    now = store.clock.now()
    only = only._replace(without=tuple(k for k in _BACKGROUND if k not in only.kinds))
    hits = store.index.search(question, store.sources, now=now, limit=limit * _WINDOW, only=only)
    found = []
    for hit in hits:
        record = record_of(hit.document)
        # FTS5 gives words that most documents hold a millionth: boosts must still count there.
        parts = {"bm25": max(hit.score, 1e-9), **_boosts(record, scope, now)}
        score = 1.0
        for part in parts.values():
            score *= part
        text = f"{record.title} {record.content} {' '.join(record.tags)}"
        found.append(Found(record, hit.source, score, coverage(question, text), parts))
    return _holding(sorted(found, key=lambda f: -f.score), store, now)


def _holding(found: list[Found], store: Memories, now: float) -> list[Found]:
    """Leave out facts that a later answer to the same question has ended.

    Two people who wrote apart may both have left theirs open.
    """
    if not any(f.record.kind == "fact" for f in found):
        return found
    from satchel.memories.facts import holding_at

    held = {fact.id for fact in holding_at(store.live(kinds=("fact",)), now)}
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


def _waiting(question: str, pending: Sequence[Record], only: Filter) -> list[Found]:
    found = []
    for record in pending:
        if only.kinds and record.kind not in only.kinds:
            continue
        share = coverage(question, f"{record.title} {record.content} {' '.join(record.tags)}")
        if share > 0 and record.kind not in _BACKGROUND:
            found.append(Found(record, "inbox", share, share, {"coverage": round(share, 3)}))
    return sorted(found, key=lambda f: -f.score)
