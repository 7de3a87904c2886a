"""The parts of a project's intent, and finding one by its anchor."""

from __future__ import annotations

from collections.abc import Iterator

from satchel.core.values import NamedTuple

PRIMARY, RELATED = "primary", "related"
RELEVANCES = (PRIMARY, RELATED)


class IntentSection(NamedTuple):
    """A heading and its text, up to the next heading.

    `anchor` is the path of its `{#anchor:…}`, or "". `path` are the slugs of the titles from the
    outermost heading to this one, joined by dots. `parent` is the number of the section above,
    -1 for none. `line` counts from 1 in the file. Level 0 is what stands before every heading.
    """

    number: int
    level: int
    title: str
    anchor: str
    path: str
    parent: int
    line: int
    body: str


class Problem(NamedTuple):
    """A problem with the document or the links: its kind, its line, and what to do."""

    kind: str
    line: int
    text: str
    hint: str


class Intent(NamedTuple):
    """A parsed document. `hash` is that of its bytes."""

    version: str
    created_at: str
    updated_at: str
    sections: tuple[IntentSection, ...]
    problems: tuple[Problem, ...]
    hash: str


class Link(NamedTuple):
    """The link of a task to a section. Beads Console's fields; `added_at` is ISO 8601."""

    task: str
    anchor: str
    relevance: str = PRIMARY
    added_at: str = ""
    added_by: str = "user"
    note: str = ""


class Excerpt(NamedTuple):
    """The part of an intent that an agent is shown.

    `shown` and `omitted` are numbers of sections; `linked` are the anchors that were marked.
    """

    text: str
    tokens: int
    shown: tuple[int, ...]
    omitted: tuple[int, ...]
    linked: tuple[str, ...]


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
