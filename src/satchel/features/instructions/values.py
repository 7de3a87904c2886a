"""What everybody here names: tiers, sources, segments, and what was left out."""

from __future__ import annotations

from satchel.core.values import NamedTuple

GLOBAL, PLUGIN, AGENT, TEAM, PROJECT, LOCAL = (
    "global", "plugin", "agent", "team", "project", "project-local",
)  # fmt: skip
#: Lowest first: what comes later overrides what came before.
#: The figures are those of beans where it has one.
PRIORITIES = {GLOBAL: 0, PLUGIN: 50, AGENT: 60, TEAM: 75, PROJECT: 100, LOCAL: 101}
TIERS = tuple(PRIORITIES)

#: Who put a file there, which decides what it may import without being asked about.
USER, REPOSITORY, SHARED, MACHINE = "user", "repository", "shared", "machine"

#: When a file reaches an agent: in every session, with certain files at hand, or when asked for.
ALWAYS, CONDITIONAL, ON_REQUEST = "always", "conditional", "on request"

CLIENTS = ("claude", "codex", "gemini", "copilot", "cursor")


class Source(NamedTuple):
    """One place where a memory file lies.

    Attributes:
        path: absolute.
        tier: one of `TIERS`.
        owner: USER, REPOSITORY, SHARED or MACHINE.
        priority: of its tier, or of its place in the tier.
        depth: directories between the work tree's top and the file's; orders equal priorities.
        order: place among files of the same directory.
        clients: who reads it without Satchel; () for nobody.
        kind: ALWAYS, CONDITIONAL or ON_REQUEST.
        most_lines: only so many first lines are read by who wrote it; 0 for all.
        most_bytes: the same, bytes.
    """

    path: str
    tier: str
    owner: str
    priority: int
    depth: int = 0
    order: int = 0
    clients: tuple[str, ...] = ()
    kind: str = ALWAYS
    most_lines: int = 0
    most_bytes: int = 0


class Piece(NamedTuple):
    """A stretch of one file as it is put before an agent, with where it comes from.

    Lines count from 1 in the file as it lies on disk. `imported_from` is the file that named this
    one; "" for a file that was found by itself.
    """

    path: str
    text: str
    first_line: int
    last_line: int
    imported_from: str = ""
    depth: int = 0


class Segment(NamedTuple):
    """A piece with its source, cost and hash (SHA-256, 16 hex digits, of the text).

    `file` is the memory file that was found; `path` differs from it where the text was imported.
    """

    path: str
    tier: str
    priority: int
    first_line: int
    last_line: int
    imported_from: str
    tokens: int
    hash: str
    text: str
    file: str = ""


class Problem(NamedTuple):
    """What could not be done with a file, and the next step.

    `what` is a word for programs; `where` is the file that names this one, "" for none.
    """

    what: str
    path: str
    told: str
    hint: str = ""
    where: str = ""


class LeftOut(NamedTuple):
    """What did not fit into the budget: whose lines, how many tokens, under which headings."""

    path: str
    first_line: int
    last_line: int
    tokens: int
    headings: tuple[str, ...] = ()


class MemoryFile(NamedTuple):
    """A memory file as it was found: its front matter understood, its text not yet put together.

    `skipped` says why it is not shown; "" if it is.
    """

    source: Source
    priority: int
    version: int
    enabled: bool
    size: int
    tokens: int
    hash: str
    description: str = ""
    globs: tuple[str, ...] = ()
    skipped: str = ""
