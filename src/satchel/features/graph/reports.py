"""Communities and their reports, without a model: names, relations, texts, words. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from satchel.core.values import NamedTuple
from satchel.engine.ranking.communities import leiden
from satchel.engine.ranking.pagerank import Walk
from satchel.engine.search.tokens import distinctive_words
from satchel.features.graph.values import Cluster, Entity, Memory, Relation

_MEMBERS = 8
_RELATIONS = 5
_TEXTS = 4
_TERMS = 8
_SHORTEST_TERM = 4


class Centrality(NamedTuple):
    """Importance by key, 1 for the most important; community by key; all communities."""

    importance: dict[str, float]
    community: dict[str, int]
    clusters: tuple[Cluster, ...]


def compute_metrics(
    entities: Sequence[Entity],
    weights: Mapping[tuple[str, str, str], float],
    *,
    damping: float = 0.85,
    iterations: int = 20,
    convergence: float = 1e-4,
) -> Centrality:
    """Rank entities by PageRank and cluster them into communities.

    Args:
        weights: (source, type, target) -> weight greater than 0.
        damping: see `Walk.rank`; so are `iterations` and `convergence`.
    """
    keys = sorted(entity.key for entity in entities)
    if not keys:
        return Centrality({}, {}, ())
    place = {key: n for n, key in enumerate(keys)}
    links = sorted((t, w) for t, w in weights.items() if t[0] in place and t[2] in place and w > 0)
    ends = [(place[t[0]], place[t[2]]) for t, _ in links]
    walk = Walk(
        [one for one, _ in ends],
        [other for _, other in ends],
        [weight for _, weight in links],
        len(keys),
    )
    shares = walk.rank(damping=damping, iterations=iterations, tolerance=convergence)
    most = float(shares.max()) or 1.0
    importance = {key: round(float(shares[n]) / most, 9) for key, n in place.items()}
    levels = leiden((t[0], t[2], weight) for t, weight in links)
    members: dict[int, list[str]] = defaultdict(list)
    depth: dict[int, int] = {}
    parent: dict[int, int] = {}
    for n, level in enumerate(levels):
        for key, number in level.items():
            if depth.setdefault(number, n) == n:
                members[number].append(key)
                parent[number] = levels[n - 1][key] if n else -1
    deepest = len(levels) - 1
    clusters = tuple(
        Cluster(
            number,
            tuple(sorted(members[number], key=lambda key: (-importance[key], key))),
            level=deepest - depth[number],
            parent=parent[number],
        )
        for number in sorted(members)
    )
    return Centrality(importance, levels[-1] if levels else {}, clusters)


def report(
    cluster: Cluster,
    entities: Mapping[str, Entity],
    relations: Iterable[Relation],
    texts: Sequence[Memory],
) -> Cluster:
    """Write a community's title and report.

    Args:
        cluster: with its members, most important first.
        relations: those with both ends in it.
        texts: those that name its members, the ones naming the most of them first.
    """
    names = [entities[key].name for key in cluster.members if key in entities]
    inside = sorted(relations, key=lambda r: (-r.weight, -r.reinforcements, r.triple))
    title = ", ".join(names[:3])
    more = f" and {len(names) - _MEMBERS} more" if len(names) > _MEMBERS else ""
    lines = [f"{len(names)} entities: {', '.join(names[:_MEMBERS])}{more}."]
    kinds = Counter(entities[key].type for key in cluster.members if key in entities)
    lines.append("Kinds: " + _counted(kinds) + ".")
    if inside:
        lines.append("Relations: " + _counted(Counter(r.type for r in inside)) + ".")
        lines += [
            f"- {r.source} {r.type.replace('_', ' ')} {r.target}"
            + (f": {r.description}" if r.description else "")
            for r in inside[:_RELATIONS]
        ]
    if texts:
        lines.append(f"Notes ({len(texts)}):")
        lines += [f"- {_headline(text)} [{text.id}]" for text in texts[:_TEXTS]]
    terms = _terms(texts, names)
    if terms:
        lines.append("Words: " + ", ".join(terms) + ".")
    return cluster._replace(title=title, report="\n".join(lines))


def _counted(counts: Counter[str]) -> str:
    pairs = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{name} {count}" for name, count in pairs)


def _headline(text: Memory) -> str:
    return (text.title or " ".join(text.content.split()))[:90]


def _terms(texts: Sequence[Memory], names: Sequence[str]) -> list[str]:
    """Return words that most texts contain and no member is named after."""
    said = {word for name in names for word in name.lower().split()}
    counts: Counter[str] = Counter()
    for text in texts[:50]:
        counts.update(set(distinctive_words(f"{text.title} {text.content[:4000]}")) - said)
    rare = [(w, n) for w, n in counts.items() if len(w) >= _SHORTEST_TERM and not w.isdigit()]
    return [w for w, _ in sorted(rare, key=lambda pair: (-pair[1], pair[0]))[:_TERMS]]
