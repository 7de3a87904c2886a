"""Finds commits of a history that make the same changes as commits outside of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from satchel.core.values import Any, NamedTuple
from satchel.storage.commits import Commit, History, Outline, telling_lines
from satchel.storage.git import GitError

#: Most commits to look for, and to search among.
_MOST, _AMONG = 2000, 2000
#: Share of a change's telling lines that make another the same, and lines without which it says
#: nothing.
_NEARLY_ALL, _FEW = 0.8, 3
#: Most commits per branch that may be its squash.
_TRIES = 5
_Read = TypeVar("_Read")


class Compared(NamedTuple):
    """A finished search: commits do not change, so it need not be repeated.

    Attributes:
        commit: the last commit of the history that was searched.
        lost: the commits that were looked for.
        tips: the last commits of their branches.
    """

    commit: str = ""
    lost: Sequence[str] = ()
    tips: Sequence[str] = ()


class SameChanges:
    """The commits of a history that make the same changes as outside commits.

    Args:
        history: for looking up changes.
        head: the history's commits, each before its parents.
        facts: what earlier searches found and compared.
    """

    def __init__(self, history: History, head: Sequence[Outline], facts: Mapping[str, Any]) -> None:
        self._history, self._head = history, head
        #: Outside commits -> those of the history.
        self.found = {sha: set(found) for sha, found in facts.get("same", {}).items()}
        #: The last search.
        self.compared = Compared(*facts.get("compared", ()))
        #: Commits that change nothing.
        self.empty: set[str] = set()
        self._new: set[str] = set()

    def look_for(self, lost: Iterable[Outline], tips: Mapping[str, Sequence[str]]) -> bool:
        """Look for commits, and for squashed branches; return whether any was found.

        Args:
            lost: commits not found otherwise.
            tips: the last commits of branches -> missing commits of each branch.
        """
        latest = max((one.committed for one in self._head), default=0)
        # Commits written after this whole history are not in it.
        wanted = sorted((one for one in lost if one.authored <= latest), key=lambda o: -o.authored)
        wanted = wanted[:_MOST]
        ids = [one.sha for one in wanted]
        if not ids:
            return False
        touched = self._history.paths(ids)
        self.empty = {sha for sha in ids if not touched.get(sha)}
        paths, later = self._later(wanted, touched, self._fresh(ids, tips))
        asked = [sha for sha in ids if not paths.isdisjoint(touched[sha])]
        read = _at_once(lambda shas: [*self._history.commits(shas)], [later, asked])
        among, parts = {one.sha: one for one in read[0]}, _Parts(read[1])
        near: dict[str, list[str]] = {}
        for sha, one in among.items():
            for part in self._compare(parts, one):
                near.setdefault(part, []).append(sha)
        place = {sha: number for number, sha in enumerate(among)}
        for tip, on_branch in tips.items():
            left = {sha for sha in on_branch if sha in touched} - self._new
            tried = {sha for part in left for sha in near.get(part, ())}
            for sha in sorted(tried, key=place.__getitem__)[:_TRIES]:
                self._as_one(tip, among[sha], left)
        self.compared = Compared(self._head[0].sha, ids, sorted(tips))
        return bool(self._new)

    def _fresh(self, ids: Iterable[str], tips: Mapping[str, Sequence[str]]) -> set[str]:
        """Return the commits that the last search did not look for, or not on these branches."""
        moved = tips.keys() - set(self.compared.tips)
        return {*ids} - {*self.compared.lost} | {sha for tip in moved for sha in tips[tip]}

    def _searched(self) -> set[str]:
        """Return the commits of this history that the last search went through."""
        found = {self.compared.commit}
        for one in self._head:  # each before its parents
            if one.sha in found:
                found.update(one.parents)
        return found

    def _add(self, sha: str, same: str) -> None:
        self.found.setdefault(sha, set()).add(same)
        self._new.add(sha)

    def _later(
        self,
        wanted: Sequence[Outline],
        touched: Mapping[str, Sequence[str]],
        fresh: Collection[str],
    ) -> tuple[set[str], list[str]]:
        """Return the commits of the history that touch files after wanted ones, and their files.

        What the last search went through is only searched for fresh ones.
        """
        every = _first_touches(wanted, touched)
        of_fresh = _first_touches([one for one in wanted if one.sha in fresh], touched)
        searched = self._searched()
        later: dict[str, tuple[int, Mapping[str, int]]] = {}
        for one in self._head:
            since = of_fresh if one.sha in searched else every
            if len(one.parents) < 2 and one.committed >= since.get("", one.committed + 1):  # noqa: PLR2004
                later[one.sha] = one.committed, since
        shas, middle = [*later], len(later) // 2
        halves = [half for half in (shas[:middle], shas[middle:]) if half]
        read = _at_once(self._history.paths, halves)
        paths = {sha: found for half in read for sha, found in half.items()}
        near = [
            sha
            for sha, found in paths.items()
            if any(later[sha][0] >= later[sha][1].get(path, later[sha][0] + 1) for path in found)
        ][:_AMONG]
        return {path for sha in near for path in paths[sha]}, near

    def _compare(self, parts: _Parts, whole: Commit) -> list[str]:
        """Record which changes are part of another; return those that share a line."""
        shared = parts.shared(whole)
        for sha, count in shared.items():
            if parts.is_nearly_all(sha, count):
                self._add(sha, whole.sha)
        for sha in parts.with_change(whole):
            if self.share_a_file(parts.commits[sha], whole):
                self._add(sha, whole.sha)
        return list(shared)

    def share_a_file(self, one: Commit | Outline, other: Commit | Outline) -> bool:
        """Return whether two commits touch a common file."""
        paths = self._history.paths([one.sha, other.sha])
        return not set(paths.get(one.sha, ())).isdisjoint(paths.get(other.sha, ()))

    def _as_one(self, tip: str, one: Commit, left: Collection[str]) -> None:
        """Compare a branch's whole change with one commit, by line or as a whole."""
        try:
            base = self._history.ask("merge-base", one.parents[0], tip).strip()
            whole = self._history.between(base, tip)
            on_branch = self._history.log(f"{base}..{tip}")
        except (GitError, IndexError):
            return  # no history in common
        parts = _Parts([whole])
        shared = parts.shared(one).get(tip, 0)
        if parts.is_nearly_all(tip, shared) or (whole.change and whole.change == one.change):
            for sha in set(left).intersection(on_branch):
                self._add(sha, one.sha)


def _at_once(read: Callable[[Sequence[str]], _Read], lists: Sequence[Sequence[str]]) -> list[_Read]:
    """Read lists of commits at the same time: most of it is waiting for git."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as pool:
        return [*pool.map(read, lists)]


def _first_touches(
    commits: Sequence[Outline], touched: Mapping[str, Sequence[str]]
) -> dict[str, int]:
    """Return when commits, the newest first, touched each file first, and "" for any of them."""
    found: dict[str, int] = {}
    for one in commits:
        found |= dict.fromkeys(("", *touched.get(one.sha, ())), one.authored)
    return found


class _Parts:
    """Changes to look for in others, by their distinctive lines."""

    def __init__(self, commits: Iterable[Commit]) -> None:
        self.commits = {one.sha: one for one in commits}
        self._counts: dict[str, int] = {}
        self._by_mark: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        self._by_change: dict[str, list[str]] = {}
        for sha, one in self.commits.items():
            lines = telling_lines(one)
            self._counts[sha] = len(lines)
            for mark, paths in lines.items():
                self._by_mark.setdefault(mark, []).append((sha, paths))
            if one.change:
                self._by_change.setdefault(one.change, []).append(sha)

    def shared(self, whole: Commit) -> dict[str, int]:
        """Return each change's number of distinctive lines in a later commit's same files."""
        found: dict[str, int] = {}
        for mark, paths in telling_lines(whole).items():
            for sha, its in self._by_mark.get(mark, ()):
                if not set(paths).isdisjoint(its) and self._is_later(whole, sha):
                    found[sha] = found.get(sha, 0) + 1
        return found

    def with_change(self, whole: Commit) -> list[str]:
        """Return the changes with exactly a later commit's changed lines."""
        same = self._by_change.get(whole.change, ())
        return [sha for sha in same if self._is_later(whole, sha)]

    def is_nearly_all(self, sha: str, count: int) -> bool:
        """Return whether enough distinctive lines match to be the same change."""
        return count >= _NEARLY_ALL * max(self._counts[sha], _FEW)

    def _is_later(self, whole: Commit, sha: str) -> bool:
        return sha != whole.sha and whole.commit_time >= self.commits[sha].author_time
