"""What recall returns: memories found, what each tier gave, and the routes to the tiers. Values.

The Foundation numbers them L1 to L5.
"""

from __future__ import annotations

from satchel.core.errors import StoreAwayError
from satchel.core.values import NamedTuple
from satchel.features.branches.values import BranchState
from satchel.storage.ledger.record import Record

HOT, WARM, STRUCTURED, ARCHIVE, CODE = TIERS = ("hot", "warm", "structured", "archive", "code")
#: How The Foundation spells them.
NUMBERED = {"L1": HOT, "L2": WARM, "L3": STRUCTURED, "L4": ARCHIVE, "L5": CODE}


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


class Result(NamedTuple):
    """A result from a tier.

    `source` names what in the tier gave it, `place` where it can be read (a path with a line, an
    id). `at` is when it was written, Unix seconds, 0 where nobody knows. `identity` is what two
    tiers that know the same thing share. `story_of` is the session that it tells the course of:
    its checkpoints and its episode. `found` is the memory, where it is one. `trust` is
    "unapproved" where a file says it that came with the repository.
    """

    tier: str
    source: str
    title: str
    text: str
    place: str = ""
    at: float = 0.0
    score: float = 0.0
    parts: dict[str, float] = {}  # noqa: RUF012 -- a named tuple's default; nobody changes it
    identity: str = ""
    story_of: str = ""
    found: RecallHit | None = None
    trust: str = ""


def only_asks(piece: Result) -> bool:
    """Return whether a session's story says no more than that somebody asked something once."""
    told = (piece.text or piece.title).strip()
    return bool(piece.story_of) and told.endswith("?") and "\n" not in told


class TierReport(NamedTuple):
    """A tier's report: the number of results, milliseconds, or the reason for none."""

    tier: str
    source: str
    given: int
    milliseconds: float
    why: str = ""


class Rule(NamedTuple):
    """Sends questions that match a regular expression to a tier and source."""

    pattern: str
    tier: str
    source: str = ""
    description: str = ""


class Routing(NamedTuple):
    """The rules in order, the default tier, and what to try after an empty one.

    `hints` are words of which every question that a rule could match holds one; () for no such
    knowledge. They save loading regular expressions for a question that no rule is about.
    """

    rules: tuple[Rule, ...]
    fallback: str = STRUCTURED
    cascade: tuple[str, ...] = TIERS
    cascades: bool = True
    hints: tuple[str, ...] = ()
    path: str = ""


class Route(NamedTuple):
    """Where a question goes; `pattern` is what it matched, "" for the default."""

    tier: str
    source: str
    pattern: str = ""

    @property
    def matched(self) -> bool:
        """Return whether a rule matched the question."""
        return bool(self.pattern)


class RoutedAnswer(NamedTuple):
    """An answer from tiers: the route, the results, best first, and the tiers' reports.

    `weak` counts matches of memories that were left out because they only seem to answer.
    `problem` is what was wrong with the routing table, or why the routed tier could not answer.
    `missing` says what could not be asked just now, "" where all was: another time, the answer may
    be another one.
    """

    question: str
    route: Route
    pieces: tuple[Result, ...]
    reports: tuple[TierReport, ...]
    weak: int = 0
    problem: str = ""
    missing: str = ""

    def whole(self) -> RoutedAnswer:
        """Return the answer; raise `StoreAwayError` if it is incomplete."""
        if self.missing:
            raise StoreAwayError(self.missing, hint="Ask again in a moment.")
        return self
