"""The contents of identity files, and the initial text of a new agent's. Values."""

from __future__ import annotations

from satchel.core.values import NamedTuple
from satchel.engine.markdown.sections import lines_of, sections

SOUL, USER, IDENTITY, MEMORY, DECISIONS = "SOUL", "USER", "IDENTITY", "MEMORY", "DECISIONS"
#: Files read at every session's start, and only on request.
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

    `must_not` are the forbidding boundaries, told in JSON; `sections` are all sections unchanged.
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


TEMPLATES = {
    SOUL: """# Agent: {name}

## Role

What this agent is for.

## Personality

- How it works and speaks.

## Capabilities

- name — what it does with it

## Boundaries

- Must NOT …

## Communication Style

- How it reports.
""",
    MEMORY: """# {name}: memory

## Preferences

| Category | Key | Value | Notes |
|---|---|---|---|

## Context

| Context Type | Description |
|---|---|

## Facts

| Category | Subject | Predicate | Object | Confidence |
|---|---|---|---|---|
""",
    DECISIONS: """# {name}: decisions

## Decision Log

| Date | Topic | Decision | Rationale | Alternatives Considered |
|---|---|---|---|---|
""",
}
USER_TEMPLATE = """# User

## Preferences

- How this person wants things.
"""
_EVERY = {**TEMPLATES, USER: USER_TEMPLATE}
#: Lines that only hold a place.
_PLACES = frozenset(
    line.strip() for text in _EVERY.values() for line in text.splitlines() if line.strip()
)


def is_untouched(text: str) -> bool:
    """Return whether a file, or a section, still has only its initial text."""
    said = [line.strip() for line in text.splitlines()]
    return all(not line or line in _PLACES or line.startswith("# ") for line in said)


_DASHES = (" — ", " \u2013 ", " - ", ": ")
_FORBIDS = ("must not", "must never", "never ", "do not", "don't", "may not", "cannot")


def parts_of(text: str) -> list[Part]:
    """Split a file into sections, including the text before the first heading."""
    found = []
    for section in sections(text):
        lines = list(lines_of(text[section.start : section.end]))
        body = [line.text for line in lines[1 if section.level else 0 :]]
        told = "\n".join(body).strip()
        if section.title or told:
            items = tuple(item for item in map(_item, body) if item)
            found.append(Part(section.title, told, items))
    return found


def read_soul(text: str, name: str) -> Soul:
    """Read the known sections of a SOUL.md; others are left as text."""
    parts = parts_of(text)
    titled = next((p.title for p in parts if p.title.lower().startswith("agent:")), "")
    boundaries = _items_of(parts, "boundaries", "limits", "constraints")
    return Soul(
        name=titled.partition(":")[2].strip() or name,
        role=_text_of(parts, "role"),
        division=_text_of(parts, "division"),
        capabilities=tuple(map(_capability, _items_of(parts, "capabilities"))),
        boundaries=boundaries,
        must_not=tuple(b for b in boundaries if b.lower().lstrip("*_ ").startswith(_FORBIDS)),
        sections=tuple(parts),
    )


def _part(parts: list[Part], *names: str) -> Part | None:
    for name in names:
        for part in parts:
            if part.title.lower().strip(" *_:#").startswith(name):
                return part
    return None


def _text_of(parts: list[Part], *names: str) -> str:
    part = _part(parts, *names)
    return part.text if part is not None else ""


def _items_of(parts: list[Part], *names: str) -> tuple[str, ...]:
    part = _part(parts, *names)
    if part is None:
        return ()
    return part.items or tuple(line.strip() for line in part.text.split("\n") if line.strip())


def _item(line: str) -> str:
    text = line.strip()
    for mark in ("- ", "* ", "+ "):
        if text.startswith(mark):
            return text[len(mark) :].strip()
    number, dot, rest = text.partition(". ")
    return rest.strip() if dot and number.isdigit() else ""


def _capability(item: str) -> Capability:
    for dash in _DASHES:
        name, found, description = item.partition(dash)
        if found:
            return Capability(name.strip("*_` "), description.strip())
    return Capability(item.strip("*_` "))
