"""The parts of guards. Values; the hook's own are in `matching`."""

from __future__ import annotations

from satchel.core.values import Any, NamedTuple
from satchel.engine.markdown.yaml_entries import Entry, Listing

#: The field of the file that holds the list.
FIELD = "guards"
WARN, ASK, DENY = "warn", "ask", "deny"
ACTIONS = (WARN, ASK, DENY)
#: Tools whose calls a guard can inspect; servers' tools are `mcp__SERVER__TOOL`.
TOOLS = ("Bash", "Edit", "Write", "MultiEdit", "NotebookEdit", "Read", "WebFetch", "WebSearch")
SERVER_TOOLS = "mcp__"
WRITING = ("Edit", "Write", "MultiEdit", "NotebookEdit")
#: States of a guard on this machine.
WAITING, ACTIVE, OFF, BROKEN = "waiting", "active", "off", "broken"


class GuardPatterns(NamedTuple):
    """A guard's patterns: all given ones must match, and `unless` must not."""

    tools: tuple[str, ...] = ()
    command: str = ""
    path: str = ""
    content: str = ""
    unless: str = ""


class GuardScope(NamedTuple):
    """A guard's scope: globs of paths, agents and branches; () means everywhere."""

    paths: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()


class Example(NamedTuple):
    """An example: a tool call, and whether the guard must act. `said` is the original."""

    tool: str
    given: dict[str, Any]
    fires: bool
    said: str
    branch: str = ""
    agent: str = ""
    cwd: str = ""


class Guard(NamedTuple):
    """A guard as in its file. `digest` covers all fields; an edit changes it."""

    id: str
    action: str
    message: str
    when: GuardPatterns
    where: GuardScope
    examples: tuple[Example, ...]
    source: str
    digest: str
    line: int


class ParsedGuards(NamedTuple):
    """A parsed file: its guards, their entries, and problems by guard."""

    listing: Listing
    guards: tuple[Guard, ...]
    entries: tuple[Entry, ...]
    problems: dict[int, tuple[str, ...]]

    def wrong(self, guard: Guard) -> tuple[str, ...]:
        """Return what keeps a guard from being used."""
        return self.problems.get(guard.line, ())


class ExampleResult(NamedTuple):
    """The result of an example."""

    example: Example
    fired: bool

    @property
    def right(self) -> bool:
        """Return whether the guard did what the example expects."""
        return self.fired == self.example.fires
