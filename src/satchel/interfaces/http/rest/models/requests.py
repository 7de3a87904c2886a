"""Requests, in camelCase as in Beads Console. Every text has a maximum length."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AliasChoices, BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

from satchel.core import times
from satchel.core.errors import BadInputError
from satchel.core.kinds import kind_named
from satchel.interfaces.http.rest.models.fields import says, without_defaults

_ID = r"^[A-Za-z0-9][A-Za-z0-9._:-]*$"
Ident = Annotated[str, StringConstraints(max_length=128, pattern=_ID)]
OptionalIdent = Annotated[str, StringConstraints(max_length=128, pattern=rf"^$|{_ID}")]
Line = Annotated[str, StringConstraints(max_length=500)]
Text = Annotated[str, StringConstraints(max_length=200_000)]
Content = Annotated[str, StringConstraints(min_length=1, max_length=200_000)]


def _finite(value: Any) -> Any:
    """Reject numbers that Python parses but JSON does not allow."""
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        raise ValueError("a number is not finite") from None
    return value


def _known_kind(name: str) -> str:
    try:
        return kind_named(name).name
    except BadInputError as error:
        raise ValueError(f"{error} {error.hint}".strip()) from None


def _moment(text: str) -> str:
    if text and times.seconds_of(text) is None:
        raise ValueError("not an ISO 8601 time, as 2026-03-16T14:30:00Z")
    return text


Object = Annotated[dict[str, Any], AfterValidator(_finite)]
Tag = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Kind = Annotated[str, StringConstraints(min_length=1, max_length=40), AfterValidator(_known_kind)]
Moment = Annotated[Line, AfterValidator(_moment)]
_TASK = says("Id of the task it is about.", "shop-a1b2")
_TAGS = says("Free-form tags.", ["database"])


class Body(BaseModel):
    """A body in camelCase; unknown fields are rejected.

    `projectId` stands in every body of Beads Console's; the project is the one of the path.
    """

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        json_schema_extra=without_defaults,
    )
    project_id: OptionalIdent = Field(
        default="", exclude=True, description="Not used: the path names the project."
    )


class IntentBody(Body):
    """The whole document."""

    content: Annotated[Text, says("The document, Markdown.", "# Shop {#anchor:overview}\nTea.\n")]


class LinkBody(Body):
    """A link of a task to a section."""

    bead_id: Annotated[Ident, says("Id of the task.", "shop-a1b2")]
    anchor: Annotated[
        str,
        StringConstraints(pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)*$", max_length=200),
        says("The anchor of the section.", "constraints.tech-stack"),
    ]
    relevance: Annotated[Literal["primary", "related"], says("How much.", "primary")] = "primary"
    added_by: Annotated[Literal["user", "agent"], says("Who links them.", "user")] = "user"
    note: Annotated[Line, says("Why.", "Moves the cache.")] = ""


class MemoryBody(Body):
    """A memory, as Beads Console models it."""

    kind: Annotated[Kind, says("Its kind, such as learned, decision or constraint.", "decision")]
    title: Annotated[Line, says("One line.", "Use pgx")] = ""
    content: Annotated[Content, says("What to remember.", "Use pgx, not pq.")]
    bead_id: Annotated[OptionalIdent, _TASK] = ""
    epic_id: Annotated[OptionalIdent, says("Id of the epic.", "")] = ""
    session_id: Annotated[OptionalIdent, says("The session it comes from.", "")] = ""
    chat_id: Annotated[OptionalIdent, says("The chat it comes from.", "")] = ""
    agent_name: Annotated[
        Line, says("The agent that writes it; a person's own words weigh more.", "")
    ] = ""
    data: Annotated[Object | None, says("Fields specific to its kind.", {"cost": 3})] = None
    intent_anchors: Annotated[
        list[Line], says("Sections of the intent it is about.", [], max_length=50)
    ] = []
    tags: Annotated[list[Tag], Field(max_length=50), _TAGS] = []
    relevance_score: Annotated[float, says("0 to 1.", 1.0, ge=0, le=1)] = 1.0
    expires_at: Annotated[
        Moment, says("When agents stop being told, ISO 8601; the kind's own time without it.", "")
    ] = ""


class MemoryChange(Body):
    """A memory's new text; the earlier one stays in its history."""

    content: Annotated[Content, says("Its new text.", "Use pgx 5, not pq.")]


class RestoreBody(Body):
    """The version to restore."""

    version: Annotated[
        int,
        says(
            "Place in `history`, from 1; 0 brings back what was deleted, as it was.",
            0,
            ge=0,
            le=10_000,
        ),
    ] = 0


class SessionBody(Body):
    """A session to start; `agentId` names the agent if `agentName` does not."""

    bead_id: Annotated[OptionalIdent, _TASK] = ""
    title: Annotated[Line, says("One line.", "Move the cache")] = ""
    agent_id: Annotated[OptionalIdent, says("The agent.", "")] = ""
    agent_name: Annotated[Line, says("The agent.", "backend-architect")] = ""
    tags: Annotated[list[Tag], Field(max_length=50), _TAGS] = []
    start: Annotated[bool, says("Start it at once; otherwise it is a draft.", True)] = False


class SessionChange(Body):
    """A new state, title or summary of a session, or new tags."""

    title: Annotated[Line | None, says("Another title.", "Move the cache to Redis")] = None
    status: Annotated[
        Literal["active", "paused", "closed"] | None, says("The new state.", "paused")
    ] = None
    summary: Annotated[Text, says("Its outcome, when closing it.", "")] = ""
    add_tags: Annotated[list[Tag], says("Tags to add.", [], max_length=50)] = []
    remove_tags: Annotated[list[Tag], says("Tags to remove.", [], max_length=50)] = []


class ChatBody(Body):
    """A user's message."""

    message: Annotated[
        str, says("The words.", "Which driver do we use?", min_length=1, max_length=100_000)
    ]


class TaskBody(Body):
    """A task to create."""

    title: Annotated[str, says("One line.", "Move the cache", min_length=1, max_length=500)]
    description: Annotated[Text, says("What to do, in Markdown.", "To Redis 8.")] = ""
    acceptance: Annotated[Text, says("Acceptance criteria, in Markdown.", "Reads take 5 ms.")] = ""
    priority: Annotated[int, says("0 (critical) to 4 (backlog).", 2, ge=0, le=4)] = 2
    issue_type: Annotated[
        Literal["task", "bug", "feature", "epic", "chore"], says("What it is.", "task")
    ] = "task"
    labels: Annotated[list[Tag], says("Free words.", ["cache"], max_length=50)] = []
    parent: Annotated[OptionalIdent, says("The epic or task it is part of.", "")] = ""
    blocked_by: Annotated[
        list[Ident], says("Ids of tasks that it waits for.", [], max_length=50)
    ] = []


class TaskChange(Body):
    """A change to a task."""

    status: Annotated[
        Literal["open", "in_progress", "blocked", "deferred", "closed"] | None,
        says("The new state.", "in_progress"),
    ] = None
    title: Annotated[
        Annotated[str, StringConstraints(min_length=1, max_length=500)] | None,
        says("Another title.", "Move the cache to Redis"),
    ] = None
    description: Annotated[Text | None, says("Another description.", "To Redis 8.")] = None
    priority: Annotated[
        Annotated[int, Field(ge=0, le=4)] | None, says("0 (critical) to 4 (backlog).", 1)
    ] = None
    summary: Annotated[Text, says("Why it is closed or opened again.", "")] = ""


class CommentBody(Body):
    """A comment; `LEARNED: …` in it is remembered."""

    text: Annotated[
        str,
        says("The comment.", "LEARNED: the cache needs a lock", min_length=1, max_length=50_000),
    ]


class PackBody(Body):
    """A context pack to build; `files` is for the method `manual`."""

    task: Annotated[str, says("What it is for.", "find user", max_length=2_000)] = ""
    name: Annotated[Line, says("Its name.", "")] = ""
    entry: Annotated[Literal["query", "file", "symbol"], says("What `task` is.", "query")] = "query"
    method: Annotated[
        Literal["codegraph", "heuristic", "manual"], says("How to choose.", "codegraph")
    ] = "codegraph"
    profile: Annotated[str, says("The type of project.", "auto", max_length=40)] = "auto"
    files: Annotated[list[Line], says("Paths of files.", [], max_length=200)] = []
    max_tokens: Annotated[
        int,
        says(
            "How many tokens it may take.",
            50_000,
            ge=100,
            le=200_000,
            validation_alias=AliasChoices("tokenBudget", "maxTokens"),
        ),
    ] = 50_000
    max_symbols: Annotated[int, says("How many definitions.", 50, ge=1, le=500)] = 50
    max_depth: Annotated[int, says("How far to follow calls.", 2, ge=0, le=5)] = 2


class DecisionBody(Body):
    """A decision on a suggestion."""

    decision: Annotated[
        Literal["accept", "reject", "modify"],
        says("`modify` rewords it, and it waits again.", "accept"),
    ]
    text: Annotated[Text, says("The new wording, or the reason for rejecting it.", "")] = ""


class RowBody(Body):
    """The values of a row."""

    values: Annotated[Object, says("By the names of the table's fields.", {"name": "Acme"})]
