"""The values of research."""

from __future__ import annotations

from satchel.core.values import NamedTuple

LEARNINGS, MEMORIES, DOCS, CODE, WEB = SOURCES = ("learnings", "memories", "docs", "code", "web")


class Finding(NamedTuple):
    """A source's finding: where to read it, and when it was written (0: unknown).

    `trust` is "unapproved" for a document that came with the repository and nobody approved.
    """

    source: str
    title: str
    text: str
    place: str
    score: float = 0.0
    at: float = 0.0
    trust: str = ""


class Report(NamedTuple):
    """A source's report: its findings, milliseconds, and the reason if it failed."""

    source: str
    found: int
    milliseconds: float
    why: str = ""


class Conflict(NamedTuple):
    """Two findings that exclude each other: the sentences, and their difference."""

    one: Finding
    said: str
    other: Finding
    against: str
    why: str


class Dossier(NamedTuple):
    """The answer to one research question.

    `commit` was checked out at the time, "" outside git. `summary` is written by a model if
    `written_by` names one, otherwise taken from the best findings. `cached`: it is the stored
    answer to an earlier question.
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
