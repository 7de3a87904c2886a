"""Issues as values, in beads' terms."""

from __future__ import annotations

from satchel.core.values import Any, NamedTuple

OPEN, IN_PROGRESS, BLOCKED, DEFERRED = "open", "in_progress", "blocked", "deferred"
CLOSED, PINNED, HOOKED, TOMBSTONE = "closed", "pinned", "hooked", "tombstone"
#: Statuses of tasks that somebody works on.
IN_WORK = (IN_PROGRESS, HOOKED, "inreview", "in_review")

BLOCKS, PARENT, CONDITIONAL, WAITS = "blocks", "parent-child", "conditional-blocks", "waits-for"
RELATED, DISCOVERED = "related", "discovered-from"
#: Kinds of dependency that alone keep a task from being ready.
HARD = frozenset((BLOCKS, CONDITIONAL, WAITS))
#: Kinds that must not form a cycle.
ORDERING = HARD | {PARENT}
#: Kinds that are offered; any other word of at most 50 characters is kept too.
KINDS = (
    *(BLOCKS, PARENT, RELATED, DISCOVERED, CONDITIONAL, WAITS, "relates-to", "replies-to"),
    *("duplicates", "supersedes", "caused-by", "tracks", "validates"),
)
LONGEST_KIND = 50

EPIC = "epic"
TYPES = (
    *("task", "bug", "feature", EPIC, "chore", "decision", "message", "molecule", "gate", "spike"),
    *("story", "milestone", "event"),
)
#: Types that are not work for an agent to pick up.
NO_WORK = frozenset(
    ("merge-request", "gate", "molecule", "message", "agent", "role", "rig", "event", "convoy")
)
#: 0 is critical, 4 the backlog.
USUAL_PRIORITY, LEAST_PRIORITY = 2, 4
#: Closing words that say a task failed: tasks that depend on its failure may then begin.
FAILURE_WORDS = (
    *("failed", "failure", "rejected", "wontfix", "won't fix", "cancelled", "canceled"),
    *("abandoned", "error", "timeout", "timed out", "aborted"),
)


class Link(NamedTuple):
    """An issue's dependency: its target, its kind, and the line's other fields as JSON text."""

    target: str
    kind: str
    metadata: str = ""


class Issue(NamedTuple):
    """An issue. Times are Unix seconds, 0.0 for none.

    `apart`: it is not work to pick up: ephemeral, pinned, a template, or of such a type. `failed`:
    it was closed with a word of failure. `data` is its parsed line, which nobody changes.
    """

    id: str
    title: str
    status: str
    priority: int
    issue_type: str
    parent: str
    assignee: str
    labels: tuple[str, ...]
    links: tuple[Link, ...]
    created: float
    updated: float
    deferred: float
    apart: bool
    failed: bool
    data: dict[str, Any]

    @property
    def is_done(self) -> bool:
        """Return whether it is closed or deleted."""
        return self.status in (CLOSED, TOMBSTONE)


class Change(NamedTuple):
    """A change to a task. `fields` have beads' names, None removes one.

    `parent`: its new parent, "" for none; None leaves it.
    """

    fields: dict[str, Any]
    status: str = ""
    append_notes: str = ""
    add_labels: tuple[str, ...] = ()
    remove_labels: tuple[str, ...] = ()
    put_metadata: tuple[tuple[str, str], ...] = ()
    take_metadata: tuple[str, ...] = ()
    parent: str | None = None
