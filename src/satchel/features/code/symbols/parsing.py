"""Parses a file into symbols, references, routes and words. Never fails, whatever the bytes."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from satchel.features.code.symbols.grammars import MissingGrammarError, NotParsedError, grammar_of
from satchel.features.code.symbols.languages import LANGUAGES, TEXTS, language_of
from satchel.features.code.symbols.values import ParsedFile, Reference, Symbol

_LONGEST = 400
_WORDS = {
    "function": "function",
    "func": "function",
    "fun": "function",
    "fn": "function",
    "def": "function",
    "defp": "function",
    "sub": "function",
    "proc": "function",
    "macro": "function",
    "defmacro": "function",
    "rpc": "function",
    "local function": "function",
    "class": "class",
    "object": "class",
    "struct": "class",
    "defmodule": "class",
    "contract": "class",
    "message": "class",
    "service": "interface",
    "interface": "interface",
    "trait": "interface",
    "protocol": "interface",
    "type": "type",
    "enum": "type",
    "typedef": "type",
    "union": "type",
    "data": "type",
    "table": "type",
    "view": "type",
    "resource": "type",
    "module": "class",
}
_HEAD = re.compile(
    r"^\s*(?:(?:export|default|public|private|protected|internal|static|abstract|final|async|pub|"
    r"open|override|sealed|case|data|local|create|or|replace|external|pure|view|virtual|inline|"
    r"const|unsafe|extern|@\w+)\s+)*"
    r"(?P<word>" + "|".join(sorted(_WORDS, key=len, reverse=True)) + r")\b\s+"
    r"(?:if\s+not\s+exists\s+)?[\"'`]?(?P<name>[A-Za-z_$][\w$.:?!-]*)",
    re.IGNORECASE,
)
_CALL = re.compile(r"\b([A-Za-z_][A-Za-z0-9_]{2,})\s*\(")


def scan(text: str, language: str, comments: tuple[str, ...]) -> ParsedFile:
    """Return likely definitions; each ends before the next."""
    lines = text.splitlines()
    heads: list[tuple[int, str, str]] = []
    counted: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        short = line[:_LONGEST]
        if comments and short.lstrip().startswith(comments):
            continue
        match = _HEAD.match(short)
        if match:
            name = match.group("name").strip(".:-")
            if name:
                heads.append((number, name[:120], _WORDS[match.group("word").lower()]))
                continue
        for name in _CALL.findall(short):
            there = counted.setdefault(name, [0, number])
            there[0] += 1
    symbols = []
    for place, (number, name, kind) in enumerate(heads):
        end = heads[place + 1][0] - 1 if place + 1 < len(heads) else len(lines)
        while end > number and not lines[end - 1].strip():
            end -= 1
        symbols.append(Symbol(name, kind, number, end, " ".join(lines[number - 1].split())[:200]))
    references = tuple(Reference(n, "call", c, line) for n, (c, line) in sorted(counted.items()))
    return ParsedFile(language, tuple(symbols), references)


def calls_of(text: str) -> list[tuple[str, int, str]]:
    """Return likely calls: name, line, `call`."""
    return [
        (name, number, "call")
        for number, line in enumerate(text.splitlines(), 1)
        for name in _CALL.findall(line[:_LONGEST])
    ]


_SCRIPT = re.compile(rb"<script\b[^>]*>(.*?)</script\s*>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<([A-Z][A-Za-z0-9_.]*)")
_MARKUP = frozenset({"svelte", "vue"})


def holds_scripts(language: str) -> bool:
    """Return whether a language embeds scripts in markup."""
    return language in _MARKUP


def script_of(data: bytes) -> bytes:
    """Return a file's scripts with everything else blanked, keeping line numbers."""
    kept = bytearray(re.sub(rb"[^\n]", b" ", data))
    for match in _SCRIPT.finditer(data):
        kept[match.start(1) : match.end(1)] = match.group(1)
    return bytes(kept)


def tags_of(text: str) -> list[str]:
    """Return the components that the markup uses, by name."""
    return _TAG.findall(text)


def component_of(path: str, lines: int) -> Symbol:
    """Return the file's component, named after it, or after its directory for `index`."""
    name = os.path.splitext(os.path.basename(path))[0]
    if name in ("index", "Index"):
        name = os.path.basename(os.path.dirname(path)) or name
    return Symbol(name, "component", 1, max(1, lines), f"<{name} />")


def with_components(symbols: list[Symbol], language: str, text: str) -> list[Symbol]:
    """Mark functions in JSX files that are written like components as such."""
    if language not in ("tsx", "javascript") or not ("/>" in text or "</" in text):
        return symbols
    return [
        symbol._replace(kind="component") if not symbol.parent and _is_component(symbol) else symbol
        for symbol in symbols
    ]


def _is_component(symbol: Symbol) -> bool:
    name = symbol.name
    if symbol.kind == "class":
        return "Component" in symbol.signature
    return symbol.kind == "function" and name[:1].isupper() and not name.isupper()


_VERBS = "get|post|put|patch|delete|head|options|route|websocket|all"
#: Common names of objects that register routes, as opposed to HTTP clients.
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
    if not any(
        mark in text
        for mark in ('("/', "('/", "(`/", "Mapping(", " '/", ' "/', "@Get(", "@Post(", " /", "get ")
    ):
        return found
    rails = language == "ruby" and "routes" in path
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > 400 or ("/" not in line and not rails):  # noqa: PLR2004
            continue
        found += _in_line(line, number, symbols, rails=rails)
    return found


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


#: The warning for a file whose grammar is not installed.
MISSING = "no grammar for {} is installed: definitions were looked for line by line"
TOO_DEEP = "too deep or too broken for a grammar: definitions were looked for line by line"


def parse(path: str, data: bytes, *, routes: bool = True) -> ParsedFile:
    """Parse a file: symbols in text order, references, imports, a warning."""
    first = data[:200].split(b"\n", 1)[0].decode("utf-8", "replace")
    language = language_of(path, first)
    if language in TEXTS:
        return ParsedFile(language, (), ())
    parsed = _parsed(path, data, language)
    text = data.decode("utf-8", "replace")
    symbols = with_components(list(parsed.symbols), language, text)
    if routes:
        symbols += routes_of(path, language, text, symbols)
    symbols.sort(key=lambda s: (s.line, -s.end_line))
    return parsed._replace(symbols=tuple(symbols))


def _parsed(path: str, data: bytes, language: str) -> ParsedFile:
    if holds_scripts(language):
        return _component(path, data, language)
    known = LANGUAGES[language]
    text = data.decode("utf-8", "replace")
    if not known.rules:
        return scan(text, language, known.comments)
    try:
        name = "cpp" if language == "c" and _is_cpp(path, data) else language
        return grammar_of(name).parse(data)._replace(language=language)
    except NotParsedError as error:
        found = scan(text, language, known.comments)
        return found._replace(warning=_warning(error, language))


def _warning(error: NotParsedError, language: str) -> str:
    return MISSING.format(language) if isinstance(error, MissingGrammarError) else TOO_DEEP


def _is_cpp(path: str, data: bytes) -> bool:
    """Return whether a header is C++: C has no classes, namespaces or templates."""
    if not path.endswith(".h"):
        return False
    return any(mark in data for mark in (b"\nclass ", b"namespace ", b"template<", b"template <"))


def _component(path: str, data: bytes, language: str) -> ParsedFile:
    component = component_of(path, data.count(b"\n") + 1)
    tags = sorted(set(tags_of(data.decode("utf-8", "replace"))))
    used = [Reference(name, "call", 1, 1) for name in tags]
    try:
        script = grammar_of("typescript").parse(script_of(data))
    except NotParsedError as error:
        return ParsedFile(language, (component,), tuple(used), (), _warning(error, language))
    known = {reference.name for reference in script.references}
    references = (*script.references, *(r for r in used if r.name not in known))
    return ParsedFile(language, (component, *script.symbols), references, script.imports)
