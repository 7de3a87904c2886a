"""Graph search: by words (naive), by connections (local), by communities (global)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from satchel.core.errors import BadInputError
from satchel.core.values import NamedTuple
from satchel.engine.search.tokens import coverage, match_expression, words_of
from satchel.features.graph.passages import Passage, PassageGraph
from satchel.features.graph.store import GraphStore
from satchel.features.graph.values import Cluster, Memory, normal

NAIVE, LOCAL, GLOBAL = "naive", "local", "global"
MODES = (NAIVE, LOCAL, GLOBAL)
#: Above this many mentions, only the neighborhood of the seeds is walked.
_WHOLE = 60_000
_NEAR_TEXTS = 4_000
_SEEDS = 10
#: Finds texts for a question: (id, score) pairs, best first.
Find = Callable[[str, int], Sequence[tuple[str, float]]]


class GraphHit(NamedTuple):
    """A result. `path` lists the entities leading there, `cluster` a community's report."""

    score: float
    memory: Memory | None = None
    path: tuple[str, ...] = ()
    cluster: Cluster | None = None


class GraphAnswer(NamedTuple):
    """Results, best first; `mode` is the mode used, which may be the fallback."""

    question: str
    mode: str
    hits: tuple[GraphHit, ...] = ()
    entities: tuple[str, ...] = ()


def mode_named(text: str) -> str:
    """Return the mode if its name is valid."""
    if text not in MODES:
        raise BadInputError(
            f"There is no search mode {text[:40]!r}.", hint=f"Modes are {', '.join(MODES)}."
        )
    return text


def naive(
    store: GraphStore, question: str, *, limit: int, now: float, find: Find | None = None
) -> GraphAnswer:
    """Find texts by words, or with `find`."""
    hits = [GraphHit(score, memory) for memory, score in _found(store, question, limit, now, find)]
    return GraphAnswer(question, NAIVE, tuple(hits[:limit]))


def local(
    store: GraphStore, question: str, *, limit: int, now: float, find: Find | None = None
) -> GraphAnswer:
    """Find texts by connections; falls back to `naive` if nothing is connected.

    A personalized PageRank starts at the texts that the words find and at the entities that the
    question names.
    """
    found = _found(store, question, _SEEDS, now, find)
    best = max((score for _, score in found), default=0.0)
    seeds = {m.id: (s / best) ** 2 if best > 0 else 1.0 for m, s in found}
    graph = _graph_near(store, question, list(seeds))
    named = graph.named_in(question)
    scores = graph.rank(seeds, named)
    hits: list[GraphHit] = []
    for ident in sorted(scores, key=lambda one: (-scores[one], one)):
        memory = store.text(ident)
        # Lists of entities have no text of their own: they lead to answers, but are none.
        if memory is None or not (memory.title or memory.content):
            continue
        if memory.valid_to is not None and memory.valid_to <= now:
            continue
        others = [seed for seed in seeds if seed != ident]
        path = graph.path(ident, others if ident not in seeds else (), named)
        hits.append(GraphHit(scores[ident], memory, path))
        if len(hits) >= limit:
            break
    if not hits:
        return naive(store, question, limit=limit, now=now, find=find)
    return GraphAnswer(question, LOCAL, tuple(hits), tuple(named))


def global_(question: str, clusters: Sequence[Cluster], *, limit: int) -> GraphAnswer:
    """Find communities whose reports match the question; ties go to larger ones.

    A question that shares no words with any report gets no results.
    """
    asked = {normal(word) for word in words_of(question)}
    ranked = []
    for cluster in clusters:
        named = sum(1 for key in cluster.members if set(key.split()) <= asked)
        share = coverage(question, f"{cluster.title}\n{cluster.report}")
        score = share + min(1.0, named / 2)
        if score > 0.0:
            ranked.append((-score, -len(cluster.members), cluster.number, cluster))
    hits = [GraphHit(-score, cluster=cluster) for score, _, _, cluster in sorted(ranked)[:limit]]
    return GraphAnswer(question, GLOBAL, tuple(hits))


def _found(
    store: GraphStore, question: str, limit: int, now: float, find: Find | None
) -> list[tuple[Memory, float]]:
    if find is None:
        return store.match(match_expression(question), limit=limit, now=now)
    pairs = [(store.text(ident), score) for ident, score in find(question, limit)]
    return [(memory, score) for memory, score in pairs if memory is not None]


def _graph_near(store: GraphStore, question: str, seeds: Sequence[str]) -> PassageGraph:
    """Build the graph of all texts, or if there are very many, of those near the seeds."""
    near = _near(store, question, seeds) if store.mention_count() > _WHOLE else None
    return PassageGraph(passages_in(store, near))


def passages_in(store: GraphStore, ids: Sequence[str] | None = None) -> list[Passage]:
    """Return the texts of a graph, or those with these ids, with the entities that each names."""
    held: dict[str, list[str]] = {}
    for ident, key in store.named(ids):
        held.setdefault(ident, []).append(key)
    triples: dict[str, list[tuple[str, str, str]]] = {}
    for ident, source, kind, target in store.stated(ids):
        triples.setdefault(ident, []).append((source, kind, target))
    return [Passage(i, tuple(keys), tuple(triples.get(i, ()))) for i, keys in held.items()]


def _near(store: GraphStore, question: str, seeds: Sequence[str]) -> list[str]:
    """Return ids of texts at most two shared entities from the seeds or the question."""
    keys = set(_phrases(question))
    near = dict.fromkeys(seeds)
    for _ in range(2):
        keys.update(key for _, key in store.named(list(near)))
        some = sorted(keys)[:800]
        # Entities that nearly every text names connect nothing.
        for ident in store.texts_near(some, limit=_NEAR_TEXTS):
            near.setdefault(ident)
        if len(near) >= _NEAR_TEXTS:
            break
    return list(near)[:_NEAR_TEXTS]


def _phrases(question: str) -> list[str]:
    words = normal(question).split()
    return [" ".join(words[at : at + length]) for at in range(len(words)) for length in range(1, 5)]
