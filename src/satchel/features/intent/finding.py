"""Finds an intent's sections by anchor, and their subsections. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from satchel.features.intent.values import Intent, IntentSection


def find_section(intent: Intent, anchor: str) -> IntentSection | None:
    """Return a section by its anchor, or by its path of titles."""
    wanted = anchor.strip().lower()
    for section in intent.sections:
        if section.anchor == wanted:
            return section
    for section in intent.sections:
        if wanted and (section.path == wanted or section.path.endswith("." + wanted)):
            return section
    return None


def below(intent: Intent, number: int) -> Iterator[IntentSection]:
    """Yield a section's subsections, at any depth, in document order."""
    inside = {number}
    for section in intent.sections:
        if section.parent in inside:
            inside.add(section.number)
            yield section


def name_of(section: IntentSection) -> str:
    """Return a section's name in commands: its anchor, or its path of titles."""
    return section.anchor or section.path
