"""What checks are made of. Values."""

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
    """One assertion: its name, what it is about, and where it stands.

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
    """How one check came out: passed, failed or error, and why, a line for each reason."""

    check: Check
    outcome: str
    why: tuple[str, ...]
    seconds: float


class Text(NamedTuple):
    """One thing that a query returned: its text, and the names that it goes by."""

    text: str
    names: tuple[str, ...] = ()
