"""What clients send, in camelCase as Beads Console spells it. Every text has a length."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AliasChoices, BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

_ID = r"^[A-Za-z0-9][A-Za-z0-9._:-]*$"
Ident = Annotated[str, StringConstraints(max_length=128, pattern=_ID)]
OptionalIdent = Annotated[str, StringConstraints(max_length=128, pattern=rf"^$|{_ID}")]
Line = Annotated[str, StringConstraints(max_length=500)]
Text = Annotated[str, StringConstraints(max_length=200_000)]


def _finite(value: Any) -> Any:
    """Refuse what Python reads and JSON does not have: no file could hold it."""
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        raise ValueError("a number is not finite") from None
    return value


Object = Annotated[dict[str, Any], AfterValidator(_finite)]
Tag = Annotated[str, StringConstraints(min_length=1, max_length=64)]


class Body(BaseModel):
    """A body in camelCase; fields that are not known are refused.

    `projectId` stands in every body of Beads Console's; the project is the one of the path.
    """

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")
    project_id: OptionalIdent = Field(default="", exclude=True)


class IntentBody(Body):
    """The whole document."""

    content: Text


class LinkBody(Body):
    """Which section a task is about."""

    bead_id: Ident
    anchor: Annotated[
        str, StringConstraints(pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)*$", max_length=200)
    ]
    relevance: Literal["primary", "related"] = "primary"
    added_by: Literal["user", "agent"] = "user"
    note: Line = ""


class MemoryBody(Body):
    """A memory, as Beads Console models it."""

    kind: Annotated[str, StringConstraints(min_length=1, max_length=40)]
    title: Line = ""
    content: Annotated[str, StringConstraints(min_length=1, max_length=200_000)]
    bead_id: OptionalIdent = ""
    epic_id: OptionalIdent = ""
    session_id: OptionalIdent = ""
    chat_id: OptionalIdent = ""
    agent_name: Line = ""
    data: Object | None = None
    intent_anchors: list[Line] = Field(default_factory=list, max_length=50)
    tags: list[Tag] = Field(default_factory=list, max_length=50)
    relevance_score: Annotated[float, Field(ge=0, le=1)] = 1.0
    expires_at: Line = ""


class SessionBody(Body):
    """A session to begin; `agentId` names the agent where `agentName` does not."""

    bead_id: OptionalIdent = ""
    title: Line = ""
    agent_id: OptionalIdent = ""
    agent_name: Line = ""
    tags: list[Tag] = Field(default_factory=list, max_length=50)
    start: bool = False


class SessionChange(Body):
    """A move of a session, another title, or new tags."""

    title: Line | None = None
    status: Literal["active", "paused", "closed"] | None = None
    summary: Text = ""
    add_tags: list[Tag] = Field(default_factory=list, max_length=50)
    remove_tags: list[Tag] = Field(default_factory=list, max_length=50)


class ChatBody(Body):
    """What a person says."""

    message: Annotated[str, StringConstraints(min_length=1, max_length=100_000)]


class TaskBody(Body):
    """A task to make."""

    title: Annotated[str, StringConstraints(min_length=1, max_length=500)]
    description: Text = ""
    priority: Annotated[int, Field(ge=0, le=4)] = 2
    issue_type: Literal["task", "bug", "feature", "epic", "chore"] = "task"
    labels: list[Tag] = Field(default_factory=list, max_length=50)
    parent: OptionalIdent = ""
    blocked_by: list[Ident] = Field(default_factory=list, max_length=50)


class TaskChange(Body):
    """What of a task changes."""

    status: Literal["open", "in_progress", "blocked", "deferred", "closed"] | None = None
    title: Annotated[str, StringConstraints(min_length=1, max_length=500)] | None = None
    description: Text | None = None
    priority: Annotated[int, Field(ge=0, le=4)] | None = None
    summary: Text = ""


class CommentBody(Body):
    """A comment; `LEARNED: …` in it is remembered."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=50_000)]


class PackBody(Body):
    """A context pack to make; `files` is for the method `manual`."""

    task: Annotated[str, StringConstraints(max_length=2_000)] = ""
    name: Line = ""
    entry: Literal["query", "file", "symbol"] = "query"
    method: Literal["codegraph", "heuristic", "manual"] = "codegraph"
    profile: Annotated[str, StringConstraints(max_length=40)] = "auto"
    files: list[Line] = Field(default_factory=list, max_length=200)
    max_tokens: Annotated[
        int,
        Field(ge=100, le=200_000, validation_alias=AliasChoices("tokenBudget", "maxTokens")),
    ] = 50_000
    max_symbols: Annotated[int, Field(ge=1, le=500)] = 50
    max_depth: Annotated[int, Field(ge=0, le=5)] = 2


class DecisionBody(Body):
    """What was decided about a proposal."""

    decision: Literal["accept", "reject", "modify"]
    text: Text = ""


class RowBody(Body):
    """The values of a row."""

    values: Object


class RouteBody(Body):
    """A message to route."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=20_000)]
    division: Line = ""
    task: OptionalIdent = ""
    dry_run: bool = False


class OutcomeBody(Body):
    """How a decision went."""

    outcome: Literal["success", "failure"]
    note: Line = ""
