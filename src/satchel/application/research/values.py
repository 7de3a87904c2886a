"""Values of research."""

from __future__ import annotations

from satchel.core.values import NamedTuple

LEARNINGS, MEMORIES, DOCS, CODE, WEB = SOURCES = ("learnings", "memories", "docs", "code", "web")


class Finding(NamedTuple):
    """One thing that one source knows: where it can be read, when it was written (0: unknown)."""

    source: str
    title: str
    text: str
    place: str
    score: float = 0.0
    at: float = 0.0


class Report(NamedTuple):
    """How one source did: findings, milliseconds, and why it has none where something failed."""

    source: str
    found: int
    milliseconds: float
    why: str = ""


class Conflict(NamedTuple):
    """Two findings that cannot both hold: the sentences, and what is taken for the difference."""

    one: Finding
    said: str
    other: Finding
    against: str
    why: str


class Dossier(NamedTuple):
    """The answer to one research question.

    `commit` is the one that was checked out, "" outside git. `summary` is written by a model if
    `written_by` names one, else taken from the best findings. `cached` says that it was kept from
    an earlier question.
    """

    question: str
    at: float
    commit: str
    branch: str
    findings: tuple[Finding, ...]
    conflicts: tuple[Conflict, ...]
    reports: tuple[Report, ...]
    summary: str
    written_by: str = ""
    path: str = ""
    cached: bool = False
