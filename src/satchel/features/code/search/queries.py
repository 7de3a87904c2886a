"""Queries on the map: what implements something, a file's symbols, a symbol's users, the state."""

from __future__ import annotations

import re
from collections import Counter

from satchel.core.errors import NotFoundError
from satchel.core.values import Any, NamedTuple
from satchel.features.code.anchors.rules import named
from satchel.features.code.map.reading import Tree
from satchel.features.code.map.related import reach_of
from satchel.features.code.map.store import CodeStore
from satchel.features.code.search.questions import CHANGES, expression, take_apart
from satchel.features.code.search.ranking import Ranker
from satchel.features.code.symbols.grammars import NotParsedError, grammar_of
from satchel.features.code.symbols.languages import LANGUAGES, is_scanned, language_of
from satchel.features.code.symbols.parsing import calls_of, holds_scripts, script_of
from satchel.features.code.symbols.values import CodeFile, RankedFile, Symbol, SymbolMatch
from satchel.features.code.symbols.words import parts_of

_CANDIDATES = 200
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
#: How likely the answer to "where is X" is of this kind, or in such a file.
_KINDS = {"variable": 0.75, "route": 0.95}
_ROLES = {"test": 0.55, "generated": 0.5, "doc": 0.8}


def find(
    store: CodeStore, ranker: Ranker, text: str, *, limit: int = 10
) -> tuple[list[SymbolMatch], list[RankedFile]]:
    """Return matching symbols and files, best first."""
    question = take_apart(text)
    words = {w: 2 for w, weight in question.words.items() if weight > 1 and w not in CHANGES}
    words = words or question.words
    ranked = ranker.rank(text, most=max(50, limit))
    by_path = {one.path: one.score for one in ranked}
    matched = store.match("symbol", expression(words), _CANDIDATES)
    names = [*question.identifiers, *_NAME.findall(text)][:60]
    rows = store.symbols("symbols_numbered", sorted(matched))
    rows += store.symbols("symbols_named", sorted(set(names)))
    best = max(matched.values(), default=1.0)
    found: dict[tuple[str, int, str], SymbolMatch] = {}
    for number, ident, symbol in rows:
        file = ranker.files[number]
        if ranker.is_own(file.path, text):
            continue
        score = _score(symbol, file, matched.get(ident, 0.0) / best, words, set(names))
        score = 0.8 * score + 0.2 * by_path.get(file.path, 0.0)
        key = (file.path, symbol.line, symbol.name)
        if key not in found or found[key].score < score:
            found[key] = SymbolMatch(file.path, symbol, round(min(1.0, score), 3))
    ordered = sorted(found.values(), key=lambda f: (-f.score, f.path, f.symbol.line))
    return ordered[:limit], ranked[:limit]


def _score(
    symbol: Symbol, file: CodeFile, matched: float, words: dict[str, int], names: set[str]
) -> float:
    """Return a definition's score, 0 to 1: match, share of words in its name, exactness."""
    own = set(parts_of(symbol.name)) | set(parts_of(symbol.parent.rsplit(".", 1)[-1]))
    asked = {word for word in words if len(word) > 1}
    share = len({w for w in asked if _holds(own, w)}) / max(1, len(asked))
    exact = 1.0 if symbol.name in names and len(symbol.name) > 3 else 0.0  # noqa: PLR2004
    score = 0.45 * matched + 0.3 * share + 0.25 * exact
    return score * _KINDS.get(symbol.kind, 1.0) * _ROLES.get(file.role, 1.0)


def _holds(own: set[str], word: str) -> bool:
    if word in own:
        return True
    root = word[: max(4, len(word) - 3)]
    return len(word) > 4 and any(part.startswith(root) for part in own)  # noqa: PLR2004


def calls_in(path: str, data: bytes) -> list[tuple[str, int, str]]:
    """Return every use of a name in a file: name, line, kind (call, use, member)."""
    first = data[:200].split(b"\n", 1)[0].decode("utf-8", "replace")
    language = language_of(path, first)
    if holds_scripts(language):
        language, data = "typescript", script_of(data)
    if language not in LANGUAGES:
        return []
    if not LANGUAGES[language].rules:
        return calls_of(data.decode("utf-8", "replace"))
    try:
        return grammar_of(language).calls(data)
    except NotParsedError:
        return calls_of(data.decode("utf-8", "replace"))


#: Most files to read for the lines where a symbol is used.
_MOST_READ = 200


class Usage(NamedTuple):
    """A use of a name: the enclosing definition ("" for none), and the kind."""

    path: str
    line: int
    within: str
    kind: str


class SymbolUsages(NamedTuple):
    """A symbol's definitions, the uses of its name, and the names it uses.

    Uses are by name: if several files define it, a use may mean any of them.
    """

    definitions: tuple[tuple[str, Symbol], ...]
    callers: tuple[Usage, ...]
    callees: tuple[tuple[str, str, int], ...]
    left_out: int


def symbols_of(store: CodeStore, path: str) -> list[Symbol]:
    """Return a file's definitions. Raises `NotFoundError` if it is not in the map."""
    if not store.ask("number_of", path):
        raise NotFoundError(
            f"{path[:200]} is not a file of the map.",
            hint="Paths begin at the top of the project; what git ignores is left out.",
        )
    return store.symbols_of(path)


def warning_of(store: CodeStore, path: str) -> str:
    """Return what was wrong with a file when it was read, or ""."""
    return store.marks([path]).get(path, ("", "", ""))[2]


def users_of(store: CodeStore, tree: Tree, name: str, *, limit: int) -> SymbolUsages:
    """Return a symbol's users and what it uses. Raises `NotFoundError` if it is unknown."""
    files = store.files()
    last = name.replace("::", ".").replace("#", ".").rsplit(".", 1)[-1]
    rows = store.symbols("symbols_named", [last])
    wanted = set(named([symbol for _, _, symbol in rows], name))
    definitions = tuple((files[f].path, s) for f, _, s in rows if s in wanted)
    users = store.ask("users_named", last, _MOST_READ)
    if not definitions and not users:
        raise NotFoundError(
            f"The map has nothing called {name[:120]!r}.",
            hint=f"`satchel code find {last[:40]}` searches for similar names.",
        )
    found: list[Usage] = []
    for row in users:
        path = str(row[0])
        symbols = store.symbols_of(path)
        for used, line, kind in calls_in(path, tree.data(path)):
            if used == last:
                found.append(Usage(path, line, _within(symbols, line), kind))
    return SymbolUsages(
        definitions,
        tuple(found[:limit]),
        _callees(store, tree, definitions, limit),
        max(0, len(found) - limit),
    )


def _within(symbols: list[Symbol], line: int) -> str:
    around = [s for s in symbols if s.line <= line <= s.end_line and s.kind != "route"]
    return around[-1].qualified if around else ""


def _callees(
    store: CodeStore, tree: Tree, definitions: tuple[tuple[str, Symbol], ...], limit: int
) -> tuple[tuple[str, str, int], ...]:
    """Return names that the definitions call and the map defines, with a file and line.

    Names that a file cannot mean, given its imports, are left out.
    """
    names: dict[str, str] = {}
    for path, symbol in definitions[:5]:
        for name, line, kind in calls_in(path, tree.data(path)):
            if kind == "call" and symbol.line <= line <= symbol.end_line and name != symbol.name:
                names.setdefault(name, path)
    files = store.files()
    numbers = {file.path: number for number, file in files.items()}
    reach = reach_of(store, files)
    rows = store.symbols("symbols_named", sorted(names))
    definers = Counter(name for name, _ in {(s.name, number) for number, _, s in rows})
    places: dict[str, tuple[float, str, str, int]] = {}
    for number, _, symbol in rows:
        name, path = symbol.name, files[number].path
        share = reach.share(numbers[names[name]], number, name, "call", definers[name])
        best = share + (path == names[name])
        if share > 0 and (name not in places or best > places[name][0]):
            places[name] = (best, symbol.qualified, path, symbol.line)
    return tuple(places[name][1:] for name in names if name in places)[:limit]


def status_of(store: CodeStore) -> dict[str, Any]:
    """Count the contents of the map."""
    uses, commits, files = store.ask("count_uses")[0]
    roles: dict[str, int] = {}
    languages: dict[str, int] = {}
    lines = 0
    for role, language, count, its_lines, _ in store.ask("count_files"):
        roles[str(role)] = roles.get(str(role), 0) + int(str(count))
        if language:
            languages[str(language)] = languages.get(str(language), 0) + int(str(count))
        lines += int(str(its_lines or 0))
    return {
        "commit": store.meta("head"),
        "files": files,
        "lines": lines,
        "roles": roles,
        "languages": languages,
        "lineByLine": {name: n for name, n in languages.items() if is_scanned(name)},
        "symbols": {str(kind): count for kind, count in store.ask("count_symbols")},
        "git": store.meta("git"),
        "uses": uses,
        "commits": commits,
        "warnings": {str(told): count for told, count in store.ask("warnings")},
    }
