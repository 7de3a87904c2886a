"""The results of recall. Values."""

from __future__ import annotations

from satchel.core.values import NamedTuple
from satchel.features.branches.values import BranchState
from satchel.storage.ledger.record import Record


class RecallHit(NamedTuple):
    """A found memory: its record, its ledger, its score and the score's parts.

    `coverage` is the share of the question's telling words that the memory holds, 0 to 1.
    `parts` are the factors of the score, `evidence` what made up the first of them. `replaced_by`
    is the id of a later memory that took its place, `branch` how its work stands where that is not
    part of what is checked out.
    """

    record: Record
    source: str
    score: float
    coverage: float
    parts: dict[str, float]
    evidence: dict[str, float] = {}  # noqa: RUF012 -- a named tuple's default; nobody changes it
    replaced_by: str = ""
    branch: BranchState | None = None


class Answer(NamedTuple):
    """The answer to a question: items, best first; empty if nothing was found.

    `weak` counts matches that were left out because they only seem to answer. `missing` says why
    the team's memories have no part in it, "" where they have.
    """

    question: str
    items: tuple[RecallHit, ...]
    searched: int = 0
    weak: int = 0
    missing: str = ""
