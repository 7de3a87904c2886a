"""The Foundation's task lifecycle, from preflight to archival, in beads' states. Pure."""

from __future__ import annotations

from satchel.features.tasks.issue_graph import IssueGraph
from satchel.features.tasks.values import (
    BLOCKED,
    CLOSED,
    DEFERRED,
    HOOKED,
    IN_PROGRESS,
    PINNED,
    TOMBSTONE,
)

PREFLIGHT, PENDING, WAITING = "preflight", "pending", "blocked"
WORKING, REVIEW, COMPLETED, ARCHIVED = "in_progress", "review", "completed", "archived"

#: State -> what it means, in the order of a task's life.
STATES = {
    PREFLIGHT: "not to be started yet: deferred, or until a date",
    PENDING: "open and ready",
    WAITING: "open, blocked by other tasks or by hand",
    WORKING: "somebody is working on it",
    REVIEW: "done and reviewed",
    COMPLETED: "closed",
    ARCHIVED: "closed and archived, or deleted",
}
_REVIEWED = ("inreview", "in_review", "review")


def lifecycle_of(graph: IssueGraph, ident: str, now: float) -> str:
    """Return an issue's stage. States unknown to beads count as work."""
    issue = graph.issues[ident]
    status = issue.status
    if status == TOMBSTONE:
        return ARCHIVED
    if status == CLOSED:
        metadata = issue.data.get("metadata")
        put_away = isinstance(metadata, dict) and metadata.get("lifecycle") == ARCHIVED
        return ARCHIVED if put_away or issue.data.get("status") == ARCHIVED else COMPLETED
    if status in (BLOCKED, PINNED):
        return WAITING
    if status == DEFERRED:
        return PREFLIGHT
    if status in _REVIEWED:
        return REVIEW
    if status in (IN_PROGRESS, HOOKED) or status != "open":
        return WORKING
    if graph.held_up(ident):
        return WAITING
    when = graph.ready_from(ident)
    return PREFLIGHT if when is None or when > now else PENDING
