"""Finds a change again without its id and author time: squashed or rewritten."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from satchel.storage.commits import Commit, History, Outline, telling_lines
from satchel.storage.git import GitError

#: Commits that are looked for, and those among which.
_MOST, _AMONG = 2000, 2000
#: Share of a change's telling lines that make another the same, and lines without which it says
#: nothing.
_NEARLY_ALL, _FEW = 0.8, 3
#: Commits for each branch that may be all of it in one.
_TRIES = 5


class SameChanges:
    """The commits of a history that make the same changes as outside commits.

    Args:
        history: asked for changes.
        head: the history's commits, each before its parents.
    """

    def __init__(self, history: History, head: Sequence[Outline]) -> None:
        self._history, self._head = history, head
        #: Commits beside it -> those of the history.
        self.found: dict[str, set[str]] = {}
        #: Commits that change nothing.
        self.empty: set[str] = set()
        self._new: set[str] = set()

    def look_for(self, lost: Iterable[Outline], tips: Mapping[str, Sequence[str]]) -> bool:
        """Look for commits, and for squashed branches; return whether any was found.

        Args:
            lost: what nothing else has found.
            tips: commits that are the last of their branch -> what is lost on it.
        """
        latest = max((one.committed for one in self._head), default=0)
        # What was written after all of this history is not in it.
        wanted = sorted((one for one in lost if one.authored <= latest), key=lambda o: -o.authored)
        ids = [one.sha for one in wanted[:_MOST]]
        if not ids:
            return False
        touched = self._history.paths(ids)
        self.empty = {sha for sha in ids if not touched.get(sha)}
        parts = _Parts(self._history.commits(ids))
        among = self._among(touched, wanted[: len(ids)][-1].authored)
        near = {sha: self._compare(parts, one) for sha, one in among.items()}
        for tip, on_branch in tips.items():
            left = {sha for sha in on_branch if sha in touched} - self._new
            tried = [sha for sha, found in near.items() if not left.isdisjoint(found)]
            for sha in tried[:_TRIES] if left else ():
                self._as_one(tip, among[sha], left)
        return bool(self._new)

    def _add(self, sha: str, same: str) -> None:
        self.found.setdefault(sha, set()).add(same)
        self._new.add(sha)

    def _among(self, touched: Mapping[str, Sequence[str]], since: int) -> dict[str, Commit]:
        """Return later commits of the history that touch the same files."""
        paths = {path for found in touched.values() for path in found}
        later = [one.sha for one in self._head if one.committed >= since and len(one.parents) < 2]  # noqa: PLR2004
        near = [sha for sha, found in self._history.paths(later).items() if paths & set(found)]
        return {one.sha: one for one in self._history.commits(near[:_AMONG])}

    def _compare(self, parts: _Parts, whole: Commit) -> list[str]:
        """Record which changes are part of another; return those that share a line."""
        shared = parts.shared(whole)
        for sha, count in shared.items():
            if parts.is_nearly_all(sha, count):
                self._add(sha, whole.sha)
        for sha in parts.with_change(whole):
            if self.touch_the_same(parts.commits[sha], whole):
                self._add(sha, whole.sha)
        return list(shared)

    def touch_the_same(self, one: Commit | Outline, other: Commit | Outline) -> bool:
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
