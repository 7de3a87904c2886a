"""The parts of soft rules. Values."""

from __future__ import annotations

from satchel.core.values import NamedTuple
from satchel.engine.markdown.yaml_entries import Entry, Listing

#: The field of the file that holds the list.
FIELD = "instincts"
SCOPES = ("project", "domain", "universal")
CATEGORIES = ("tooling", "style", "api", "testing", "architecture", "convention")
#: An instinct's evidence, and its initial confidence.
EVIDENCE = {"correction": 0.7, "approval": 0.5, "repeated": 0.5, "single": 0.3}
#: What was done to an instinct.
ADDED, REINFORCED, CONTRADICTED, DECAYED, PROMOTED, PRUNED = (
    "added",
    "reinforced",
    "contradicted",
    "decayed",
    "promoted",
    "pruned",
)


class NewInstinct(NamedTuple):
    """A rule to add: `confidence` None means by evidence, or 0.5 without any."""

    rule: str
    evidence: str = ""
    confidence: float | None = None
    scope: str = "project"
    category: str = "convention"
    source: str = ""
    tags: tuple[str, ...] = ()


class Instinct(NamedTuple):
    """A rule as in its file. Dates are ISO texts, "" if missing.

    `decayed_to` is the day up to which decay has been applied; `promoted` is the learning note it
    became, "" for none. `line` is its line, from 1.
    """

    id: str
    rule: str
    confidence: float
    scope: str
    category: str
    created: str
    last_reinforced: str
    reinforcement_count: int
    source: str
    tags: tuple[str, ...]
    promoted: str
    decayed_to: str
    line: int


class ParsedInstincts(NamedTuple):
    """A parsed file: its rules in order, and its problems."""

    listing: Listing
    instincts: tuple[Instinct, ...]
    entries: tuple[Entry, ...]
    problems: tuple[str, ...]


class Change(NamedTuple):
    """A change to a rule: its confidence before and after."""

    id: str
    what: str
    before: float
    after: float
    rule: str
    detail: str = ""


class Edit(NamedTuple):
    """A new text of the file, and its changes."""

    text: str
    changes: tuple[Change, ...]
