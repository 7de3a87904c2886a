"""Shared by all answers: naming, and common fields."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


def says(what: str, *examples: Any, **more: Any) -> Any:
    """Describe a field with its meaning and examples; `more` is its name in JSON, its bounds."""
    return Field(description=what, examples=list(examples) or None, **more)


def without_defaults(schema: dict[str, Any]) -> None:
    """Move defaults into descriptions: generators treat defaulted fields as always present."""
    for one in schema.get("properties", {}).values():
        default = one.pop("default", None)
        if default not in (None, "", [], {}):
            one["description"] += f" `{json.dumps(default)}` unless given."


class Answer(BaseModel):
    """An answer in camelCase. An undeclared field is a bug in the server."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        extra="forbid",
        json_schema_extra=without_defaults,
    )


class Plain(Answer):
    """An answer with the product's own field names, in snake_case."""

    model_config = ConfigDict(alias_generator=None)


class Extensible(Plain):
    """An answer that may carry fields of other programs or of the user."""

    model_config = ConfigDict(extra="allow")


MemoryId = Annotated[str, says("Id of the memory.", "01M8ZK3V5T9Q2R7XBNCD4EFGHJ")]
TaskId = Annotated[str, says('Id of the task; "" for none.', "shop-a1b2")]
SessionId = Annotated[str, says("Id of the session.", "01M8ZK5R0S6T7V8W9XAYBZCDEF")]
ProposalId = Annotated[str, says("Id of the suggestion.", "01M8ZK7A1B2C3D4E5F6G7H8J9K")]
Time = Annotated[str, says("ISO 8601, UTC.", "2026-03-16T14:30:00.000Z")]
TimeOrNone = Annotated[str, says('ISO 8601, UTC; "" if it has not happened yet.', "")]
Trust = Annotated[str, says("Who it comes from: user, agent, repo, tool, web or imported.", "user")]
Held = Annotated[
    str, says('"unapproved" if it came with the repository and nobody has approved it.', "")
]
Tags = Annotated[list[str], says("Free-form tags.", ["database"])]
Total = Annotated[int, says("Total number on all pages.", 1)]
NextCursor = Annotated[str, says('`cursor` of the next page; "" on the last one.', "")]
Tokens = Annotated[int, says("How many tokens it takes.", 42)]


class Page(Answer):
    """One page of a list, and how to ask for the next one."""

    total: Total
    next_cursor: NextCursor
