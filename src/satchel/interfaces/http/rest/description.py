"""The OpenAPI document: what routes and models declare, and what follows for every operation.

An operation's possible errors follow from its parameters; only those of its own work are declared
at its route (`may`).
"""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from satchel import __version__
from satchel.interfaces.http.rest.problems import Problem
from satchel.interfaces.http.server.problem_types import BY_NAME, BY_STATUS, PROBLEMS, ProblemType

#: The default example for a field without one.
_EMPTY: dict[str, Any] = {
    "string": "text",
    "integer": 1,
    "number": 1.0,
    "boolean": True,
    "object": {},
    "array": [],
}


def example_of(schema: dict[str, Any], schemas: dict[str, Any]) -> Any:
    """Return an example that fits a schema.

    Args:
        schemas: targets of `$ref`, by name.
    """
    for given in (schema.get("examples"), schema.get("enum")):
        if given:
            return given[0]
    for name in ("const", "default"):
        if name in schema:
            return schema[name]
    if "$ref" in schema:
        return example_of(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    for name in ("anyOf", "oneOf", "allOf"):
        if name in schema:
            return example_of(schema[name][0], schemas)
    if "properties" in schema:
        return _object(schema, schemas)
    if schema.get("type") == "array" and "$ref" in str(schema.get("items")):
        return [example_of(schema["items"], schemas)]
    return _EMPTY.get(str(schema.get("type")), {})


def _object(schema: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """Return every required field, and those that have an example."""
    needed = set(schema.get("required", ()))
    return {
        name: example_of(one, schemas)
        for name, one in schema["properties"].items()
        if name in needed or one.get("examples", [""])[0] not in ("", [], {})
    }


_ABOUT = """The memory that coding agents carry from session to session.

**Who asks.** Every operation needs `Authorization: Bearer TOKEN`, but for `/healthz`, `/readyz`
and this documentation. `{projectId}` is a project's id, key or name, or `current`.

**Pages.** Lists take `limit` and `cursor`; `nextCursor` leads to the next page, and is empty on
the last one. A list that changes meanwhile neither repeats nor skips memories.

**Conditional requests.** What is read has an `ETag`; with it in `If-None-Match` the answer is 304
and empty where nothing changed. What is changed takes it in `If-Match`: 412 where somebody else
was faster, and nothing is overwritten.

**Doing something once.** A POST that makes something takes an `Idempotency-Key`: a request that is
sent again after a lost answer is not done again. GET, PUT and DELETE can be repeated anyway.

**Problems.** Errors are `application/problem+json` (RFC 9457): `type` leads to a page about its
kind, `instance` is the path that was asked, `errors` points at every wrong field, `hint` is the
next step. Any request may be refused before it reaches an operation: 400 (the URL is too long),
408 (its body is late), 421 (another host name).
"""
_TAGS = {
    "memory": "What is remembered: made, found, corrected, deleted and brought back.",
    "intent": "What the project is for, and which tasks are about which part of it.",
    "sessions": "Sessions, and what agents were shown in them.",
    "chat": "A conversation with a model that knows the project.",
    "work": "Tasks and suggestions.",
    "knowledge": "Notes, context packs, tables, and where code comes from.",
    "server": "The server itself: projects, figures, health, live changes.",
}
_BODIES = ("post", "put", "patch")
_JSON, _PROBLEM = "application/json", "application/problem+json"
_INVALID, _WAITING = 422, (429, 503)


def openapi_of(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document of an application."""
    document = get_openapi(
        title="Satchel",
        version=__version__,
        summary="The memory that coding agents carry from session to session.",
        description=_ABOUT,
        routes=app.routes,
        tags=[{"name": name, "description": about} for name, about in _TAGS.items()],
        servers=[{"url": "/", "description": "The server that this document comes from."}],
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
    )
    document["externalDocs"] = {"url": "/api/docs", "description": "The same, as a page."}
    document["security"] = [{"token": []}]
    parts = document.setdefault("components", {})
    parts["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "`satchel serve token`"}
    }
    schemas = parts.setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    _, extra = models_json_schema(
        [(Problem, "serialization")], ref_template="#/components/schemas/{model}"
    )
    schemas.update(extra["$defs"])
    for path, method, operation in operations(document):
        _add_errors(path, method, operation)
        if method == "get":
            _add_condition(operation)
        _add_examples(operation, schemas)
    used = {
        answer["$ref"].rpartition("/")[2]
        for _, _, operation in operations(document)
        for answer in operation["responses"].values()
        if "$ref" in answer
    }
    parts["responses"] = {name: _refusal(one) for name, one in BY_NAME.items() if name in used}
    return document


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield every operation with its path and method."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def _add_errors(path: str, method: str, operation: dict[str, Any]) -> None:
    answers = operation["responses"]
    headers = {one["name"] for one in operation.get("parameters", [])}
    implied = {
        401: operation.get("security") != [],
        404: "{" in path,
        409: "Idempotency-Key" in headers,
        412: "If-Match" in headers,
        413: method in _BODIES and "requestBody" in operation,
        429: operation.get("security") != [],
        507: path.startswith("/api/projects/{"),
    }
    said = {int(status) for status in answers if status[0] in "45"} | {403, 503}
    said |= {status for status, holds in implied.items() if holds}
    for status in sorted(said):
        answer = answers.pop(str(status), {})
        if _JSON in answer.get("content", {}) and status != _INVALID:
            answers[str(status)] = answer  # it has a body of its own
            continue
        answers[str(status)] = {"$ref": f"#/components/responses/{BY_STATUS[status].name}"}


def _add_condition(operation: dict[str, Any]) -> None:
    """Document the ETag of readable resources."""
    answer = operation["responses"]["200"]
    if operation.get("security") == [] or _JSON not in answer.get("content", {}):
        return
    tag = {"description": "Of this answer.", "schema": {"type": "string"}}
    answer["headers"] = {"ETag": tag}
    unchanged = {"description": "Not modified: nothing is sent.", "headers": {"ETag": tag}}
    operation["responses"]["304"] = unchanged
    operation.setdefault("parameters", []).append(
        {
            "name": "If-None-Match",
            "in": "header",
            "required": False,
            "description": "The `ETag` of your copy: 304 if nothing has changed.",
            "schema": {"type": "string"},
        }
    )


def _add_examples(operation: dict[str, Any], schemas: dict[str, Any]) -> None:
    bodies = [operation["requestBody"]] if "requestBody" in operation else []
    for one in [*bodies, *operation["responses"].values()]:
        for kind, content in one.get("content", {}).items():
            if kind == _JSON and "schema" in content:
                content.setdefault("example", example_of(content["schema"], schemas))


def _refusal(kind: ProblemType) -> dict[str, Any]:
    """Return the OpenAPI response for one kind of problem."""
    example: dict[str, Any] = {
        "type": f"{PROBLEMS}/{kind.name}",
        "title": HTTPStatus(kind.status).phrase,
        "status": kind.status,
        "detail": kind.meaning,
        "instance": "/api/projects/current/memory",
        "hint": kind.next_step,
    }
    if kind.status == _INVALID:
        example["errors"] = [{"detail": "Field required", "pointer": "#/content"}]
    answer: dict[str, Any] = {
        "description": kind.meaning,
        "content": {
            _PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}, "example": example}
        },
    }
    if kind.status in _WAITING:
        seconds = {"description": "Seconds to wait.", "schema": {"type": "string"}}
        answer["headers"] = {"Retry-After": seconds}
    return answer
