"""Finding sections of an intent by their anchors, and what stands below them. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from satchel.features.intent.values import Intent, IntentSection


def find_section(intent: Intent, anchor: str) -> IntentSection | None:
    """Return the section of an anchor: by the anchor itself, else by the path of its titles."""
    wanted = anchor.strip().lower()
    for section in intent.sections:
        if section.anchor == wanted:
            return section
    for section in intent.sections:
        if wanted and (section.path == wanted or section.path.endswith("." + wanted)):
            return section
    return None


def below(intent: Intent, number: int) -> Iterator[IntentSection]:
    """Yield the sections under one, at any depth, in the order of the document."""
    inside = {number}
    for section in intent.sections:
        if section.parent in inside:
            inside.add(section.number)
            yield section


def name_of(section: IntentSection) -> str:
    """Return what a section is called in commands: its anchor, or the path of its titles."""
    return section.anchor or section.path
