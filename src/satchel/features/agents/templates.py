"""The initial text of a new agent's files. Pure."""

from __future__ import annotations

from satchel.features.agents.values import DECISIONS, MEMORY, SOUL, USER

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
