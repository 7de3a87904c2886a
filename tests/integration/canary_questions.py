"""Everything that can be asked of a project: each route, page, tool, resource and prompt there is.

Nothing is listed here by its name: a route that is new tomorrow is asked tomorrow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import iter_route_contexts
from starlette.testclient import TestClient

from integration.canaries_made import EVERYWHERE, PUBLIC, TASK, World
from satchel.application.recall.results import TIERS
from satchel.application.recall.routing import SOURCES
from satchel.core.errors import SatchelError
from satchel.interfaces.mcp import prompts, resources
from satchel.interfaces.mcp.profiles import PROFILES, tools_of
from satchel.interfaces.mcp.schemas import Call, Tool, checked
from satchel.workspace import Workspace

Told = Iterator[tuple[str, str]]
#: They lead to each tier, by the default table and by words alone.
QUESTIONS = (
    EVERYWHERE,
    f"what is my {EVERYWHERE} preference",
    f"what did we say about {EVERYWHERE} in our last session",
)
ASKED_TIERS = ("", *TIERS, *(f"{tier}/{one}" for tier in TIERS for one in SOURCES[tier]))
_READS = ("get", "head")
_SAYS = f"Tell me about {EVERYWHERE}"
#: Values of parameters by their names; any other one gets an id, or a word.
_BY_NAME = {
    "q": QUESTIONS, "query": QUESTIONS, "question": QUESTIONS, "tier": ASKED_TIERS,
    "state": ("all", "pending", "rejected"), "anchor": ("lamps",), "beadId": ("", TASK),
    "task": ("", TASK), "table": ("lamps",), "told": ("",), "cursor": ("",), "where": (),
    "kind": ("", "learned", "constraint", "preference"), "at": ("0", "1", "2", "3"),
    "expiresAt": ("",), "sort": ("",), "blockedBy": (), "parent": ("",), "name": ("",),
    "section": ("", "chat", "notes"), "tab": ("", "shown", "from", "history", "connected"),
    "focus": ("", EVERYWHERE), "view": ("", "list"), "only": ("", "suggestions"),
    "decision": ("accept", "reject", "modify"), "relevance": ("primary",), "token": ("none",),
}  # fmt: skip


class Route(NamedTuple):
    """One route with one method, as OpenAPI describes it; and the schemas that it names."""

    method: str
    path: str
    about: dict[str, Any]
    parts: dict[str, Any]


def routes_of(app: FastAPI) -> list[Route]:
    """Return every route of an application, pages of the console among them."""
    routes = list(iter_route_contexts(app.routes))
    for one in routes:
        # Pages of the console are in no schema; here they are to be.
        if one._route_context is not None:
            one._route_context.include_in_schema = True
    schema = get_openapi(title="all", version="1", routes=routes)
    parts = schema.get("components", {}).get("schemas", {})
    return [
        Route(method, path, about, parts)
        for path, methods in schema["paths"].items()
        for method, about in methods.items()
    ]


def asked_over_http(client: TestClient, world: World, routes: list[Route], *, writes: bool) -> Told:
    """Ask every route: all that read, or with `writes` all that do not; yield headers and body."""
    wanted = [one for one in routes if (one.method not in _READS) is writes]
    # What is taken away is asked for before.
    for route in sorted(wanted, key=lambda one: one.method == "delete"):
        for path in _paths(route, world):
            for query in _queries(route):
                for body in _bodies(route) if writes else [{}]:
                    answer = client.request(
                        route.method, path, params=query, follow_redirects=False,
                        headers={"accept": "text/html, application/json"}, **body,
                    )  # fmt: skip
                    if answer.status_code in (405, 429) or answer.status_code >= 500:
                        raise AssertionError((route.method, path, query, body, answer.text))
                    where = f"{route.method} {route.path} {query} {answer.status_code}"
                    yield where, f"{dict(answer.headers)}\n{answer.text}"


def _paths(route: Route, world: World) -> list[str]:
    paths = [route.path]
    for one in route.about.get("parameters", ()):
        if one["in"] == "path":
            values = [world.key] if one["name"] in ("projectId", "project") else world.idents
            mark = "{" + one["name"] + "}"
            paths = [p.replace(mark, quote(v, safe="")) for p in paths for v in values]
    return paths


def _queries(route: Route) -> list[dict[str, str]]:
    """Return what is asked: every question at every tier, every value of all else once."""
    given: dict[str, tuple[str, ...]] = {}
    for one in route.about.get("parameters", ()):
        if one["in"] == "query":
            given[one["name"]] = _values(one["name"], one["schema"])
    first = {name: values[0] for name, values in given.items() if values}
    asked = [{**first, name: value} for name, values in given.items() for value in values]
    asked.append({})  # as a page is opened first
    for question in given.get("q", ()):
        asked += [{**first, "q": question, "tier": tier} for tier in given.get("tier", ())]
    sent = (tuple((n, v) for n, v in sorted(one.items()) if v) for one in asked)
    return [dict(one) for one in dict.fromkeys(sent)] or [{}]


def _values(name: str, schema: dict[str, Any]) -> tuple[str, ...]:
    if name in _BY_NAME:
        return _BY_NAME[name]
    if "enum" in schema:
        return tuple(schema["enum"])
    kind = schema.get("type", "")
    if kind == "boolean":
        return ("false", "true")
    if kind == "integer":
        return (str(schema.get("maximum", 10) if name == "limit" else schema.get("default", 1)),)
    return ("",)


def _bodies(route: Route) -> list[dict[str, Any]]:
    content = route.about.get("requestBody", {}).get("content", {})
    for media, told in content.items():
        schema = _resolved(told["schema"], route.parts)
        fields = {
            name: _sample(name, _resolved(one, route.parts))
            for name, one in schema.get("properties", {}).items()
        }
        first = {name: values[0] for name, values in fields.items() if values}
        every = [{**first, n: v} for n, values in fields.items() for v in values]
        return [{"json" if "json" in media else "data": one} for one in every] or [{}]
    return [{}]


def _resolved(schema: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    for one in schema.get("anyOf", ()):
        if one.get("type") != "null":
            return _resolved(one, parts)
    if "$ref" in schema:
        return _resolved(parts[schema["$ref"].rpartition("/")[2]], parts)
    return schema


def _sample(name: str, schema: dict[str, Any]) -> tuple[Any, ...]:
    if name in _BY_NAME:
        return _BY_NAME[name]
    if "enum" in schema:
        return tuple(schema["enum"])
    kind = schema.get("type", "")
    plain: dict[str, tuple[Any, ...]] = {
        "boolean": (False, True),
        "array": ([],),
        "integer": (1,),
        "number": (1.0,),
    }
    if kind in plain:
        return plain[kind]
    if kind == "object":
        return ({"name": PUBLIC},) if name == "values" else ({},)
    if name.lower().endswith("id"):
        return (TASK,)
    return ("learned",) if name == "kind" else (_SAYS,)


# MCP


def asked_over_mcp(work: Workspace, world: World) -> Told:
    """Call every tool of every profile, read every resource, make every prompt."""
    tools = {tool.name: tool for profile in PROFILES for tool in tools_of(profile)}
    for tool in tools.values():
        for given in _arguments(tool, world):
            yield f"mcp {tool.name} {given}", _called(work, tool, given)
    offered = [one.uri for one in resources.available_resources(work)]
    for template in resources.TEMPLATES:
        head = template.uri.partition("{")[0]
        offered += [head + quote(ident, safe="") for ident in world.idents]
    for uri in dict.fromkeys(offered):
        yield f"mcp {uri}", _told(lambda uri=uri: resources.read(work, uri)[0])
    for prompt in prompts.PROMPTS.values():
        for question in QUESTIONS:
            given = dict.fromkeys([name for name, _, _ in prompt.takes], question)
            given |= {
                name: value for name, value in (("task", TASK), ("group", "")) if name in given
            }
            text = _told(lambda: prompts.make(work, prompt.name, given, _tell)[1])  # noqa: B023
            yield f"mcp /{prompt.name} {given}", text


def _arguments(tool: Tool, world: World) -> list[dict[str, Any]]:
    fields: dict[str, tuple[Any, ...]] = {}
    for name, schema in tool.takes.items():
        if name in ("id", "given", "session"):
            fields[name] = tuple(world.idents)
        elif name in ("question", "query", "content", "text", "message"):
            fields[name] = QUESTIONS
        elif name == "tier":
            fields[name] = ASKED_TIERS
        elif schema.get("enum"):
            fields[name] = tuple(schema["enum"])
        elif schema["type"] == "boolean":
            fields[name] = (False, True)
        elif name in tool.needs:
            fields[name] = (_SAYS,) if schema["type"] == "string" else ()
        elif name == "limit":
            fields[name] = (schema.get("maximum", 10),)
    first = {name: values[0] for name, values in fields.items() if values}
    asked = [{**first, name: value} for name, values in fields.items() for value in values] or [{}]
    alone = [{name: value} for name, values in fields.items() for value in values]
    return [*asked, *(one for one in alone if set(tool.needs) <= set(one))]


def _called(work: Workspace, tool: Tool, given: dict[str, Any]) -> str:
    def call() -> str:
        return tool.run(Call(work, checked(tool, given), "test", _tell))

    return _told(call)


def _told(ask: Any) -> str:
    try:
        return str(ask())
    except SatchelError as error:
        return f"{error}\n{error.hint}"


def _tell(done: int, total: int, words: str) -> None:
    """Nobody watches."""


# What agents get


def composed(work: Workspace) -> Told:
    """Compose what agents get of a project: briefs, prompts, research."""
    yield "session brief", work.briefs.session(task=TASK).text
    yield "prime", work.briefs.prime(task=TASK).text
    for question in QUESTIONS:
        yield "prompt brief", work.briefs.prompt(question, session="s9").text
        yield "assembled", work.briefs.parts.assembled(question, task=TASK, pack=EVERYWHERE).system
        yield "research", str(work.research.ask(question, save=False))
    yield "findings", str(work.examine())
