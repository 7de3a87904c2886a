"""The parts of the graph: entities, relations, memories, clusters, and when names mean the same."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from satchel.core.values import Any, NamedTuple
from satchel.engine.markdown import sidecars
from satchel.engine.search.tokens import stem, words_of

_ARTICLES = ("the", "a", "an")
#: Longest name to keep, characters.
LONGEST_NAME = sidecars.LONGEST_NAME


@lru_cache(maxsize=262_144)
def normal(name: str) -> str:
    """Normalize a name: lower-case words without an article.

    Names without a letter or a digit keep their characters: `++` is not `--`, and `C++`, `C#`
    and `C` are three names.
    """
    text = name.lower()
    if not text.isascii():
        # Both twice: either may undo the other.
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower())
    if text.endswith(("+", "#")) and " " not in text:
        return text
    words = words_of(text)
    while len(words) > 1 and words[0] in _ARTICLES:
        del words[0]
    return " ".join(words) or " ".join(text.split())


def tokens(name: str) -> frozenset[str]:
    """Return the stems of a normalized name's words."""
    return frozenset(map(stem, name.split()))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the Jaccard similarity of two names' words, 0 to 1."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


#: The closed list of relation types of learning notes. Other types are kept, but marked free.
RELATION_TYPES = sidecars.RELATION_TYPES
#: Types of entities: those of learning notes and sidecars, then those of an agents' fleet.
ENTITY_TYPES = (
    *sidecars.ENTITY_TYPES,
    "agent",
    "division",
    "component",
    "decision",
    "project",
    "company",
    "person",
)
#: A relation's weight if none is stated.
DEFAULT_WEIGHT = 0.5
_STRONGEST = 10
#: The origin of notes.
NOTE = "note"


class Entity(NamedTuple):
    """A node. `key` is its normalized name; times are Unix seconds.

    `importance` is its share of PageRank, scaled so that the most important has 1.
    `community` is -1 before there are communities. `listed` says that a note's sidecar lists it.
    """

    name: str
    type: str = "concept"
    description: str = ""
    aliases: tuple[str, ...] = ()
    attributes: dict[str, Any] = {}  # noqa: RUF012 -- values are never changed
    mentions: int = 0
    first_seen: int = 0
    last_seen: int = 0
    importance: float = 0.0
    community: int = -1
    listed: bool = False

    @property
    def key(self) -> str:
        """Return the key, shared by all spellings of the name."""
        return normal(self.name)


class Relation(NamedTuple):
    """A directed edge between two entities, by their display names.

    `weight` is 0 to 1, before any forgetting. `reinforcements` counts how often it was restated
    after the first time. `valid_from` and `valid_to` say when it is valid, None for always.
    `listed` says that a note's sidecar lists it: time does not change what a file says.
    """

    source: str
    target: str
    type: str = "relates_to"
    weight: float = DEFAULT_WEIGHT
    description: str = ""
    valid_from: int | None = None
    valid_to: int | None = None
    last_seen: int = 0
    reinforcements: int = 0
    first_seen: int = 0
    listed: bool = False

    @property
    def strength(self) -> int:
        """Return the weight on the sidecars' scale, 1 to 10."""
        return strength_of(self.weight)

    @property
    def free(self) -> bool:
        """Return whether the type is not in the closed list."""
        return self.type not in RELATION_TYPES

    @property
    def triple(self) -> tuple[str, str, str]:
        """Return the key that identifies a relation."""
        return (normal(self.source), self.type, normal(self.target))

    def holds_at(self, moment: float) -> bool:
        """Return whether the relation is valid at a time."""
        begun = self.valid_from is None or self.valid_from <= moment
        return begun and (self.valid_to is None or moment < self.valid_to)


class Memory(NamedTuple):
    """A text that the graph was drawn from: a note, a ledger record, an observation.

    `origin` is `note` (`NOTE`), `record` or `ingest`. `entities` are names.
    """

    id: str
    content: str
    origin: str = "ingest"
    title: str = ""
    source: str = ""
    agent: str = ""
    entities: tuple[str, ...] = ()
    ts: int = 0
    valid_from: int | None = None
    valid_to: int | None = None


class Cluster(NamedTuple):
    """A community: entities linked more with each other than with the rest.

    `level` 0 is the finest; `parent` is the number of the wider one that contains it, -1 for none.
    """

    number: int
    members: tuple[str, ...]
    title: str = ""
    report: str = ""
    level: int = 0
    parent: int = -1


class TextGraph(NamedTuple):
    """A text's entities and relations, from a sidecar or extraction."""

    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    explicit: bool = False


def relation_type(text: str) -> str:
    """Normalize a relation's type to the closed list; empty becomes `relates_to`."""
    return sidecars.normalize_type(text)


def weight_of(strength: float) -> float:
    """Convert a strength of 1 to 10 to a weight of 0 to 1."""
    return min(1.0, max(0.0, strength / _STRONGEST))


def strength_of(weight: float) -> int:
    """Convert a weight of 0 to 1 to a strength of 1 to 10."""
    return min(_STRONGEST, max(1, round(weight * _STRONGEST)))
