"""What recall returns: memories found, each tier's results, and the routes to the tiers.

Values. The Foundation numbers the tiers L1 to L5.
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

    `coverage` is the share of the question's significant words in the memory, 0 to 1. `parts` are
    the factors of the score, `evidence` the components of the first. `replaced_by` is the id of a
    later memory that replaced it, `branch` the state of its work if that is not part of what is
    checked out.
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

    `weak` counts weak matches that were left out. `missing` says why the team's memories are not
    included, or "".
    """

    question: str
    items: tuple[RecallHit, ...]
    weak: int = 0
    missing: str = ""


class Result(NamedTuple):
    """A result from a tier.

    `source` names its source in the tier, `place` where it can be read (a path with a line, an id).
    `at` is when it was written, Unix seconds, 0 if unknown. `identity` is the same in all tiers
    that know the same thing. `story_of` is the session whose course it tells: a checkpoint or an
    episode. `found` is the memory, if it is one. `trust` is "unapproved" if it is from a file that
    came with the repository.
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


class Routing(NamedTuple):
    """The rules in order, the default tier, and what to try after an empty one.

    Every question that a rule could match contains one of `hints`; () if unknown. They save loading
    regular expressions for other questions.
    """

    rules: tuple[Rule, ...]
    fallback: str = STRUCTURED
    cascade: tuple[str, ...] = TIERS
    cascades: bool = True
    hints: tuple[str, ...] = ()


class Route(NamedTuple):
    """A question's tier and source; `pattern` is what it matched, "" for the default."""

    tier: str
    source: str
    pattern: str = ""

    @property
    def matched(self) -> bool:
        """Return whether a rule matched the question."""
        return bool(self.pattern)


class RoutedAnswer(NamedTuple):
    """An answer from tiers: the route, the results, best first, and the tiers' reports.

    `weak` counts weak matches of memories that were left out. `problem` is an error in the routing
    table, or why the routed tier could not answer. `missing` says what could not be queried this
    time, or "": another time the answer may differ.
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
