"""Builds a table of commits that memories depend on, with few git calls."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from satchel.features.branches.rules import Played, judge, names_code
from satchel.features.branches.same_change import SameChanges
from satchel.features.branches.tables import Table
from satchel.features.branches.values import (
    ELSEWHERE,
    Birth,
    BranchState,
    follows_git,
    is_about_work,
)
from satchel.features.branches.work import (
    WorkTreeHead,
    last_seen,
    read_heads,
    waits_elsewhere,
    work_of,
)
from satchel.storage.commits import History, Outline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from satchel.project.place import Place
    from satchel.storage.ledger.record import Record

#: Branches that others come from, where no remote says which it is.
_TRUNKS = ("main", "master", "trunk")
#: Git's list of commits whose parents it was not given.
_SHALLOW = "shallow"
_HEADS, _REMOTES = "refs/heads/", "refs/remotes/"


def made(
    place: Place, commit: str, branch: str, records: Sequence[Record], facts: Mapping[str, Any]
) -> tuple[Table, dict[str, Any]]:
    """Build a commit's table; return it with new facts about commits.

    Args:
        place: the project's, in one of its work trees.
        commit: that is asked about.
        branch: that is checked out, "" for none.
        records: every live memory.
        facts: what was found out of commits before. Raises `GitError`.
    """
    history = History(place.root)
    tips, trunk = _branches(history)
    followed = [one for one in records if follows_git(one, trunk)]
    heads = read_heads(place.common)
    known_work = facts.get("work", {})
    work = {one.id: tuple(known_work.get(one.id) or work_of(one, heads)) for one in followed}
    births = [_birth(one, work[one.id], heads, branch) for one in followed]
    asked = _Asked(history, commit, births, facts)
    same, played = asked.played(births, lambda name: tips.get(name) or last_seen(name, heads))
    states: dict[str, BranchState] = {}
    is_shallow = os.path.isfile(os.path.join(place.common, _SHALLOW))
    for one in births:
        known = one._replace(commits=tuple(filter(None, map(asked.whole, one.commits))))
        state = judge(known, played, asked.beside, same.empty, branch) if known.commits else None
        if state is not None and not (is_shallow and state.state == ELSEWHERE):
            states[one.id] = state
    until = max((one.ts for one in records), default=0)
    new = {one.sha: [one.author, one.authored, one.subject] for one in asked.hung_on()}
    kept = {
        "work": {name: shas for name, shas in work.items() if shas},
        "commits": asked.still_asked({**facts.get("commits", {}), **new}),
        "same": asked.still_asked({sha: sorted(found) for sha, found in same.found.items()}),
    }
    return Table(commit, branch, until, trunk, states), kept


def _birth(record: Record, work: tuple[str, ...], heads: list[WorkTreeHead], branch: str) -> Birth:
    text = f"{record.title} {record.content}"
    about = "anchors" in (record.data or {}) or names_code(text)
    return Birth(
        record.id,
        work or (record.commit,),
        record.branch,
        about and not is_about_work(record),
        not work and waits_elsewhere(record, heads, branch),
    )


def _branches(history: History) -> tuple[dict[str, str], str]:
    """Return the tips of local and remote branches, and which is the trunk."""
    form = "--format=%(refname)%00%(objectname)%00%(symref)"
    tips: dict[str, str] = {}
    trunk = ""
    # Those of remotes first: what is here counts more.
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
        self, history: History, commit: str, births: Sequence[Birth], facts: Mapping[str, Any]
    ) -> None:
        self._history, self._facts = history, facts
        names = sorted({sha for one in births for sha in one.commits})
        self._whole = history.known(names)
        ids = sorted(set(self._whole.values()))
        kept = facts.get("commits", {})
        gone = {one: kept[one] for one in names if one not in self._whole and one in kept}
        self._whole |= {one: one for one in gone}
        outlines = history.outlines(ids, "--no-walk=unsorted") if ids else []
        found = history.outlines([*ids, f"^{commit}"]) if ids else []
        self.beside = {one.sha: one for one in found}
        for sha, (author, authored, subject) in gone.items():
            # Git has thrown it away, so that it is of no history.
            self.beside[sha] = Outline(sha, (), author, authored, authored, subject)
        self._outlines = {one.sha: one for one in outlines}
        self._hung_on = self._outlines.keys() | gone.keys()
        times = [one.authored for one in [*outlines, *self.beside.values()]]
        # Nothing that repeats or undoes a commit is older than when it was written.
        since = (f"--since=@{min(times) - 1}",) if times else ("--max-count=0",)
        self.head = history.outlines([commit], *since)

    def whole(self, name: str) -> str:
        """Return a commit's full id, or "" if unknown."""
        return self._whole.get(name, "")

    def still_asked(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Filter known facts to commits that a memory depends on."""
        ids = set(self._whole.values())
        return {sha: one for sha, one in facts.items() if sha in ids}

    def hung_on(self) -> list[Outline]:
        """Return commits that memories depend on and that are outside this history."""
        return [one for sha, one in self.beside.items() if sha in self._hung_on]

    def played(
        self, births: Sequence[Birth], tip_of: Callable[[str], str]
    ) -> tuple[SameChanges, Played]:
        """Replay the history, including outside commits that are in it under another id."""
        same = SameChanges(self._history, self.head)
        same.found = {sha: set(found) for sha, found in self._facts.get("same", {}).items()}
        played = Played(self.head, self.beside, same.found, same.touch_the_same)
        played.play()
        # What was reverted may have been done once more.
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
        if same.look_for(lost.values(), on_tip):
            played = Played(self.head, self.beside, same.found, same.touch_the_same)
            played.play()
        return same, played
