"""Routes of web applications: which function serves which address, by patterns."""

from __future__ import annotations

import re

from satchel.features.code.values import Symbol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_VERBS = "get|post|put|patch|delete|head|options|route|websocket|all"
#: Whatever registers routes is called so by nearly everybody; an HTTP client is not.
_SERVERS = (
    r"\w{0,40}(?:app|router|routes?|server|api|bp|blueprint|mux|engine|group|fastify)\w{0,40}|r|e|g"
)
_DECORATED = re.compile(
    rf"^\s*@\w+(?:\.\w+)*\.({_VERBS})\(\s*[rf]?[\"'](/[^\"'\s]*)[\"']", re.IGNORECASE
)
_MAPPED = re.compile(
    r"^\s*@(Get|Post|Put|Patch|Delete|Request)(?:Mapping)?\(\s*(?:value\s*=\s*|path\s*=\s*)?"
    r"[\"']([^\"'\s]*)[\"']"
)
_CALLED = re.compile(
    rf"(?<![\w.])(?:{_SERVERS})\.({_VERBS}|Get|Post|Put|Patch|Delete|GET|POST|PUT|PATCH|DELETE|"
    r"HandleFunc|Handle)\(\s*[\"'`](?:([A-Z]+) )?(/[^\"'`\s]*)[\"'`]\s*,"
)
_HANDLED = re.compile(r"\bhttp\.Handle(?:Func)?\(\s*\"(?:([A-Z]+) )?(/[^\"\s]*)\"\s*,")
_RAILS = re.compile(r"^\s*(get|post|put|patch|delete)\s+[\"'](/?[\w/:.*()-]+)[\"']")
_BY_FILE = re.compile(
    r"(?:^|/)(?:src/)?(?:routes|app|pages)(/(?:.*/)?)(?:(\+server|route)\.[cm]?[jt]s$|"
    r"(\+page)(?:\.server)?\.(?:svelte|[jt]s)$|(page)\.[jt]sx$)"
)
_PAGES_API = re.compile(r"(?:^|/)pages(/api/.*?)(?:/index)?\.[jt]sx?$")
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
_GROUP = re.compile(r"/\([^)/]*\)")


def routes_of(path: str, language: str, text: str, symbols: Sequence[Symbol]) -> list[Symbol]:
    """Return the routes that a file declares, named like `GET /users`."""
    found = _from_file_name(path, symbols, text.count("\n") + 1)
    if not _may_route(text):
        return found
    rails = language == "ruby" and "routes" in path
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > 400 or ("/" not in line and not rails):  # noqa: PLR2004
            continue
        found += _in_line(line, number, symbols, rails=rails)
    return found


def _may_route(text: str) -> bool:
    return any(
        mark in text
        for mark in ('("/', "('/", "(`/", "Mapping(", " '/", ' "/', "@Get(", "@Post(", " /", "get ")
    )


def _in_line(line: str, number: int, symbols: Sequence[Symbol], *, rails: bool) -> list[Symbol]:
    match = _DECORATED.match(line) or _MAPPED.match(line)
    if match:
        verb, address = match.group(1).upper(), match.group(2)
        verb = "ANY" if verb in ("ROUTE", "ALL", "REQUEST") else verb
        below = [s for s in symbols if number <= s.line <= number + 12 and s.kind != "variable"]
        below += [s for s in symbols if s.line <= number <= s.end_line and s.kind == "method"]
        handler = min(below, key=lambda s: (s.line < number, s.line), default=None)
        end = handler.end_line if handler else number
        parent = handler.qualified if handler else ""
        return [_route(verb, address, number, line, end=end, parent=parent)]
    match = _CALLED.search(line)
    if match:
        verb = match.group(1).upper()
        verb = match.group(2) or ("ANY" if verb.startswith(("HANDLE", "ROUTE", "ALL")) else verb)
        return [_route(verb, match.group(3), number, line)]
    match = _HANDLED.search(line)
    if match:
        return [_route(match.group(1) or "ANY", match.group(2), number, line)]
    match = _RAILS.match(line) if rails else None
    if match:
        address = "/" + match.group(2).lstrip("/")
        return [_route(match.group(1).upper(), address, number, line)]
    return []


def _route(
    verb: str, address: str, line: int, text: str, *, end: int = 0, parent: str = ""
) -> Symbol:
    name = f"{verb} {address or '/'}"[:120]
    return Symbol(
        name,
        "route",
        line,
        end_line=max(line, end),
        signature=" ".join(text.split())[:200],
        documentation="",
        parent=parent,
    )


def _from_file_name(path: str, symbols: Sequence[Symbol], lines: int) -> list[Symbol]:
    match = _BY_FILE.search(path)
    if match:
        address = _GROUP.sub("", match.group(1)).rstrip("/") or "/"
        if not match.group(2):
            return [_route("GET", address, 1, path, end=lines)]
        verbs = [s for s in symbols if s.name in _METHODS and not s.parent]
        return [
            _route(s.name, address, s.line, s.signature, end=s.end_line, parent=s.name)
            for s in verbs
        ]
    match = _PAGES_API.search(path)
    return [_route("ANY", match.group(1), 1, path, end=lines)] if match else []
