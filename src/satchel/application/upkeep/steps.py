"""The steps of upkeep in order: what each does and its limits."""

from __future__ import annotations

from satchel.core.values import NamedTuple


class Step(NamedTuple):
    """A step: what it does, its limit, and whether a whole run includes it.

    A step that a whole run skips is mentioned there, and runs only by name.
    """

    name: str
    what: str
    bound: str
    in_run: bool = True


STEPS = (
    Step("drain", "move what hooks noted into the ledgers", "60 s"),
    Step("insights", "delete insights whose hour is over", "the expiry cap"),
    Step("expire", "delete other memories past their time", "the expiry cap, unless confirmed"),
    Step(
        "decay",
        "weigh the graph's relations by age; end and prune faded ones",
        "the graph's prune share, unless confirmed",
    ),
    Step(
        "instincts",
        "lower instincts that were not confirmed for thirty days",
        "only by name: the file is tracked",
        in_run=False,
    ),
    Step("consolidate", "propose to hide one of two memories that say the same", "20 proposals"),
    Step("promote", "propose a learning note for every instinct that is ripe", "20 proposals"),
    Step("reflect", "find what sessions taught", "only by name", in_run=False),
    Step(
        "archive", "archive clients' transcripts; compress closed sessions", "what is new in them"
    ),
    Step(
        "thread",
        "link sessions to lines and commits; look up what their commits change",
        "what is new in the archive",
    ),
    Step(
        "branches",
        "say which memories do not hold at the commit that is checked out",
        "what git knows of their commits",
    ),
    Step(
        "retention",
        "move archived sessions out of sight after 90 days, remove them after twice that",
        "removed only if settings say so, or confirmed",
    ),
    Step(
        "purge",
        "remove what was deleted long ago from ledgers and indexes",
        "deletions older than 30 days",
    ),
    Step("rotate", "move the oldest lines of long ledgers to their archives", "1000 lines stay"),
    Step("embed", "make missing vectors, and those of another model", "what waits"),
    Step(
        "code",
        "bring the map of the code up to date, where there is one; pin memories to what moved",
        "what changed",
    ),
)
NAMES = tuple(step.name for step in STEPS)
ALL = "all"


def steps_of(name: str) -> tuple[Step, ...]:
    """Return the steps of a run: the named one, or all."""
    return tuple(step for step in STEPS if name in (ALL, step.name))
