"""Memories, and search over every tier."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from satchel.interfaces.http.rest.models.fields import (
    Answer,
    MemoryId,
    Page,
    Plain,
    Tags,
    TaskId,
    Time,
    Trust,
    says,
)

_KIND = says("Its kind.", "decision")
_CONTENT = says("What is remembered.", "Use pgx, not pq: it speaks the binary protocol.")


class Memory(Answer):
    """A memory, as Beads Console models it. Empty fields are left out."""

    id: MemoryId
    project_id: Annotated[str, says("Id of its project.", "shop")]
    kind: Annotated[str, _KIND]
    key: Annotated[str, says("The key that versions of the memory share.", "use-pgx")] = ""
    title: Annotated[str, says("One line.", "Use pgx")] = ""
    content: Annotated[str, _CONTENT]
    bead_id: TaskId = ""
    epic_id: Annotated[str, says("Id of the epic.", "shop-a1")] = ""
    session_id: Annotated[str, says("The session in which it was learnt.", "s-1")] = ""
    chat_id: Annotated[str, says("The chat in which it was learnt.", "c-1")] = ""
    agent_name: Annotated[str, says("The agent that wrote it.", "backend-architect")] = ""
    data: Annotated[dict[str, Any], says("Fields specific to its kind.", {"cost": 3})] = Field(
        default_factory=dict
    )
    intent_anchors: Annotated[
        list[str], says("Sections of the intent it is about.", ["constraints.tech-stack"])
    ] = Field(default_factory=list)
    tags: Tags = Field(default_factory=list)
    relevance_score: Annotated[float, says("0 to 1.", 1.0)]
    confidence: Annotated[float, says("Its confidence, 0 to 1.", 0.9)] = 1.0
    trust: Trust = ""
    source: Annotated[str, says("Who or what said it.", "owner")] = ""
    branch: Annotated[str, says("The git branch on which it was learnt.", "main")] = ""
    commit: Annotated[str, says("The commit on which it was learnt.", "9f2c1ab")] = ""
    derived_from: Annotated[list[str], says("Ids of what it was derived from.", [])] = Field(
        default_factory=list
    )
    supersedes: Annotated[list[str], says("Ids of memories it replaced.", [])] = Field(
        default_factory=list
    )
    created_at: Time
    expires_at: Annotated[str, says("When agents stop being told, ISO 8601, UTC.")] = ""
    deleted_at: Annotated[str, says("When it was deleted, ISO 8601, UTC.")] = ""


class ReplacedMemory(Answer):
    """An earlier memory that was replaced: it is kept, but agents are no longer told it."""

    id: MemoryId
    kind: Annotated[str, _KIND]
    title: Annotated[str, says("One line.", "Use pq")] = ""
    content: Annotated[str, says("What it said.", "Use pq.")]


class WrittenMemory(Memory):
    """A memory as saved, and what it replaced."""

    replaced: Annotated[list[ReplacedMemory], says("What it replaced; usually nothing.")]


class MemoryWithHistory(Memory):
    """A memory and its earlier versions."""

    history: Annotated[list[Memory], says("Earlier versions, newest first, 19 at most.")]


class MemoryPage(Page):
    """One page of memories."""

    memories: Annotated[list[Memory], says("The memories.")]


class DeletedMemory(Answer):
    """The result of a deletion."""

    id: MemoryId
    deleted_at: Time
    note: Annotated[str, says('Whether colleagues still see it; "" if nobody does.', "")]


class ScopeSummary(Answer):
    """How many memories of each part were returned."""

    bead_memories: Annotated[int, says("Of the task.", 1)]
    epic_memories: Annotated[int, says("Of its epic.", 0)]
    project_constraints: Annotated[int, says("Constraints of the project.", 1)]
    active_constraints: Annotated[int, says("Constraints that hold now.", 0)]
    total_returned: Annotated[int, says("All of them.", 2)]


class ScopedMemories(Answer):
    """The memories relevant to a task."""

    bead_id: TaskId
    epic_id: Annotated[str, says('Id of its epic; "" for none.', "")]
    bead_memories: Annotated[list[Memory], says("Of the task.")]
    epic_memories: Annotated[list[Memory], says("Of its epic.")]
    project_constraints: Annotated[list[Memory], says("Constraints of the project.")]
    active_constraints: Annotated[list[Memory], says("Constraints that hold now.")]
    summary: Annotated[ScopeSummary, says("How many of each.")]


class SearchResult(Plain):
    """A result from one tier."""

    tier: Annotated[str, says("hot, warm, structured, archive or code.", "warm")]
    source: Annotated[str, says("Its source within the tier.", "memories")]
    title: Annotated[str, says("One line.", "Use pgx")]
    text: Annotated[str, says("What it says.", "Use pgx, not pq.")]
    place: Annotated[str, says("Where to read it: a path with a line, or an id.", "notes/pg.md:3")]
    at: Annotated[float, says("When it was written, Unix seconds; 0 if unknown.", 1773671400)]
    score: Annotated[float, says("How well it answers; higher is better.", 0.82)]
    parts: Annotated[dict[str, float], says("What made up the score.", {"text": 0.7})]
    identity: Annotated[str, says("The same value for one thing found in two tiers.", "m:use-pgx")]
    trust: Annotated[
        str, says('"unapproved" where its file came with the repository; "" otherwise.', "")
    ]


class SearchAnswer(Plain):
    """What every tier knows about a question."""

    question: Annotated[str, says("What was asked.", "which driver?")]
    items: Annotated[list[SearchResult], says("The answers, best first.")]
    problem: Annotated[str, says('What was wrong with the routing; "" for nothing.', "")]
