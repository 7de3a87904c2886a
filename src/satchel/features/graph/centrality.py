"""Importance and communities of entities. Derived, independent of the clock."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from satchel.features.graph import reports
from satchel.features.graph.curation import Curation
from satchel.features.graph.evolution import current_weight
from satchel.features.graph.evolution_settings import EvolutionSettings
from satchel.features.graph.reports import Centrality
from satchel.features.graph.store import GraphStore
from satchel.features.graph.values import Entity, Memory, Relation

#: Most texts to write one community's report from.
_TEXTS = 50
#: So that a forgotten relation still joins its ends.
_LEAST = 1e-9


def ensure_metrics(store: GraphStore, settings: EvolutionSettings) -> None:
    """Compute importance and communities with their reports, unless they are known.

    Relations are weighed as of the newest statement in the graph, so that the same graph has the
    same result whenever it is drawn.
    """
    if store.meta("standing"):
        return
    with store.database.transaction():
        entities, relations = store.entities(), store.relations()
        at = max((r.last_seen for r in relations), default=0)
        found = centrality_of(entities, relations, settings, at)
        by_key = {entity.key: entity for entity in entities}
        inside, texts = _inside(found, relations), _texts(store, found)
        clusters = [
            reports.report(c, by_key, inside.get(c.number, []), texts.get(c.number, []))
            for c in found.clusters
        ]
        store.put_metrics(found.importance, found.community, clusters)


def centrality_of(
    entities: Sequence[Entity],
    relations: Sequence[Relation],
    settings: EvolutionSettings,
    at: float,
) -> Centrality:
    """Rank and cluster entities, with relations weighted as of `at`, Unix seconds."""
    weights = {
        r.triple: max(_LEAST, current_weight(r, at, settings)) if settings.weighted else 1.0
        for r in relations
    }
    return reports.compute_metrics(
        entities,
        weights,
        damping=settings.damping,
        iterations=settings.iterations,
        convergence=settings.convergence,
    )


def _texts(store: GraphStore, standing: Centrality) -> dict[int, list[Memory]]:
    """Return the texts that name most members of each community, on every level."""
    curation = Curation(store.operations())
    lines = _lineages(standing)
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    for ident, key in store.named():
        for number in lines.get(standing.community.get(curation.key(key), -1), ()):
            counts[number][ident] += 1
    loaded: dict[str, Memory | None] = {}
    found: dict[int, list[Memory]] = {}
    for number, count in counts.items():
        ranked = []
        for ident in sorted(count, key=lambda one: (-count[one], one))[:_TEXTS]:
            if ident not in loaded:
                loaded[ident] = store.text(ident)
            text = loaded[ident]
            if text is not None and text.content:
                ranked.append(((-count[ident], -text.ts, ident), text))
        found[number] = [text for _, text in sorted(ranked, key=lambda pair: pair[0])]
    return found


def _lineages(standing: Centrality) -> dict[int, list[int]]:
    """Return each of the finest communities with the wider ones that contain it."""
    parents = {c.number: c.parent for c in standing.clusters}
    lines: dict[int, list[int]] = {}
    for finest in set(standing.community.values()):
        number = finest
        line = lines.setdefault(finest, [])
        while number >= 0:
            line.append(number)
            number = parents.get(number, -1)
    return lines


def _inside(standing: Centrality, relations: Iterable[Relation]) -> dict[int, list[Relation]]:
    """Group relations by the communities that contain both ends, on every level."""
    lines = _lineages(standing)
    inside: dict[int, list[Relation]] = defaultdict(list)
    for relation in relations:
        source, _, target = relation.triple
        one, other = (standing.community.get(key, -1) for key in (source, target))
        for number in lines.get(one, ()):
            if one == other or number in lines.get(other, ()):
                inside[number].append(relation)
    return inside
