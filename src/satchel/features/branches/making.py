"""Builds a table of commits that memories depend on, with few git calls."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from satchel.core.redaction.names import kept_name
from satchel.core.values import Any
from satchel.features.branches.births import Births
from satchel.features.branches.rules import ReplayedHistory, judge
from satchel.features.branches.same_changes import Compared, SameChanges
from satchel.features.branches.tables import Table
from satchel.features.branches.values import ELSEWHERE, Birth, BranchState, follows_git
from satchel.features.branches.work import WORK_ENDS
from satchel.project.place import Place
from satchel.storage.commits import History, Outline
from satchel.storage.git import NotFetchedError
from satchel.storage.ledger.record import Record

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
        # Behind where a history was cut, commits may appear.
        "compared": Compared() if is_cut else same.compared,
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
        ids = sorted({*self._whole.values()})
        kept = facts.get("commits", {})
        gone = {one: kept[one] for one in names if one not in self._whole and one in kept}
        self._whole |= {one: one for one in gone}
        found = history.outlines([*ids, *tips, f"^{commit}"]) if ids else []
        self.beside = {one.sha: one for one in found}
        for sha, (author, authored, subject) in gone.items():
            # Git has pruned it, so it is in no history.
            self.beside[sha] = Outline(
                sha, (), author, authored=authored, committed=authored, subject=subject
            )
        inside = [sha for sha in ids if sha not in self.beside]
        times = [*_author_times(history, inside), *(one.authored for one in self.beside.values())]
        # A repetition or revert of a commit is never older than its author time.
        since = (f"--since=@{min(times) - 1}",) if times else ("--max-count=0",)
        self.head = history.outlines([commit], *since)
        everything = {one.sha: one for one in self.head} | self.beside
        # Git ends at a commit whose time is wrong, so what it depends on may be behind.
        behind = [sha for sha in inside if sha not in everything]
        more = history.outlines(behind, "--no-walk=unsorted") if behind else []
        everything |= {one.sha: one for one in more}
        self._outlines = {sha: everything[sha] for sha in ids}
        self._hung_on = self._outlines.keys() | gone.keys()
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
        same = SameChanges(self._history, self.head, self._facts)
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


def _author_times(history: History, shas: Sequence[str]) -> list[int]:
    asked = ("log", "--no-walk=unsorted", "--stdin", "--format=%at")
    if not shas:
        return []  # git would tell of HEAD
    return [int(told) for told in history.ask(*asked, stdin="\n".join([*shas, ""])).split()]
