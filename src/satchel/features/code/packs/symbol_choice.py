"""Selects a pack's symbols: those that match, then their callers and callees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satchel.core.token_budget import estimate_tokens
from satchel.features.code.map.reading import Tree
from satchel.features.code.map.store import CodeStore
from satchel.features.code.packs.profiles import Profile, excluded
from satchel.features.code.packs.values import Dependency, PackRequest, PackSymbol
from satchel.features.code.search.queries import calls_in
from satchel.features.code.search.questions import expression, take_apart
from satchel.features.code.search.ranking import CODEGRAPH, FILE, Ranker
from satchel.features.code.symbols.values import RankedFile, Symbol
from satchel.features.code.symbols.words import parts_of, question_words


def lines_of(text: str) -> list[str]:
    """Split a text at newlines only, as editors count lines."""
    lines = text.split("\n")
    return lines[:-1] if lines and not lines[-1] else lines


def best_window(lines: Sequence[str], words: Mapping[str, int], tokens: int) -> tuple[int, int]:
    """Return the lines (from, to; 0-based, `to` excluded) with the most words in a budget.

    Each further line with a word counts less, so that a window with several words beats one that
    repeats a word.
    """
    costs = [estimate_tokens(line) + 1 for line in lines]
    if sum(costs) <= tokens:
        return 0, len(lines)
    values = _values(lines, words)
    best, best_value, start, cost, value = (0, 0), -1.0, 0, 0, 0.0
    for end, (line_cost, line_value) in enumerate(zip(costs, values, strict=True)):
        cost, value = cost + line_cost, value + line_value
        while cost > tokens and start <= end:
            cost, value, start = cost - costs[start], value - values[start], start + 1
        if start <= end and value > best_value + 1e-9:
            best, best_value = (start, end + 1), value
    return _filled(best, costs, tokens)


def _values(lines: Sequence[str], words: Mapping[str, int]) -> list[float]:
    seen: dict[str, int] = {}
    values = []
    for line in lines:
        value = 0.0
        if line.strip():
            for word in question_words(line[:400]):
                for part in (word, *parts_of(word)):
                    if part in words:
                        seen[part] = seen.get(part, 0) + 1
                        value += words[part] / seen[part]
        values.append(value)
    return values


def _filled(window: tuple[int, int], costs: Sequence[int], tokens: int) -> tuple[int, int]:
    """Extend a window while the budget allows, upwards first."""
    start, end = window
    left = tokens - sum(costs[start:end])
    while start > 0 and costs[start - 1] <= left:
        start -= 1
        left -= costs[start]
    while end < len(costs) and costs[end] <= left:
        left -= costs[end]
        end += 1
    return start, end


#: The share of a symbol's relevance that callers and callees inherit (as in Beads Console).
_CALLER, _CALLEE = 0.6, 0.5
#: Most symbols to expand in each step away from the question.
_WIDTH = (8, 4, 2)
_CANDIDATES, _FILES = 150, 12
#: A name that more files define is nobody's own.
_NOBODYS = 3
#: A symbol with more lines is cut to its head.
_LONGEST = 400


class _Chosen:
    """A candidate symbol with its file, relevance and reason."""

    __slots__ = ("path", "reason", "relevance", "symbol")

    def __init__(self, path: str, symbol: Symbol, relevance: float, reason: str) -> None:
        self.path, self.symbol, self.relevance, self.reason = path, symbol, relevance, reason

    @property
    def key(self) -> tuple[str, int, str]:
        return self.path, self.symbol.line, self.symbol.name


class SymbolChoice:
    """Selects the symbols of a pack. `queries` lists the queries to the graph."""

    def __init__(self, store: CodeStore, tree: Tree, ranker: Ranker) -> None:
        self._store, self._tree, self._ranker = store, tree, ranker
        self.queries: list[str] = []
        self._texts: dict[str, list[str]] = {}
        self._edges: list[tuple[_Chosen, _Chosen]] = []

    def choose(
        self, request: PackRequest, method: str, profile: Profile, ranked: Sequence[RankedFile]
    ) -> list[PackSymbol]:
        """Return symbols with their code, most relevant first."""
        chosen = self._matching(request, profile, ranked)
        if method == CODEGRAPH:
            files = {one.path: one.score for one in ranked}
            step = sorted(chosen.values(), key=lambda c: -c.relevance)
            for depth in range(min(request.max_depth, len(_WIDTH))):
                step = self._around(step[: _WIDTH[depth]], chosen, files, profile)
        ordered = sorted(chosen.values(), key=lambda c: (-c.relevance, c.path, c.symbol.line))
        return [
            shown
            for one in _without_parts(ordered)[: request.max_symbols * 2]
            if (shown := self._shown(one)) is not None
        ]

    def _matching(
        self, request: PackRequest, profile: Profile, ranked: Sequence[RankedFile]
    ) -> dict[tuple[str, int, str], _Chosen]:
        question = take_apart(request.task)
        found = self._store.match("symbol", expression(question.words), _CANDIDATES)
        self.queries.append(f"symbols: {' '.join(list(question.words)[:8])}")
        best = max(found.values(), default=1.0)
        scores = {one.path: one.score for one in ranked}
        names = {*question.identifiers, request.task.rsplit(".", 1)[-1].strip()}
        numbers = {file.path: number for number, file in self._ranker.files.items()}
        of_best = [numbers[one.path] for one in ranked[:_FILES] if one.path in numbers]
        rows = self._store.symbols("symbols_numbered", sorted(found))
        rows += self._store.symbols("symbols_in", of_best)
        rows += self._store.symbols("symbols_named", sorted(names))
        chosen: dict[tuple[str, int, str], _Chosen] = {}
        for file, number, symbol in rows:
            path = self._ranker.files[file].path
            if excluded(profile, path) or self._ranker.is_own(path, request.task):
                continue
            match = found.get(number, 0.0) / best
            score = (0.15 + 0.85 * match) * (0.35 + 0.65 * scores.get(path, 0.0))
            if symbol.name in names:
                score = max(score, 0.5 + 0.5 * scores.get(path, 0.6))
            if symbol.kind not in profile.focus:
                score *= 0.6
            if self._ranker.files[file].role == "test" and not question.wants_tests:
                score *= 0.6
            asked = request.entry == FILE and ("/" + path).endswith("/" + request.task.strip())
            score = 0.8 + 0.2 * match if asked else score
            if score > 0.08:  # noqa: PLR2004 -- below, a symbol only lies in a file that answers
                reason = "its name answers" if match > 0.3 else "defined in a file that answers"  # noqa: PLR2004
                reason = "defined in the file that was asked for" if asked else reason
                one = _Chosen(path, symbol, score, reason)
                chosen.setdefault(one.key, one)
        top = max((one.relevance for one in chosen.values()), default=1.0)
        for one in chosen.values():
            one.relevance = min(1.0, one.relevance / top)
        return chosen

    def _around(
        self,
        step: Sequence[_Chosen],
        chosen: dict[tuple[str, int, str], _Chosen],
        files: dict[str, float],
        profile: Profile,
    ) -> list[_Chosen]:
        """Add callers and callees of some symbols; return the new ones."""
        new: list[_Chosen] = []
        for one in step:
            if one.symbol.kind not in ("function", "method", "component", "route", "class"):
                continue
            self.queries += [f"{way} of {one.symbol.qualified}" for way in ("callees", "callers")]
            near = self._callees(one, files) + self._callers(one, files)
            for other, caller in near:
                if excluded(profile, other.path):
                    continue
                there = chosen.get(other.key)
                if there is None:
                    chosen[other.key] = there = other
                    new.append(other)
                elif other.relevance > there.relevance:
                    there.relevance = other.relevance
                self._edges.append((there, one) if caller else (one, there))
        return sorted(new, key=lambda c: -c.relevance)

    def _callees(self, one: _Chosen, files: dict[str, float]) -> list[tuple[_Chosen, bool]]:
        data = self._tree.data(one.path)
        within = [
            name
            for name, line, kind in calls_in(one.path, data)
            if kind == "call"
            and one.symbol.line <= line <= one.symbol.end_line
            and name != one.symbol.name
        ]
        names = list(dict.fromkeys(within))[:40]
        found = []
        for name, path, symbol in self._defined(names, one.path, files):
            reason = f"called by {one.symbol.qualified}"
            found.append((_Chosen(path, symbol, one.relevance * _CALLEE, reason), False))
            names.remove(name)
        return found[:12]

    def _defined(
        self, names: Sequence[str], near: str, files: dict[str, float]
    ) -> list[tuple[str, str, Symbol]]:
        """Return each name's most likely definition: in the same file, else in a match."""
        by_name: dict[str, list[tuple[float, str, Symbol]]] = {}
        user = next((n for n, file in self._ranker.files.items() if file.path == near), 0)
        for file, _, symbol in self._store.symbols("symbols_named", sorted(names)):
            path = self._ranker.files[file].path
            score = 2.0 if path == near else files.get(path, 0.0)
            # A name that a file cannot mean, given its imports, is another's.
            seen = user and self._ranker.reach.share(user, file, symbol.name, "call", 1)
            if symbol.kind != "route" and seen:
                by_name.setdefault(symbol.name, []).append((score, path, symbol))
        found = []
        for name in names:
            every = sorted(by_name.get(name, ()), key=lambda c: (-c[0], c[1], c[2].line))
            # A name that many define, none of them near, could be anybody's.
            if every and (len(every) <= 3 or every[0][0] > 0):  # noqa: PLR2004
                found.append((name, every[0][1], every[0][2]))
        return found

    def _callers(self, one: _Chosen, files: dict[str, float]) -> list[tuple[_Chosen, bool]]:
        paths = self._users(one, files)
        found = []
        for path in paths[:3]:
            symbols = self._store.symbols_of(path)
            lines = [
                line
                for name, line, kind in calls_in(path, self._tree.data(path))
                if name == one.symbol.name and kind != "member"
            ]
            for line in lines[:3]:
                around = [s for s in symbols if s.line <= line <= s.end_line and s.kind != "route"]
                if around and (path, around[-1].line) != (one.path, one.symbol.line):
                    reason = f"calls {one.symbol.qualified}"
                    found.append((_Chosen(path, around[-1], one.relevance * _CALLER, reason), True))
        return found[:6]

    def _users(self, one: _Chosen, files: dict[str, float]) -> list[str]:
        """Return files that use a symbol, best first, judged by names."""
        name = one.symbol.name
        if name.startswith("__"):
            return []
        if name.startswith("_"):
            return [one.path]
        rows = self._store.ask("users_named", name, 30)
        users = [str(row[0]) for row in rows if row[1] != "member"]
        if self._store.definers([name]).get(name, 0) > _NOBODYS:
            # Many define that name: only files that use its class as well may mean this one.
            owner = one.symbol.parent.rsplit(".", 1)[-1]
            known = {str(row[0]) for row in self._store.ask("users_named", owner, 200)}
            users = [path for path in users if path == one.path or path in known]
        return sorted(users, key=lambda path: (-files.get(path, 0.0), path))

    def dependencies(self, kept: Sequence[PackSymbol]) -> list[Dependency]:
        """Return calls between the pack's symbols."""
        there = {(s.path, s.line) for s in kept}
        found = {
            Dependency(a.symbol.qualified, b.symbol.qualified, "calls", a.path, b.path)
            for a, b in self._edges
            if (a.path, a.symbol.line) in there and (b.path, b.symbol.line) in there
        }
        return sorted(found)

    def _shown(self, one: _Chosen) -> PackSymbol | None:
        if one.path not in self._texts:
            self._texts[one.path] = lines_of(self._tree.data(one.path).decode("utf-8", "replace"))
        lines, symbol = self._texts[one.path], one.symbol
        if symbol.line > len(lines):
            return None
        end = min(symbol.end_line, symbol.line + _LONGEST - 1, len(lines))
        code = "\n".join(lines[symbol.line - 1 : end])
        if end < symbol.end_line:
            code += f"\n… {symbol.end_line - end} more lines"
        file = next(f for f in self._ranker.files.values() if f.path == one.path)
        return PackSymbol(
            symbol.qualified,
            symbol.kind,
            one.path,
            line=symbol.line,
            end=end,
            signature=symbol.signature,
            code=code,
            documentation=symbol.documentation,
            language=file.language,
            relevance=round(one.relevance, 2),
            reason=one.reason,
            tokens=0,
        )


def _without_parts(ordered: Sequence[_Chosen]) -> list[_Chosen]:
    """Drop symbols inside or around one that is already shown."""
    longest: dict[tuple[str, str], int] = {}
    for one in ordered:
        key = one.path, one.symbol.qualified
        longest[key] = max(longest.get(key, 0), one.symbol.end_line - one.symbol.line)
    kept: list[_Chosen] = []
    spans: dict[str, list[tuple[int, int]]] = {}
    for one in ordered:
        line, end = one.symbol.line, one.symbol.end_line
        # Of a Python definition with overloads, only the one with a body says something.
        if one.path.endswith(".py") and end - line < longest[one.path, one.symbol.qualified]:
            continue
        taken = spans.setdefault(one.path, [])
        if not any(a <= end and line <= b for a, b in taken):
            taken.append((line, end))
            kept.append(one)
    return kept
