"""Finds entities that are the same thing under two names, with reasons. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher

from satchel.core.values import NamedTuple
from satchel.features.graph.values import Entity, normal, overlap, tokens

#: A word that more names than this share is not used to compare them.
_COMMON = 60
#: Names are compared if this many first letters are the same.
_HEAD = 4
_SHORTEST = 4


class Duplicate(NamedTuple):
    """Two keys for the same thing: `key` is merged into `into`."""

    key: str
    into: str
    why: str


def near_duplicates(
    entities: Sequence[Entity],
    neighbours: Mapping[str, set[str]],
    together: Iterable[tuple[str, str, int]],
    *,
    similarity: float,
    co_occurrence: int,
) -> list[Duplicate]:
    """Return entities to merge, the less connected into the more connected.

    Two are the same if their letters are the same, if the name of one is an alias of the other, or
    if their names are at least `similarity` alike and either at least `co_occurrence` texts name
    both or the same entity is related to both. Names that differ in a number are never alike.
    """
    by_key = {entity.key: entity for entity in entities}
    met = {(min(a, b), max(a, b)): times for a, b, times in together if times >= co_occurrence}
    reasons: dict[tuple[str, str], str] = {}
    for one, other in _same_letters(by_key):
        reasons.setdefault((one, other), "the same letters")
    for one, other in _aliased(entities, by_key):
        reasons.setdefault((one, other), "the name of one is an alias of the other")
    for one, other in _candidates(list(by_key)):
        if (one, other) in reasons or not _same_sort(by_key[one], by_key[other]):
            continue
        alike = similar(one, other)
        if alike < similarity:
            continue
        shared = neighbours.get(one, set()) & neighbours.get(other, set())
        if (one, other) in met:
            times = met[one, other]
            reasons[one, other] = f"names {alike:.2f} alike, together in {times} texts"
        elif shared:
            reasons[one, other] = f"names {alike:.2f} alike, both related to {min(shared)}"
    return _directed(reasons, by_key, neighbours)


def similar(one: str, other: str) -> float:
    """Return the similarity of two normalized names, 0 to 1; 0 if their numbers differ."""
    if _digits(one) != _digits(other):
        return 0.0
    words = overlap(tokens(one), tokens(other))
    if words >= 1.0:
        return 1.0
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    letters = matcher.ratio() if matcher.real_quick_ratio() > words else 0.0
    return max(words, letters)


def _directed(
    reasons: Mapping[tuple[str, str], str],
    by_key: Mapping[str, Entity],
    neighbours: Mapping[str, set[str]],
) -> list[Duplicate]:
    """Make every chain of duplicates end in its most connected member."""
    root: dict[str, str] = {}

    def top(key: str) -> str:
        while key in root:
            key = root[key]
        return key

    found = []
    for (one, other), why in sorted(reasons.items()):
        first, second = top(one), top(other)
        if first == second:
            continue

        def weight(key: str) -> tuple[int, int, str]:
            return (-len(neighbours.get(key, ())), -by_key[key].mentions, key)

        into, key = sorted((first, second), key=weight)
        root[key] = into
        found.append(Duplicate(key, into, why))
    return [one._replace(into=top(one.key)) for one in found]


def _same_letters(by_key: Mapping[str, Entity]) -> Iterable[tuple[str, str]]:
    glued: dict[str, list[str]] = defaultdict(list)
    for key in by_key:
        glued[key.replace(" ", "")].append(key)
    for letters, keys in glued.items():
        if len(letters) >= _SHORTEST:
            for other in sorted(keys)[1:]:
                yield min(keys), other


def _aliased(entities: Sequence[Entity], by_key: Mapping[str, Entity]) -> Iterable[tuple[str, str]]:
    for entity in entities:
        for alias in map(normal, entity.aliases):
            if alias in by_key and alias != entity.key:
                yield min(alias, entity.key), max(alias, entity.key)


def _candidates(keys: Sequence[str]) -> list[tuple[str, str]]:
    """Return pairs worth comparing: with a common rare word, or start and length alike."""
    groups: dict[str, list[str]] = defaultdict(list)
    for key in keys:
        if len(key) >= _SHORTEST:
            for word in tokens(key):
                groups[word].append(key)
            groups["^" + key[:_HEAD]].append(key)
    pairs = set()
    for group in groups.values():
        if len(group) <= _COMMON:
            members = sorted(group)
            for at, one in enumerate(members):
                for other in members[at + 1 :]:
                    if 2 * min(len(one), len(other)) > max(len(one), len(other)):
                        pairs.add((one, other))
    return sorted(pairs)


def _same_sort(one: Entity, other: Entity) -> bool:
    """Return whether types are compatible: errors and functions differ; concepts match any."""
    return one.type == other.type or "concept" in (one.type, other.type)


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())
