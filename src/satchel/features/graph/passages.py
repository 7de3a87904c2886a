"""A graph of passages and their entities: which passages are connected to a question.

The method is HippoRAG (Gutierrez and others, NeurIPS 2024) with passages as nodes of their own: a
personalized PageRank starts at the passages found by words and at the entities that the question
names, and follows the connections.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

from satchel.core.values import NamedTuple, cached_property
from satchel.engine.ranking.pagerank import DAMPING, Walk
from satchel.features.graph.values import normal, overlap, tokens

#: Titles shorter than this are treated like any other words.
_SHORTEST = 4
#: Punctuation that belongs to the text around a name, not to the name.
_AROUND = ".,:;!?()[]{}\"'`*_"
#: First word of a title -> number of its words -> titles.
_ByFirst = dict[str, dict[int, set[tuple[str, ...]]]]
_NONE: dict[int, set[tuple[str, ...]]] = {}


def linked_by_title(rows: Iterable[tuple[str, str, str]]) -> Iterator[Passage]:
    """Yield the titles that each (id, title, text) names: its own and others'.

    A title's addition in brackets, "Mercury (planet)", is not part of the name.
    """
    held = [(ident, _plain(title), text) for ident, title, text in rows]
    by_first: _ByFirst = {}
    for title in dict.fromkeys(title for _, title, _ in held if len(title) >= _SHORTEST):
        words = tuple(title.split())
        by_first.setdefault(words[0], {}).setdefault(len(words), set()).add(words)
    for ident, title, text in held:
        names = [title] if len(title) >= _SHORTEST else []
        yield Passage(ident, tuple(dict.fromkeys([*names, *_named_in(text, by_first)])))


def _named_in(text: str, by_first: _ByFirst) -> Iterator[str]:
    words = [bare for word in text.lower().split() if (bare := word.strip(_AROUND))]
    for place, word in enumerate(words):
        # "Italy's" names Italy.
        for first in (word, word[:-2]) if word.endswith("'s") else (word,):
            for length, names in by_first.get(first, _NONE).items():
                name = (first, *words[place + 1 : place + length])
                if name in names:
                    yield " ".join(name)
                elif name[-1].endswith("'s"):
                    name = (*name[:-1], name[-1].removesuffix("'s"))
                    if name in names:
                        yield " ".join(name)


def _plain(title: str) -> str:
    name = title.partition(" (")[0] if title.rstrip().endswith(")") else title
    return " ".join(word for w in name.lower().split() if (word := w.strip(_AROUND)))


#: A word shared by more names than this does not tell which of them are alike.
_COMMON = 40
#: Names that share at least this much of their words are linked, Jaccard.
_ALIKE = 0.5
#: Longest name looked for in a question, words.
_LONGEST = 8
#: Ranks settle long before values do.
_ITERATIONS = 24
#: Passages found by words have their own ranking; the walk is for connections by name.
PASSAGE_SHARE = 0.3
_TOLERANCE = 1e-3


class Passage(NamedTuple):
    """A passage's contents: its id, entities, and (subject, predicate, object) triples."""

    id: str
    entities: tuple[str, ...] = ()
    triples: tuple[tuple[str, str, str], ...] = ()


class PassageGraph:
    """Passages, normalized entities and their links. Built once, queried many times.

    Args:
        passages: what each passage names. A repeated id is one passage.
    """

    def __init__(self, passages: Iterable[Passage]) -> None:
        self.passages: list[str] = []
        #: Normalized name -> its position among the entities.
        self.entities: dict[str, int] = {}
        self._number: dict[str, int] = {}
        self._held: list[set[int]] = []
        links: dict[tuple[int, int], float] = defaultdict(float)
        for passage in passages:
            self._add(passage, links)
        names = list(self.entities)
        self._names = names
        self._spread = [0] * len(names)
        for held in self._held:
            for entity in held:
                self._spread[entity] += 1
        for one, other, alike in _synonyms(names):
            links[one, other] += alike
        self._walk = self._walk_over(links)
        self._links = links

    def _add(self, passage: Passage, links: dict[tuple[int, int], float]) -> None:
        number = self._number.get(passage.id)
        if number is None:
            number = self._number[passage.id] = len(self.passages)
            self.passages.append(passage.id)
            self._held.append(set())
        held = self._held[number]
        held.update(self._entities_of(passage.entities))
        for subject, _, object_ in passage.triples:
            ends = self._entities_of((subject, object_))
            held.update(ends)
            if len(ends) == 2 and ends[0] != ends[1]:  # noqa: PLR2004
                links[min(ends), max(ends)] += 1.0

    def _entities_of(self, names: Iterable[str]) -> list[int]:
        known = self.entities
        found = (normal(name) for name in names)
        return [known.setdefault(name, len(known)) for name in found if name]

    def _walk_over(self, links: dict[tuple[int, int], float]) -> Walk:
        import numpy as np

        # Nodes: passages first, then entities.
        first = len(self.passages)
        ones = [p for p, held in enumerate(self._held) for _ in held]
        others = [first + e for held in self._held for e in held]
        weights = [1.0] * len(ones)
        ones += [first + one for one, _ in links]
        others += [first + other for _, other in links]
        weights += links.values()
        sources = np.array([*ones, *others], dtype=np.int64)
        targets = np.array([*others, *ones], dtype=np.int64)
        return Walk(sources, targets, [*weights, *weights], first + len(self.entities))

    def named_in(self, question: str) -> dict[str, float]:
        """Return the entities that a question names, with their specificity.

        The longest name at each place counts. Specificity is 1 / number of passages that contain
        the entity.
        """
        words = normal(question).split()
        found: dict[str, float] = {}
        at = 0
        while at < len(words):
            for length in range(min(_LONGEST, len(words) - at), 0, -1):
                name = " ".join(words[at : at + length])
                entity = self.entities.get(name)
                if entity is not None and (length > 1 or _telling(name)):
                    found[name] = 1.0 / max(1, self._spread[entity])
                    at += length - 1
                    break
            at += 1
        return found

    def spread(self, name: str) -> int:
        """Return the number of passages that contain an entity."""
        entity = self.entities.get(normal(name))
        return 0 if entity is None else self._spread[entity]

    def rank(
        self, seeds: Mapping[str, float], entity_seeds: Mapping[str, float] | None = None
    ) -> dict[str, float]:
        """Score every passage that a walk from the seeds reaches.

        Args:
            seeds: passage id -> weight greater than 0, for example 1 / rank in a search by words.
            entity_seeds: name -> weight, for example of `named_in`. Unknown names are left out.

        Returns:
            Passage id -> share of the walk, summing to less than 1. Empty without a known seed.
        """
        import numpy as np

        first = len(self.passages)
        restart = np.zeros(self._walk.count)
        for ident, weight in seeds.items():
            if ident in self._number:
                restart[self._number[ident]] += weight
        for name, weight in (entity_seeds or {}).items():
            entity = self.entities.get(normal(name))
            if entity is not None:
                restart[first + entity] += weight
        if not restart.any():
            return {}
        # Each side gets its share, whatever the scale of its scores.
        restart[:first] *= PASSAGE_SHARE / (restart[:first].sum() or 1.0)
        restart[first:] *= (1.0 - PASSAGE_SHARE) / (restart[first:].sum() or 1.0)
        shares = self._walk.rank(
            restart, damping=DAMPING, iterations=_ITERATIONS, tolerance=_TOLERANCE
        )[:first]
        reached = np.flatnonzero(shares > 0.0)
        return {self.passages[at]: float(shares[at]) for at in reached.tolist()}

    def path(
        self, passage: str, seeds: Iterable[str], entity_seeds: Iterable[str] = ()
    ) -> tuple[str, ...]:
        """Return the entities on a shortest path from a seed to a passage, or ()."""
        goal = self._number.get(passage)
        if goal is None:
            return ()
        near = self._neighbours
        first = len(self.passages)
        starts = [first + self.entities[n] for n in map(normal, entity_seeds) if n in self.entities]
        starts += [self._number[s] for s in seeds if s in self._number and s != passage]
        came: dict[int, int] = dict.fromkeys(starts, -1)
        queue = deque(starts)
        while queue:
            node = queue.popleft()
            if node == goal:
                return self._way_back(node, came)
            for other in near[node]:
                if other not in came:
                    came[other] = node
                    queue.append(other)
        return ()

    def _way_back(self, node: int, came: dict[int, int]) -> tuple[str, ...]:
        first, way = len(self.passages), []
        while node >= 0:
            if node >= first:
                way.append(self._names[node - first])
            node = came[node]
        return tuple(reversed(way))

    @cached_property
    def _neighbours(self) -> dict[int, list[int]]:
        near: dict[int, list[int]] = defaultdict(list)
        first = len(self.passages)
        for number, held in enumerate(self._held):
            for entity in sorted(held):
                near[number].append(first + entity)
                near[first + entity].append(number)
        for one, other in self._links:
            near[first + one].append(first + other)
            near[first + other].append(first + one)
        return near


def _telling(name: str) -> bool:
    from satchel.engine.search.tokens import COMMON

    return len(name) > 1 and name not in COMMON


def _synonyms(names: Sequence[str]) -> list[tuple[int, int, float]]:
    """Return pairs of names with overlapping words. Compares only rare words."""
    stems = [tokens(name) for name in names]
    holders: dict[str, list[int]] = defaultdict(list)
    for number, held in enumerate(stems):
        for word in held:
            holders[word].append(number)
    found = []
    for number, held in enumerate(stems):
        near = {n for w in held if len(holders[w]) <= _COMMON for n in holders[w] if n > number}
        for other in sorted(near):
            alike = overlap(held, stems[other])
            if alike >= _ALIKE:
                found.append((number, other, alike))
    return found
