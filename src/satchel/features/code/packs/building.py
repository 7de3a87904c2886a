"""Builds context packs: ranked files and symbols within a token budget."""

from __future__ import annotations

import time
from collections.abc import Sequence

from satchel.core.errors import BadInputError
from satchel.core.plurals import counted
from satchel.core.token_budget import estimate_tokens
from satchel.features.code.map.reading import Tree
from satchel.features.code.map.store import CodeStore
from satchel.features.code.packs.profiles import Profile, excluded, included, profile_named
from satchel.features.code.packs.symbol_choice import SymbolChoice, best_window, lines_of
from satchel.features.code.packs.text import HEADING, file_text, symbol_text
from satchel.features.code.packs.values import Pack, PackFile, PackRequest, PackSymbol
from satchel.features.code.search.questions import take_apart
from satchel.features.code.search.ranking import CODEGRAPH, HEURISTIC, Ranker
from satchel.features.code.symbols.values import RankedFile

_SAYS = {
    "named": "the task names it or what it defines",
    "text": "its text holds the task's words",
    "name": "it defines such names",
    "path": "its path holds the task's words",
    "past": "similar past commits changed it",
    "churn": "it changes often",
    "graph": "code found for the task uses it or is used by it",
    "together": "it changes together with files found",
    "pair": "it tests a file found, or is tested by it",
    "meaning": "its names mean something like it",
    "manual": "chosen by hand",
}
#: An arm's score below this is not a reason.
_LEAST_TOLD = 0.3


def reason_of(one: RankedFile) -> str:
    """Return at most three reasons, the strongest first."""
    strong = sorted(one.parts.items(), key=lambda part: -part[1])
    told = [_SAYS[arm] for arm, score in strong if arm in _SAYS and score >= _LEAST_TOLD]
    return "; ".join(told[:3]) or "it is near files found"


MANUAL = "manual"
METHODS = (CODEGRAPH, HEURISTIC, MANUAL)
#: The symbols' share of the budget; files fill the rest.
_SYMBOLS = 0.7
_MOST_FILES, _MOST_RANKED = 20, 50
#: One file gets at most this share of the files' budget, and never fewer tokens than this.
_ONE_FILE, _LEAST, _FEW_LINES = 1 / 6, 120, 3
#: The best symbols are shown by their heads if too large: at least this relevant, at most this
#: many, each within this share of the symbols' budget.
_BEST, _BEST_MOST, _ONE_SYMBOL = 0.6, 5, 0.5


class Packer:
    """Builds packs from one map.

    Args:
        store: the map, up to date.
        ranker: to share between packs.
    """

    def __init__(self, store: CodeStore, root: str, ranker: Ranker) -> None:
        self._store = store
        self._tree = Tree(root)
        self._ranker = ranker

    def make(self, request: PackRequest, *, ident: str, project: str, created: str) -> Pack:
        """Build a pack. Raises `BadInputError` for an unknown method or profile."""
        began = time.perf_counter()
        if request.method not in METHODS:
            raise BadInputError(
                f"There is no method {request.method[:40]!r}.",
                hint=f"Methods are {', '.join(METHODS)}.",
            )
        every = self._ranker.files
        profile, chosen = profile_named(request.profile, (f.path for f in every.values()))
        symbols_known = bool(self._store.ask("count_symbols"))
        method, warnings = request.method, []
        unknown = method == CODEGRAPH and not symbols_known
        method = HEURISTIC if unknown else method
        ranked = self._ranked(request, method, profile, narrowed=chosen)
        choice = SymbolChoice(self._store, self._tree, self._ranker)
        found = [] if method == MANUAL else choice.choose(request, method, profile, ranked)
        if not ranked and not found:
            warnings.append(f"Nothing found for {_named(request.task)!r}.")
        elif unknown:
            warnings.append("There are no symbols in the map: files were found by words alone.")
        symbols, used = self._fit_symbols(found, request, warnings)
        files, used = self._fit_files(ranked, request, used, warnings)
        dependencies = choice.dependencies(symbols) if method == CODEGRAPH else ()
        return Pack(
            ident,
            request.name or _named(request.task),
            project,
            task=request.task,
            method=method,
            profile=profile.name,
            entry=request.entry,
            max_tokens=request.max_tokens,
            files=tuple(files),
            symbols=tuple(symbols),
            dependencies=tuple(dependencies),
            tokens=used,
            created=created,
            milliseconds=int((time.perf_counter() - began) * 1000),
            codegraph=symbols_known,
            queries=tuple(choice.queries),
            warnings=tuple(warnings),
            ranked=tuple(ranked),
            commit=self._store.meta("head"),
        )

    def _ranked(
        self, request: PackRequest, method: str, profile: Profile, *, narrowed: bool
    ) -> list[RankedFile]:
        if method == MANUAL:
            return self._given(request.files)
        found = self._ranker.rank(
            request.task, most=_MOST_RANKED * 2, method=method, entry=request.entry
        )
        found = [r for r in found if r.role != "secret" and not excluded(profile, r.path)]
        if narrowed:
            found = [
                one
                if included(profile, one.path)
                else one._replace(score=round(one.score * 0.5, 4))
                for one in found
            ]
            found.sort(key=lambda one: -one.score)
        return found[:_MOST_RANKED]

    def _given(self, paths: Sequence[str]) -> list[RankedFile]:
        if not paths:
            raise BadInputError("A manual pack needs files.", hint="Give them with --files.")
        by_path = {file.path: file for file in self._ranker.files.values()}
        found = []
        for path in dict.fromkeys(paths):
            file = by_path.get(path)
            if file is None:
                raise BadInputError(
                    f"{path[:200]} is not a file of this project.",
                    hint="Paths begin at the top of the project; what git ignores is left out.",
                )
            if file.role == "secret":
                raise BadInputError(f"{path[:200]} holds keys: it is left out of every pack.")
            found.append(RankedFile(path, 1.0, {"manual": 1.0}, file.role, file.language))
        return found

    def _fit_symbols(
        self, found: Sequence[PackSymbol], request: PackRequest, warnings: list[str]
    ) -> tuple[list[PackSymbol], int]:
        room = int(request.max_tokens * _SYMBOLS)
        used = estimate_tokens(HEADING)
        kept: list[PackSymbol] = []
        left_out, best = 0, None
        for symbol in found:
            cost = estimate_tokens(symbol_text(symbol))
            if used + cost > room and symbol.relevance >= _BEST and len(kept) < _BEST_MOST:
                symbol = _head_of(symbol, min(room - used, max(_LEAST, int(room * _ONE_SYMBOL))))  # noqa: PLW2901
                cost = estimate_tokens(symbol_text(symbol))
            if len(kept) < request.max_symbols and used + cost <= room:
                kept.append(symbol._replace(tokens=cost))
                used += cost
            else:
                left_out += 1
                best = best or symbol
        if best is not None:
            warnings.append(
                f"The best symbol that was left out is {best.name} ({best.kind}) at "
                f"{best.path}:{best.line}."
            )
        if left_out:
            symbols = counted(left_out, "symbol was", "symbols were")
            warnings.append(f"{symbols} left out: budget of {room} tokens, 70 %.")
        return kept, used

    def _fit_files(
        self, ranked: Sequence[RankedFile], request: PackRequest, used: int, warnings: list[str]
    ) -> tuple[list[PackFile], int]:
        words = take_apart(request.task).words
        room = request.max_tokens - used
        share = room if len(ranked) == 1 else max(_LEAST, int(room * _ONE_FILE))
        if request.method == MANUAL:
            share = max(_LEAST, room // max(1, len(ranked)))
        kept: list[PackFile] = []
        missing = 0
        for one in ranked[: _MOST_FILES if request.method != MANUAL else None]:
            file = self._file(one, words, min(share, request.max_tokens - used))
            if file is None:
                missing += 1
                continue
            kept.append(file)
            used += file.tokens
        if missing:
            files = counted(missing, "file was", "files were")
            warnings.append(f"{files} left out: budget of {request.max_tokens} tokens.")
        if not kept:
            used = used if used <= request.max_tokens else 0
        return kept, used

    def _file(self, one: RankedFile, words: dict[str, int], tokens: int) -> PackFile | None:
        """Return a file, or its best part, within a budget; None if too little fits."""
        if tokens < _LEAST:
            return None
        data = self._tree.data(one.path)
        if b"\0" in data[:8192]:
            data = b""
        lines = lines_of(data.decode("utf-8", "replace"))
        empty = PackFile(
            one.path,
            "",
            one.language,
            relevance=round(max(0.0, min(1.0, one.score)), 2),
            start=1,
            end=max(1, len(lines)),
            total=max(1, len(lines)),
            reason=reason_of(one),
            tokens=0,
        )
        room = tokens - estimate_tokens(file_text(empty._replace(start=2))) - 2
        while room > 0:
            start, end = best_window(lines, words, room)
            content = "\n".join(lines[start:end])
            if lines and sum(1 for line in lines[start:end] if line.strip()) < min(
                _FEW_LINES, len(lines)
            ):
                return None  # so little says nothing
            file = empty._replace(content=content, start=start + 1, end=max(start + 1, end))
            cost = estimate_tokens(file_text(file))
            if cost <= tokens:
                return file._replace(tokens=cost)
            room -= max(1, cost - tokens)
        return None


def _head_of(symbol: PackSymbol, tokens: int) -> PackSymbol:
    """Return the start of a symbol that is too large, or all of it if that does not fit."""
    lines = symbol.code.split("\n")
    fits, least = 0, 1
    most = len(lines)
    while least <= most:
        middle = (least + most) // 2
        if estimate_tokens(symbol_text(_cut(symbol, lines, middle))) <= tokens:
            fits, least = middle, middle + 1
        else:
            most = middle - 1
    return _cut(symbol, lines, fits) if fits >= _FEW_LINES else symbol


def _cut(symbol: PackSymbol, lines: Sequence[str], count: int) -> PackSymbol:
    left = len(lines) - count
    code = "\n".join(lines[:count]) + (f"\n… {left} more lines" if left else "")
    return symbol._replace(code=code, end=symbol.line + count - 1)


def _named(task: str) -> str:
    first = task.strip().partition("\n")[0]
    return " ".join(first.split())[:80] or "pack"
