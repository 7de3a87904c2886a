"""The parts of a project's intent. Values."""

from __future__ import annotations

from satchel.core.values import NamedTuple

PRIMARY, RELATED = "primary", "related"
RELEVANCES = (PRIMARY, RELATED)


class IntentSection(NamedTuple):
    """A heading and its text, up to the next heading.

    `anchor` is the path of its `{#anchor:…}`, or "". `path` are the slugs of the titles from the
    outermost heading to this one, joined by dots. `parent` is the number of the section above, -1
    for none. `line` counts from 1 in the file. Level 0 is the text before the first heading.
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
