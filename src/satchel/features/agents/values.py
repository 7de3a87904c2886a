"""What agents' identity files hold. Values."""

from __future__ import annotations

from satchel.core.values import NamedTuple

SOUL, USER, IDENTITY, MEMORY, DECISIONS = "SOUL", "USER", "IDENTITY", "MEMORY", "DECISIONS"
#: Read at every session's start, and only when asked for.
EAGER, ON_REQUEST = (SOUL, USER, IDENTITY), (MEMORY, DECISIONS)
FILES = (*EAGER, *ON_REQUEST)


class IdentityFile(NamedTuple):
    """One file: which it is, where it lies, what it says. `shared` by every agent of a place."""

    label: str
    path: str
    text: str
    shared: bool = False


class Part(NamedTuple):
    """One section of a file: its heading, its text, and its list items."""

    title: str
    text: str
    items: tuple[str, ...] = ()


class Capability(NamedTuple):
    """What an agent can do: a name, and how it is described."""

    name: str
    description: str = ""


class Soul(NamedTuple):
    """Who an agent is, as far as its SOUL.md says it in the sections of The Foundation.

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
    """A table of Markdown below a heading: its columns, and rows of as many cells."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Decision(NamedTuple):
    """One decision of an agent, with why, and what else was considered."""

    topic: str
    decision: str
    rationale: str
    alternatives: tuple[str, ...] = ()
    applies_to: str = ""


class IdentityHit(NamedTuple):
    """A part of an identity file that answers a question; `score` is from 0 to 1."""

    agent: str
    label: str
    path: str
    title: str
    text: str
    score: float
