"""What past commits say about files: which change often, together, or for similar tasks.

Only ancestors of the checked-out commit count.
"""

from __future__ import annotations

from collections.abc import Mapping

from satchel.core.quick_json import dumps
from satchel.features.code.map.store import CodeStore

#: Commits that touch more files say nothing about any one of them.
_WIDEST = 40
#: Nor do those that touch half of all files, or the first one, if they touch more than this.
_FEW = 5
#: After this many later commits, a change counts half.
_HALF_LIFE = 150.0
_SIMILAR = 60


class GitHistory:
    """The history of a map's files, under their current paths.

    Args:
        numbers: path -> number of every file of the map.
    """

    def __init__(self, store: CodeStore, numbers: Mapping[str, int]) -> None:
        self._store = store
        self._numbers = numbers
        self._now: dict[str, str] = {}
        for old, new in store.ask("renames"):
            self._now[str(old)] = str(new)
        self.commits: dict[int, list[int]] = {}
        self.of_file: dict[int, list[int]] = {}
        widest = min(_WIDEST, max(_FEW, len(numbers) // 2))
        rows = store.ask("commit_rows")
        first = max((int(str(row[3])) for row in rows), default=0)
        #: Commits that say something about the files they touched, by number.
        self._telling = {
            int(str(row[0]))
            for row in rows
            if int(str(row[4])) <= (_FEW if int(str(row[3])) == first else widest)
        }
        for path, place, _, commit in store.ask("changes", widest):
            if int(str(commit)) not in self._telling:
                continue
            number = self.number_of(str(path))
            if number:
                at = int(str(place))
                self.commits.setdefault(at, []).append(number)
                self.of_file.setdefault(number, []).append(at)

    def number_of(self, path: str) -> int:
        """Return the current file for a past path; 0 if there is none."""
        for _ in range(8):
            if path in self._numbers or path not in self._now:
                break
            path = self._now[path]
        return self._numbers.get(path, 0)

    def churn(self) -> dict[int, float]:
        """Return how much each file changes, with exponential decay by commits."""
        return {
            number: sum(0.5 ** (at / _HALF_LIFE) / len(self.commits[at]) ** 0.5 for at in places)
            for number, places in self.of_file.items()
        }

    def similar(self, expression: str) -> dict[int, float]:
        """Return files touched by commits with similar messages; wide commits count less."""
        found = self._store.match("commit", expression, _SIMILAR)
        if not found:
            return {}
        scores: dict[int, float] = {}
        touched: dict[int, list[int]] = {}
        for commit, path in self._store.ask("touched_by", dumps(list(found))):
            number = self.number_of(str(path))
            if number:
                touched.setdefault(int(str(commit)), []).append(number)
        for commit, score in found.items():
            files = touched.get(commit, ())
            if files and commit in self._telling:
                for number in files:
                    scores[number] = scores.get(number, 0.0) + score**2 / len(files) ** 0.5
        return scores

    def together(self, seeds: Mapping[int, float]) -> dict[int, float]:
        """Return files that change together with some, with their probability."""
        scores: dict[int, float] = {}
        for seed, weight in seeds.items():
            places = self.of_file.get(seed, ())
            beside: dict[int, float] = {}
            total = 1.0
            for at in places:
                others = self.commits[at]
                share = 0.5 ** (at / (4 * _HALF_LIFE)) / max(1, len(others) - 1) ** 0.5
                total += 0.5 ** (at / (4 * _HALF_LIFE))
                for other in others:
                    if other != seed:
                        beside[other] = beside.get(other, 0.0) + share
            for other, strength in beside.items():
                scores[other] = scores.get(other, 0.0) + weight * strength / total
        return scores
