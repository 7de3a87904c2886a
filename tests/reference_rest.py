"""The tables of docs/reference/rest.md: routes, bodies, answers and problems, from OpenAPI."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from satchel.interfaces.http.rest.app import create_app
from satchel.interfaces.http.rest.description import operations
from satchel.interfaces.http.rest.routes.reading import type_of
from satchel.interfaces.http.server.problem_types import BY_NAME

Table = Callable[[tuple[str, ...], Sequence[tuple[str, ...]]], str]


@functools.cache
def document() -> dict[str, Any]:
    """The OpenAPI document: routes are described without a project being open."""
    return create_app(cast("Any", None)).openapi()


def _named(schema: dict[str, Any]) -> list[str]:
    """The names of models that a schema speaks of."""
    if "$ref" in schema:
        return [schema["$ref"].rpartition("/")[2]]
    inside = [*schema.get("anyOf", []), schema.get("items", {})]
    return [name for one in inside if one for name in _named(one)]


def _contents(parts: Iterable[dict[str, Any]]) -> list[str]:
    schemas = [content["schema"] for part in parts for content in part.get("content", {}).values()]
    return list(dict.fromkeys(name for one in schemas for name in _named(one)))


def rest_part(table: Table) -> str:
    """Every route of the REST API."""
    rows = []
    for path, method, one in operations(document()):
        asked = [f"`{p['name']}`" for p in one.get("parameters", []) if p["in"] == "query"]
        body = _contents([one.get("requestBody", {})])
        answer = _contents(a for status, a in one["responses"].items() if status[0] == "2")
        called = (f"`{method.upper()}`", f"`{path}`", one["summary"])
        rows.append((*called, ", ".join(asked), _linked(body), _linked(answer)))
    return table(("method", "path", "does", "query", "body", "answer"), rows)


def _linked(names: list[str]) -> str:
    return " or ".join(f"[{name}](#{name.lower()})" for name in names)


def _models(table: Table, names: Iterable[str], always: str) -> str:
    parts = []
    for name in sorted(names):
        schema = document()["components"]["schemas"][name]
        needed = set(schema.get("required", []))
        rows = [
            (
                f"`{field}`",
                type_of(inside).removesuffix(" or null"),
                "yes" if field in needed else "",
                str(inside.get("description", "")),
            )
            for field, inside in schema.get("properties", {}).items()
        ]
        about = str(schema.get("description", "")).split("\n\n")[0]
        parts += [f"### {name}", about, table(("field", "type", always, "means"), rows)]
    return "\n\n".join(part for part in parts if part)


def _sent() -> set[str]:
    return {
        name
        for *_, one in operations(document())
        for name in _contents([one.get("requestBody", {})])
    }


def bodies_part(table: Table) -> str:
    """What requests hold."""
    return _models(table, _sent(), "needed")


def answers_part(table: Table) -> str:
    """What answers hold."""
    return _models(table, document()["components"]["schemas"].keys() - _sent(), "always")


def problems_part(table: Table) -> str:
    """The kinds of problems."""
    rows = [
        (str(one.status), f"`{name}`", one.meaning, one.next_step) for name, one in BY_NAME.items()
    ]
    return table(("status", "kind", "means", "what to do"), rows)
