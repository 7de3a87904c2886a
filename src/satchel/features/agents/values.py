"""The contents of identity files. Values."""

from __future__ import annotations

from satchel.core.values import NamedTuple

SOUL, USER, IDENTITY, MEMORY, DECISIONS = "SOUL", "USER", "IDENTITY", "MEMORY", "DECISIONS"
#: Read at every session's start, and only when asked for.
EAGER, ON_REQUEST = (SOUL, USER, IDENTITY), (MEMORY, DECISIONS)
FILES = (*EAGER, *ON_REQUEST)


class IdentityFile(NamedTuple):
    """An identity file: its label, path and text; `shared` by every agent of a place."""

    label: str
    path: str
    text: str
    shared: bool = False


class Part(NamedTuple):
    """A section of a file: its heading, its text, and its list items."""

    title: str
    text: str
    items: tuple[str, ...] = ()


class Capability(NamedTuple):
    """A capability of an agent: its name and description."""

    name: str
    description: str = ""


class Soul(NamedTuple):
    """Who an agent is, according to SOUL.md in The Foundation's sections.

    `must_not` are the boundaries that forbid; `sections` are all of them as they stand.
    """

    name: str
    role: str = ""
    division: str = ""
    capabilities: tuple[Capability, ...] = ()
    boundaries: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    sections: tuple[Part, ...] = ()


class Table(NamedTuple):
    """A Markdown table below a heading: its columns, and rows with as many cells."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Decision(NamedTuple):
    """An agent's decision, with its reason and the alternatives considered."""

    topic: str
    decision: str
    rationale: str
    alternatives: tuple[str, ...] = ()
    applies_to: str = ""


class IdentityHit(NamedTuple):
    """A section that answers a question; `score` is from 0 to 1."""

    agent: str
    label: str
    path: str
    title: str
    text: str
    score: float
