"""The parts of checks. Values."""

from __future__ import annotations

from satchel.core.values import NamedTuple

#: The field of the file that holds the list.
FIELD = "checks"
QUERY, ANCHORS, CONTRADICTIONS, BRIEF, GUARDS = (
    "query",
    "no_stale_anchors",
    "no_contradictions",
    "brief",
    "guards_pass",
)
PASSED, FAILED, ERROR = "passed", "failed", "error"


class Check(NamedTuple):
    """An assertion: its name, its subject, and its position in the file.

    `contains` must and `lacks` must not be among what a query returns, or in a brief. `tier`,
    `method` and `limit` are as for `recall`. `under` is a brief's most tokens, 0 for any number.
    `kinds` and `excepted` narrow which memories are compared with each other.
    """

    name: str
    about: str
    path: str
    line: int
    query: str = ""
    contains: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    tier: str = ""
    method: str = ""
    limit: int = 0
    task: str = ""
    role: str = ""
    under: int = 0
    kinds: tuple[str, ...] = ()
    excepted: tuple[str, ...] = ()


#: What is checked where a project has written no checks of its own.
BUILT_IN = (
    Check("rules do not contradict each other", CONTRADICTIONS, "", 0),
    Check("memories point at code that is there", ANCHORS, "", 0),
    Check("guards pass their own examples", GUARDS, "", 0),
)


class Result(NamedTuple):
    """A check's result: passed, failed or error, with reasons, one a line."""

    check: Check
    outcome: str
    why: tuple[str, ...]
    seconds: float


class Text(NamedTuple):
    """A query result: its text and its names."""

    text: str
    names: tuple[str, ...] = ()
