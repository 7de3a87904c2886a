"""Ranks files by relevance to a task text.

Arms give scores, each scaled to 1 for its best: BM25 over text, names and paths, past commits,
frequent changes, the walk over the reference graph, joint changes. The heuristic method does
without the graph and the history.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from satchel.core.errors import NotFoundError
from satchel.core.values import cached_property
from satchel.engine.search.binary_codes import MOST, least_likeness, likeness_of
from satchel.features.code.map.git_history import GitHistory
from satchel.features.code.map.related import links_around, reach_of, scaled, walk_from
from satchel.features.code.map.store import CodeStore
from satchel.features.code.search.questions import Question, expression, scope_words, take_apart
from satchel.features.code.symbols.importing import ImportScope
from satchel.features.code.symbols.roles import tested_stem
from satchel.features.code.symbols.values import CodeFile, RankedFile
from satchel.features.code.symbols.words import in_words

CODEGRAPH, HEURISTIC = "codegraph", "heuristic"
#: Kinds of text: a task, the path of a file, or the name of a symbol.
QUERY, FILE, SYMBOL = "query", "file", "symbol"
#: Each arm's weight, measured by `benchmarks/code_retrieval.py`.
WEIGHTS = {
    "text": 1.2,
    "name": 0.4,
    "path": 0.7,
    "past": 0.6,
    "churn": 0.25,
    "graph": 0.3,
    "together": 0.3,
    "named": 1.5,
    "pair": 0.25,
    "meaning": 0.6,
}
#: How often tasks are about files of each role.
ROLES = {
    "source": 1.0,
    "script": 0.95,
    "style": 0.85,
    "config": 0.8,
    "test": 0.85,
    "doc": 0.7,
    "data": 0.5,
    "generated": 0.15,
    "huge": 0.15,
    "lock": 0.1,
    "vendored": 0.1,
    "binary": 0.1,
    "secret": 0.1,
}
_PAIRED = ("source", "test", "script", "style")
_CANDIDATES = 300
#: Share of equal bits of two unrelated codes.
_CHANCE = 0.5
#: How many characters of a task to encode.
_CODED = 2000
#: Arms that say nothing about a file alone: it only occurred beside one that was found.
_BESIDE = frozenset({"together", "churn"})
_SEEDS, _PAIRS = 20, 8
#: A name in the task is telling if at most this many files define it.
_RARE = 8


class Ranker:
    """Ranks the files of a map, for one question or many.

    Args:
        store: the map, up to date.
        weights: of the arms; measurements pass others.
        code_of: encodes a text with the same table as the map's codes; None if missing.
        own: paths of Satchel's own files, which are left out unless the text names them.
    """

    def __init__(
        self,
        store: CodeStore,
        weights: Mapping[str, float] = WEIGHTS,
        code_of: Callable[[str], bytes] | None = None,
        own: tuple[str, ...] = (),
    ) -> None:
        self._own = own
        self._store = store
        self._code_of = code_of
        self._weights = weights

    @cached_property
    def files(self) -> dict[int, CodeFile]:
        """Return every file by number."""
        return self._store.files()

    @cached_property
    def git_history(self) -> GitHistory:
        """Return the history of past commits."""
        return GitHistory(self._store, {file.path: n for n, file in self.files.items()})

    @cached_property
    def reach(self) -> ImportScope:
        """Return which files each file can use."""
        return reach_of(self._store, self.files)

    def rank(
        self, text: str, *, most: int = 50, method: str = CODEGRAPH, entry: str = QUERY
    ) -> list[RankedFile]:
        """Rank files for a task text, or around the file or symbol that it names.

        Raises `NotFoundError` if there is no such file or symbol.
        """
        entries = {} if entry == QUERY else self._entries(text, entry)
        question = take_apart(text if entry == QUERY else self._about(entries, text))
        arms = self._words(question)
        arms["named"] = entries or self._named(question)
        arms["meaning"] = self._meaning(question, arms)
        if method == CODEGRAPH:
            arms["past"] = scaled(self.git_history.similar(expression(question.words)))
            arms["churn"] = self._churn(arms)
        arms["pair"] = self._pairs(self._fused(arms, question))
        if method == CODEGRAPH:
            seeds = dict(_best(self._fused(arms, question), _SEEDS))
            arms["graph"] = walk_from(links_around(self._store, sorted(seeds)), seeds)
            arms["together"] = scaled(self.git_history.together(dict(_best(seeds, _PAIRS))))
        scores = self._fused(arms, question)
        reasons = {n for arm, found in arms.items() if arm not in _BESIDE for n in found}
        scores = {
            number: score
            for number, score in scores.items()
            if number in reasons and not self.is_own(self.files[number].path, text)
        }
        best = _best(scores, most)
        top = best[0][1] if best else 1.0
        return [self._ranked(n, score / top, arms) for n, score in best if score > 0]

    def is_own(self, path: str, text: str) -> bool:
        """Return whether a file is Satchel's own and the text does not mention it."""
        for own in self._own:
            if path == own or path.startswith(own + "/"):
                return not any(name in text for name in (own, path, path.rsplit("/", 1)[-1]))
        return False

    def _ranked(
        self, number: int, score: float, arms: Mapping[str, Mapping[int, float]]
    ) -> RankedFile:
        file = self.files[number]
        parts = {arm: round(found.get(number, 0.0), 3) for arm, found in arms.items()}
        told = {arm: part for arm, part in parts.items() if part > 0}
        return RankedFile(file.path, round(score, 4), told, file.role, file.language)

    def _entries(self, text: str, entry: str) -> dict[int, float]:
        """Return the files that an entry point names."""
        name = text.strip()
        if entry == FILE:
            rows = self._store.ask("files_at", name, "%/" + _escaped(name))
            found = {int(str(number)): 1.0 for number, path in rows if path == name} or {
                int(str(number)): 1.0 for number, _ in rows
            }
        else:
            last = name.replace("::", ".").rsplit(".", 1)[-1]
            every = self._store.symbols("symbols_named", [last])
            exact = [file for file, _, s in every if s.qualified.endswith(name)]
            found = dict.fromkeys(exact or [file for file, _, _ in every], 1.0)
        if not found:
            raise NotFoundError(
                f"There is no {entry} {name[:120]!r} in the map.",
                hint="`satchel code find` looks for symbols and files.",
            )
        return found

    def _about(self, entries: Mapping[int, float], text: str) -> str:
        """Return an entry point's words: its name, and what neighboring files define."""
        rows = self._store.symbols("symbols_in", sorted(entries)[:3])
        return " ".join([text, *(symbol.name for _, _, symbol in rows[:30])])

    def _words(self, question: Question) -> dict[str, dict[int, float]]:
        asked = expression(question.words)
        arms = {arm: scaled(self._store.match(arm, asked, _CANDIDATES)) for arm in ("text", "name")}
        in_path = question.words | dict.fromkeys(scope_words(question.scope), 3)
        arms["path"] = scaled(self._store.match("path", expression(in_path), _CANDIDATES))
        return arms

    def _named(self, question: Question) -> dict[int, float]:
        """Return files whose path the text names, and files that define a name in it."""
        found: dict[int, float] = {}
        for path in question.paths:
            rows = self._store.ask("files_at", path, "%/" + _escaped(path))
            for number, _ in rows[:8]:
                found[int(str(number))] = max(found.get(int(str(number)), 0.0), 1.0 / len(rows[:8]))
        if question.identifiers:
            definers = self._store.definers(question.identifiers)
            rare = {name: count for name, count in definers.items() if count <= _RARE}
            for file, _, symbol in self._store.symbols("symbols_named", sorted(rare)):
                share = 0.7 / rare[symbol.name] ** 0.5
                found[file] = max(found.get(file, 0.0), share)
        return found

    def _meaning(
        self, question: Question, arms: Mapping[str, Mapping[int, float]]
    ) -> dict[int, float]:
        """Return files with semantically similar names, by codes.

        Without a shared word, only similarity above chance counts.
        """
        rows = [] if self._code_of is None else self._store.ask("codes")
        if self._code_of is None or not 0 < len(rows) <= MOST:
            return {}
        known = {number for arm in arms.values() for number in arm}
        likeness = likeness_of(rows, self._code_of(in_words(question.text[:_CODED])))
        least = least_likeness(len(rows))
        near = sorted(
            (_CHANCE - alike, number)
            for number, alike in likeness.items()
            if alike >= least or (alike > _CHANCE and number in known)
        )
        return scaled({number: -apart for apart, number in near[:_CANDIDATES]})

    def _churn(self, arms: Mapping[str, Mapping[int, float]]) -> dict[int, float]:
        """Return often-changed files among the keyword matches."""
        known = {n for arm in ("text", "name", "path", "named", "past") for n in arms.get(arm, ())}
        churn = {n: c**0.5 for n, c in self.git_history.churn().items() if n in known}
        return scaled(churn)

    def _pairs(self, scores: Mapping[int, float]) -> dict[int, float]:
        """Return related files by name: tests and their sources, headers, styles."""
        by_stem: dict[str, list[int]] = {}
        for number, file in self.files.items():
            if file.role in _PAIRED:
                by_stem.setdefault(tested_stem(file.path), []).append(number)
        found: dict[int, float] = {}
        best = _best(scores, _PAIRS)
        top = best[0][1] if best else 1.0
        for number, score in best:
            file = self.files[number]
            others = by_stem.get(tested_stem(file.path), [])
            if len(others) > 12:  # noqa: PLR2004 -- `index`, `main`, `mod`: everybody's name
                continue
            for other in others:
                near = _nearness(file.path, self.files[other].path)
                tests = (self.files[other].role == "test") != (file.role == "test")
                # The same name in the same directory: a header, a style, a template.
                if other != number and (tests or near == 1.0):
                    found[other] = max(found.get(other, 0.0), score / top * near)
        return found

    def _fused(
        self, arms: Mapping[str, Mapping[int, float]], question: Question
    ) -> dict[int, float]:
        scores: dict[int, float] = {}
        for arm, found in arms.items():
            for number, score in found.items():
                scores[number] = scores.get(number, 0.0) + self._weights[arm] * score
        return {
            number: score * self._role(self.files[number], question)
            for number, score in scores.items()
            if number in self.files
        }

    def _role(self, file: CodeFile, question: Question) -> float:
        if (file.role == "test" and question.wants_tests) or (
            file.role == "doc" and question.wants_docs
        ):
            return 1.0
        return ROLES.get(file.role, 0.5)


def _nearness(one: str, other: str) -> float:
    """Return the proximity of two files: 1 in one directory, less with each step."""
    a, b = one.split("/")[:-1], other.split("/")[:-1]
    same = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        same += 1
    return 1.0 / (1.0 + 0.15 * (len(a) + len(b) - 2 * same))


def _best(scores: Mapping[int, float], most: int) -> list[tuple[int, float]]:
    """Return the best, with ties broken by number, for deterministic results."""
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:most]


def _escaped(path: str) -> str:
    return path.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
