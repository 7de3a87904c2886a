"""Tasks and suggestions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from satchel.interfaces.http.rest.models.fields import (
    Answer,
    Extensible,
    Held,
    Page,
    ProposalId,
    TaskId,
    Time,
    Trust,
    says,
)
from satchel.interfaces.http.rest.models.memory import ReplacedMemory


class Task(Extensible):
    """A task in beads' fields; empty ones are left out, other programs' are kept."""

    id: TaskId
    title: Annotated[str, says("One line.", "Move the cache")]
    status: Annotated[
        str, says("open, in_progress, blocked, deferred, closed, or your own.", "open")
    ]
    priority: Annotated[int, says("0 (critical) to 4 (backlog).", 2)]
    issue_type: Annotated[str, says("task, bug, feature, epic, chore, ...", "task")]
    description: Annotated[str, says("What to do, in Markdown.", "To Redis 8.")] = ""
    assignee: Annotated[str, says("Who does it.", "ann")] = ""
    labels: Annotated[list[str], says("Free-form tags.", ["cache"])] = Field(default_factory=list)
    created_at: Annotated[str, says("ISO 8601.", "2026-03-16T14:30:00Z")] = ""
    updated_at: Annotated[str, says("ISO 8601.", "2026-03-16T14:30:00Z")] = ""
    closed_at: Annotated[str, says("ISO 8601.", "2026-03-17T09:00:00Z")] = ""
    close_reason: Annotated[str, says("Why it was closed.", "done")] = ""
    stage: Annotated[str, says("Its effective state, from status and dependencies.", "ready")]
    held: Annotated[list[str], says("Ids of what blocks it.", [])]
    parent: Annotated[str, says('The epic or task it is part of; "" for none.', "")]
    dependency_count: Annotated[
        int, says("How many tasks it depends on.", 0, alias="dependencyCount")
    ]
    dependent_count: Annotated[int, says("How many tasks depend on it.", 0, alias="dependentCount")]
    trust: Held = ""


class TaskLink(Answer):
    """A dependency between two tasks."""

    id: Annotated[str, says("Id of the other task.", "shop-c3d4")]
    type: Annotated[str, says("blocks, parent-child, related, ...", "blocks")]


class TaskDetails(Task):
    """A task, its dependencies and its dependents."""

    depends_on: Annotated[list[TaskLink], says("What it depends on.", alias="dependsOn")]
    needed_by: Annotated[list[TaskLink], says("What depends on it.", alias="neededBy")]


class TaskPage(Page):
    """One page of tasks."""

    tasks: Annotated[list[Task], says("The tasks, in the order in which to do them.")]


class AddedComment(Answer):
    """A comment that was added, and the memories from it."""

    task_id: TaskId
    remembered: Annotated[list[str], says("Ids of memories that its markers made.", [])]
    replaced: Annotated[list[ReplacedMemory], says("What these replaced.")]


class Proposal(Answer):
    """A suggestion and its state."""

    id: ProposalId
    state: Annotated[
        Literal["pending", "accepting", "accepted", "rejected", "undoing", "undone"],
        says("Where it stands.", "pending"),
    ]
    kind: Annotated[str, says("What it would create.", "memory")]
    group: Annotated[str, says("behavioral or knowledge.", "knowledge")]
    tier: Annotated[str, says("How sure it is: high, medium or low.", "high")]
    title: Annotated[str, says("One line.", "The staging database is read-only")]
    why: Annotated[str, says("What it was made of.", "You said so twice.")]
    quote: Annotated[str, says("The words that caused it.", "staging is read-only!")]
    session_id: Annotated[str, says("Where they were said.", "7c2a")]
    warnings: Annotated[list[str], says("Rules that it repeats or contradicts.", [])]
    trust: Trust
    files: Annotated[list[str], says("Files that it would change.", ["CLAUDE.md"])]
    created_at: Time
    commit: Annotated[str, says('The commit made when it was accepted; "" for none.', "")]
    diff: Annotated[str, says("What it would change; only while it waits.", "+- read-only")] = ""


class ProposalPage(Page):
    """One page of suggestions."""

    proposals: Annotated[list[Proposal], says("The suggestions.")]
