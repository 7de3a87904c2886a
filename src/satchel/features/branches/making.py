"""Builds a table of commits that memories depend on, with few git calls."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from satchel.core.redaction.names import kept_name
from satchel.core.values import Any
from satchel.features.branches.births import Births
from satchel.features.branches.rules import ReplayedHistory, judge
from satchel.features.branches.tables import Table
from satchel.features.branches.values import ELSEWHERE, Birth, BranchState, follows_git
from satchel.features.branches.work import WORK_ENDS
from satchel.project.place import Place
from satchel.storage.commits import Commit, History, Outline, telling_lines
from satchel.storage.git import GitError, NotFetchedError
from satchel.storage.ledger.record import Record

#: Most commits to look for, and to search among.
_MOST, _AMONG = 2000, 2000
#: Share of a change's telling lines that make another the same, and lines without which it says
#: nothing.
_NEARLY_ALL, _FEW = 0.8, 3
#: Most commits per branch that may be its squash.
_TRIES = 5


class SameChanges:
    """The commits of a history that make the same changes as outside commits.

    Args:
        history: for looking up changes.
        head: the history's commits, each before its parents.
    """

    def __init__(self, history: History, head: Sequence[Outline]) -> None:
        self._history, self._head = history, head
        #: Outside commits -> those of the history.
        self.found: dict[str, set[str]] = {}
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


#: Trunk names, if no remote names the trunk.
_TRUNKS = ("main", "master", "trunk")
#: Git's list of commits without their parents.
_SHALLOW = "shallow"
_HEADS, _REMOTES = "refs/heads/", "refs/remotes/"


def made(
    place: Place, commit: str, branch: str, records: Sequence[Record], facts: Mapping[str, Any]
) -> tuple[Table, dict[str, Any]]:
    """Build a commit's table; return it with new facts about commits.

    Args:
        place: the project's place, in one of its work trees.
        commit: the commit in question.
        branch: the branch checked out; "" for none.
        records: every live memory.
        facts: earlier facts about commits. Raises `GitError`.
    """
    history = History(place.root)
    tips, trunk = _branches(history)
    followed = [one for one in records if follows_git(one, trunk)]
    known = Births(history, place.common, (branch, trunk), {one.branch for one in followed}, facts)
    births = [known.of(one) for one in followed]
    begun = [tips[one] for one in {birth.branch for birth in births} & tips.keys()]
    asked = _Asked(history, commit, births, facts, begun)
    same, played = asked.played(births, lambda name: tips.get(name) or known.last_seen(name))
    states: dict[str, BranchState] = {}
    # What cannot be seen may be the same work.
    is_cut = asked.is_partial or os.path.isfile(os.path.join(place.common, _SHALLOW))
    for one in map(asked.known, births):
        state = judge(one, played, asked.beside, same.empty, branch) if one.commits else None
        if state is not None and not (is_cut and state.state == ELSEWHERE):
            states[one.id] = state
    until = max((one.ts for one in records), default=0)
    new = {one.sha: [one.author, one.authored, one.subject] for one in asked.hung_on()}
    kept = {
        **known.facts(),
        "commits": asked.still_asked({**facts.get("commits", {}), **new}),
        "same": asked.still_asked({sha: sorted(found) for sha, found in same.found.items()}),
    }
    return Table(commit, kept_name(branch), until, kept_name(trunk), states), kept


def _branches(history: History) -> tuple[dict[str, str], str]:
    """Return the tips of local and remote branches, and which is the trunk."""
    form = "--format=%(refname)%00%(objectname)%00%(symref)"
    tips: dict[str, str] = {}
    trunk = ""
    # Remote branches first: local ones count more.
    for line in sorted(history.ask("for-each-ref", form, _HEADS, _REMOTES).splitlines())[::-1]:
        name, sha, alias = line.split("\0")
        if alias:
            trunk = trunk or alias.removeprefix(_REMOTES).partition("/")[2]
        elif name.startswith(_HEADS):
            tips[name.removeprefix(_HEADS)] = sha
        else:
            tips[name.removeprefix(_REMOTES).partition("/")[2]] = sha
    return tips, trunk or next((one for one in _TRUNKS if one in tips), "")


class _Asked:
    """Git's answers about the commits that memories depend on, seen from one commit."""

    def __init__(
        self,
        history: History,
        commit: str,
        births: Sequence[Birth],
        facts: Mapping[str, Any],
        tips: Sequence[str] = (),
    ) -> None:
        self._history, self._facts = history, facts
        #: Whether the clone lacks content, so that changes were not compared.
        self.is_partial = False
        names = sorted({sha for one in births for sha in one.commits})
        self._whole = history.known(names)
        ids = sorted(set(self._whole.values()))
        kept = facts.get("commits", {})
        gone = {one: kept[one] for one in names if one not in self._whole and one in kept}
        self._whole |= {one: one for one in gone}
        outlines = history.outlines(ids, "--no-walk=unsorted") if ids else []
        found = history.outlines([*ids, *tips, f"^{commit}"]) if ids else []
        self.beside = {one.sha: one for one in found}
        for sha, (author, authored, subject) in gone.items():
            # Git has pruned it, so it is in no history.
            self.beside[sha] = Outline(
                sha, (), author, authored=authored, committed=authored, subject=subject
            )
        self._outlines = {one.sha: one for one in outlines}
        self._hung_on = self._outlines.keys() | gone.keys()
        times = [one.authored for one in [*outlines, *self.beside.values()]]
        # A repetition or revert of a commit is never older than its author time.
        since = (f"--since=@{min(times) - 1}",) if times else ("--max-count=0",)
        self.head = history.outlines([commit], *since)
        self._add_reverted(commit)

    def _add_reverted(self, commit: str) -> None:
        """Look up what this history reverts and has lost, such as a merge that a rebase undid."""
        here = {one.sha for one in self.head}
        named = {name for one in self.head for name in one.undoes} - here - self.beside.keys()
        lost = set(self._history.known(sorted(named)).values()) - here - self.beside.keys()
        if lost:
            found = self._history.outlines([*sorted(lost), f"^{commit}"])
            self.beside |= {one.sha: one for one in found if one.sha not in self.beside}

    def whole(self, name: str) -> str:
        """Return a commit's full id, or "" if unknown."""
        return self._whole.get(name, "")

    def known(self, birth: Birth) -> Birth:
        """Return a birth with the full ids of commits that are known, and whether they are its own.

        If no log tells, a commit of the day before is taken for its work.
        """
        commits = tuple(filter(None, map(self.whole, birth.commits)))
        own = birth.own
        if own is None and commits:
            made = self._outlines.get(commits[0])
            own = made is None or birth.learned - made.committed <= WORK_ENDS
        return birth._replace(commits=commits, own=own)

    def still_asked(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Filter known facts to commits that a memory depends on."""
        ids = set(self._whole.values())
        return {sha: one for sha, one in facts.items() if sha in ids}

    def hung_on(self) -> list[Outline]:
        """Return commits that memories depend on and that are outside this history."""
        return [one for sha, one in self.beside.items() if sha in self._hung_on]

    def played(
        self, births: Sequence[Birth], tip_of: Callable[[str], str]
    ) -> tuple[SameChanges, ReplayedHistory]:
        """Replay the history, including outside commits that are in it under another id."""
        same = SameChanges(self._history, self.head)
        same.found = {sha: set(found) for sha, found in self._facts.get("same", {}).items()}
        played = ReplayedHistory(self.head, self.beside, same.found, same.share_a_file)
        played.play()
        # A reverted commit may have been reapplied.
        gone = self._outlines.keys() & {*self.beside, *played.off}
        lost = {
            sha: self._outlines[sha]
            for sha in gone
            if played.off.keys() >= set(played.again(self._outlines[sha]))
        }
        on_tip: dict[str, list[str]] = {}
        for one in births:
            there = [sha for sha in map(self.whole, one.commits) if sha in lost]
            tip = tip_of(one.branch) if there and one.branch else ""
            if tip:
                on_tip.setdefault(tip, []).extend(there)
        try:
            found = same.look_for(lost.values(), on_tip)
        except NotFetchedError:
            self.is_partial, found = True, False
        if found:
            played = ReplayedHistory(self.head, self.beside, same.found, same.share_a_file)
            played.play()
        return same, played
