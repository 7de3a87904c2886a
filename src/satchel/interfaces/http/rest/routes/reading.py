"""`/api/docs` and `/api/problems`: the API documentation as pages, offline and without scripts."""

from __future__ import annotations

import os
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from satchel.core.errors import NotFoundError
from satchel.interfaces.http.rest.description import operations
from satchel.interfaces.http.server.problem_types import BY_NAME, PROBLEMS

DOCS = "/api/docs"
#: Need no token: they describe the API, and contain no data.
OPEN_PATHS = (DOCS, "/api/openapi.json", PROBLEMS, f"{PROBLEMS}/")
_HERE = os.path.dirname(os.path.abspath(__file__))
_TEMPLATES = Environment(
    loader=FileSystemLoader(os.path.join(_HERE, os.pardir, "templates")),
    autoescape=select_autoescape(default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)

router = APIRouter(include_in_schema=False)


@router.get(DOCS)
def read_docs(request: Request) -> Response:
    """Every operation with its parameters, responses and errors."""
    document = request.app.openapi()
    by_tag: dict[str, list[tuple[str, str, dict[str, Any]]]] = {}
    for path, method, one in operations(document):
        by_tag.setdefault(one.get("tags", [""])[0], []).append((path, method, one))
    schemas = document["components"]["schemas"]
    return _page("docs.html", document=document, by_tag=by_tag, schemas=schemas, type_of=type_of)


@router.get(PROBLEMS)
def list_problems() -> Response:
    """Redirect to the kinds of problems, at the end of the documentation."""
    return RedirectResponse(f"{DOCS}#problems", 303)


@router.get(PROBLEMS + "/{name}")
def read_problem(name: str) -> Response:
    """What a kind of problem means, and how to solve it."""
    known = BY_NAME.get(name)
    if known is None:
        raise NotFoundError("There is no such kind of problem.", hint=f"{DOCS}#problems has all.")
    return _page("problem.html", problem=known)


def _page(name: str, **values: Any) -> HTMLResponse:
    text = _TEMPLATES.get_template(name).render(problems=BY_NAME, uri=PROBLEMS, **values)
    return HTMLResponse(text, headers={"Cache-Control": "no-cache"})


def type_of(schema: dict[str, Any]) -> str:
    """Describe a field's type in a few words, or by its name if it has one."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(type_of(one) for one in schema[several])
    if "enum" in schema:
        return " or ".join(f"`{one}`" for one in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if schema.get("type") == "array":
        return f"list of {type_of(schema.get('items', {}))}"
    of = schema.get("additionalProperties")
    if schema.get("type") == "object" and isinstance(of, dict):
        return f"object of {type_of(of)}"
    return str(schema.get("type", "anything"))
