"""Evolution: how the graph ages. Planned first, explained step by step, then applied."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from satchel.core.times import DAY
from satchel.core.values import Any, NamedTuple
from satchel.engine.ranking.decay import band, retention
from satchel.features.graph.evolution_settings import EvolutionSettings
from satchel.features.graph.near_duplicates import near_duplicates
from satchel.features.graph.operations import EXPIRE, MERGE, PRUNE, record
from satchel.features.graph.values import Entity, Relation
from satchel.storage.ledger.record import Record

#: Types that cannot both hold between the same two things.
_OPPOSED = (frozenset({"causes", "enables", "triggers"}), frozenset({"prevents", "solves"}))
#: Free types with one answer at a time: the newer statement ends the older one.
_SINGLE = frozenset(
    {"owned_by", "assigned_to", "located_in", "deployed_on", "reports_to", "status"}
)
_LINES = 400


class Step(NamedTuple):
    """A change: its target, its reason, and the operation's data."""

    kind: str
    what: str
    why: str
    data: dict[str, Any]


class EvolutionPlan(NamedTuple):
    """What a run would do, at `at` (Unix seconds).

    `bands` counts relations by retention level. `held_back` counts the changes that the cap leaves
    for a confirmed run. `important` holds the highest-ranked names with their share.
    """

    at: int
    steps: tuple[Step, ...] = ()
    bands: dict[str, int] = {}  # noqa: RUF012 -- values are never changed
    held_back: int = 0
    important: tuple[tuple[str, float], ...] = ()


def current_weight(relation: Relation, at: float, settings: EvolutionSettings) -> float:
    """Return a relation's weight at a time: its weight times its retention."""
    return relation.weight * retention_of(relation, at, settings)


def retention_of(relation: Relation, at: float, settings: EvolutionSettings) -> float:
    """Return the retention of a relation: see `ranking.decay`.

    It is 1 if decay is off, and for relations that a note's sidecar lists.
    """
    if not settings.decay or relation.listed:
        return 1.0
    return retention(
        at - relation.last_seen,
        relation.reinforcements,
        base_days=settings.base_stability_days,
        bonus=settings.reinforcement_bonus,
    )


def plan_evolution(
    entities: Sequence[Entity],
    relations: Sequence[Relation],
    together: Iterable[tuple[str, str, int]],
    settings: EvolutionSettings,
    at: float,
    *,
    confirmed: bool = False,
) -> EvolutionPlan:
    """Plan a run over everything visible. Changes nothing.

    Unless `confirmed`, at most `settings.prune_share` of the relations are ended or pruned,
    contradicted ones first, then the weakest; and at most the same share of the entities is
    removed, merged ones first.
    """
    bands = Counter(band(retention_of(r, at, settings), settings.bands) for r in relations)
    due = _endings(relations, settings, at) if settings.validity else []
    due += _prunings(relations, settings, at) if settings.pruning else []
    ended = list(dict.fromkeys(map(_triple, due)))
    most = len(ended) if confirmed else int(len(relations) * settings.prune_share)
    held_back = len(ended[most:])
    kept = set(ended[:most])
    steps = [step for step in due if _triple(step) in kept]
    pruned = {_triple(step) for step in steps if step.kind == "prune"}
    # A merge removes one of two entities, so it counts as a removal, as orphans do.
    gone = _mergings(entities, relations, pruned, together, settings)
    gone += _orphans(entities, relations, pruned, settings, at)
    most = len(gone) if confirmed else int(len(entities) * settings.prune_share)
    held_back += len(gone[most:])
    steps += gone[:most]
    return EvolutionPlan(int(at), tuple(steps), dict(bands), held_back)


def operations_of(plan: EvolutionPlan, run: str) -> list[Record]:
    """Convert a plan to ledger lines: one per kind of change, merges separately."""
    records = []
    ends: dict[int, list[Step]] = defaultdict(list)
    prunings: list[Step] = []
    for step in plan.steps:
        if step.kind == "expire":
            ends[step.data["at"]].append(step)
        elif step.kind == "merge":
            data = {"run": run, "into": step.data["into"], "from": [step.data["from"]]}
            said = f"{step.what}: {step.why}"
            records.append(record(MERGE, data, content=said, source="evolve"))
        else:
            prunings.append(step)
    for end, steps in sorted(ends.items()):
        data = {"run": run, "at": end, "relations": [step.data["relation"] for step in steps]}
        records.append(record(EXPIRE, data, content=_format_steps(steps), source="evolve"))
    for at in range(0, len(prunings), _LINES):
        some = prunings[at : at + _LINES]
        data = {
            "run": run,
            "relations": [s.data["relation"] for s in some if "relation" in s.data],
            "entities": [s.data["entity"] for s in some if "entity" in s.data],
        }
        records.append(record(PRUNE, data, content=_format_steps(some), source="evolve"))
    return records


def format_relation(relation: Relation) -> str:
    """Format a relation for people."""
    return f"{relation.source} -{relation.type}-> {relation.target}"


def _format_steps(steps: Sequence[Step]) -> str:
    more = f" and {len(steps) - 3} more" if len(steps) > 3 else ""  # noqa: PLR2004
    return "; ".join(f"{step.kind} {step.what}" for step in steps[:3]) + more


def _triple(step: Step) -> tuple[str, str, str]:
    source, kind, target = step.data["relation"]
    return (source, kind, target)


def _prunings(relations: Sequence[Relation], settings: EvolutionSettings, at: float) -> list[Step]:
    due = []
    for relation in relations:
        left = retention_of(relation, at, settings)
        weight = relation.weight * left
        faded = weight < settings.least_weight or left < settings.least_retention
        if faded and not relation.listed:
            days = max(0.0, at - relation.last_seen) / DAY
            why = (
                f"weighs {weight:.4f} after {days:.0f} days without being said again, "
                f"less than {settings.least_weight:g}"
            )
            if weight >= settings.least_weight:
                why = f"{left:.3f} of it is left, less than {settings.least_retention:g}"
            data = {"relation": list(relation.triple)}
            due.append(
                (weight, relation.triple, Step("prune", format_relation(relation), why, data))
            )
    return [step for _, _, step in sorted(due, key=lambda one: one[:2])]


def _endings(relations: Sequence[Relation], settings: EvolutionSettings, at: float) -> list[Step]:
    """End relations that a newer statement contradicts, or that were not restated for long."""
    steps: dict[tuple[str, str, str], Step] = {}
    standing = [r for r in relations if r.holds_at(at)]
    if settings.newer_wins:
        for older, newer in _conflicts(standing):
            if older.listed:
                continue
            begin = newer.valid_from if newer.valid_from is not None else newer.last_seen
            data = {"relation": list(older.triple), "at": max(begin, older.valid_from or 0)}
            why = f"{format_relation(newer)} is newer"
            steps.setdefault(older.triple, Step("expire", format_relation(older), why, data))
    for relation in standing:
        days = (at - relation.last_seen) / DAY
        old = settings.auto_expire_days and days > settings.auto_expire_days
        # Relations that were often restated outlive the limit until they have faded as well.
        if old and not relation.listed and retention_of(relation, at, settings) < settings.weak:
            end = relation.last_seen + int(settings.auto_expire_days * DAY)
            why = f"not said for {days:.0f} days, more than {settings.auto_expire_days:g}"
            data = {"relation": list(relation.triple), "at": end}
            steps.setdefault(relation.triple, Step("expire", format_relation(relation), why, data))
    return list(steps.values())


def _conflicts(relations: Sequence[Relation]) -> Iterable[tuple[Relation, Relation]]:
    """Return pairs (older, newer) that exclude each other."""
    ends: dict[tuple[str, str], list[Relation]] = defaultdict(list)
    single: dict[tuple[str, str], list[Relation]] = defaultdict(list)
    for relation in relations:
        source, kind, target = relation.triple
        ends[source, target].append(relation)
        if kind in _SINGLE:
            single[source, kind].append(relation)
    for group in ends.values():
        for one in group if len(group) > 1 else ():
            for other in group:
                if one.type in _OPPOSED[0] and other.type in _OPPOSED[1]:
                    yield from _by_age(one, other)
    for group in single.values():
        newest = max(group, key=lambda r: (r.last_seen, r.triple))
        for relation in group:
            if relation is not newest:
                yield from _by_age(relation, newest)


def _by_age(one: Relation, other: Relation) -> Iterable[tuple[Relation, Relation]]:
    if one.last_seen < other.last_seen:
        yield one, other
    elif other.last_seen < one.last_seen:
        yield other, one


def _mergings(
    entities: Sequence[Entity],
    relations: Sequence[Relation],
    pruned: set[tuple[str, str, str]],
    together: Iterable[tuple[str, str, int]],
    settings: EvolutionSettings,
) -> list[Step]:
    if not settings.consolidation:
        return []
    near: dict[str, set[str]] = defaultdict(set)
    for relation in relations:
        source, _, target = triple = relation.triple
        if triple not in pruned:
            near[source].add(target)
            near[target].add(source)
    found = near_duplicates(
        entities,
        near,
        together,
        similarity=settings.similarity,
        co_occurrence=settings.co_occurrence,
    )
    names = {entity.key: entity.name for entity in entities}
    return [
        Step(
            "merge",
            f"{names[one.key]} into {names[one.into]}",
            one.why,
            {"into": one.into, "from": one.key},
        )
        for one in found
    ]


def _orphans(
    entities: Sequence[Entity],
    relations: Sequence[Relation],
    pruned: set[tuple[str, str, str]],
    settings: EvolutionSettings,
    at: float,
) -> list[Step]:
    """Return forgotten entities: without relations and not named for long."""
    if not (settings.pruning and settings.orphans):
        return []
    linked = {
        end for r in relations if r.triple not in pruned for end in (r.triple[0], r.triple[2])
    }
    found = []
    for entity in sorted(entities, key=lambda e: (e.last_seen, e.key)):
        left = retention(
            at - entity.last_seen,
            entity.mentions - 1,
            base_days=settings.base_stability_days,
            bonus=settings.reinforcement_bonus,
        )
        if entity.key not in linked and not entity.listed and left < settings.forgotten:
            days = (at - entity.last_seen) / DAY
            why = f"nothing is related to it, and nobody named it for {days:.0f} days"
            found.append(Step("orphan", entity.name, why, {"entity": entity.key}))
    return found
