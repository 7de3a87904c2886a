"""Whether commits are in force in a history: reverted, reapplied, or under another id.

Rules only: git was queried before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from heapq import heappop, heappush

from satchel.features.branches.values import ELSEWHERE, REVERTED, Birth, BranchState
from satchel.storage.commits import Outline

#: How many commits a merge or an empty commit may stand for, one after another.
_FARTHEST = 20
#: Digits of a full id.
_WHOLE = 40
#: Written like code: `quoted`, a/path.py, snake_case, camelCase, called().
_CODE = re.compile(
    r"`[^`\n]+`|[\w.-]{1,64}/[\w./-]{0,128}\w\.\w{1,5}\b|"
    r"\b(?!e\.g\b|i\.e\b)[\w-]{1,64}\.[a-z]{1,4}\b(?![.\w])|"
    r"\b[A-Za-z0-9]+_\w+|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z0-9]+[A-Z]\w*|\w\(\)"
)


def names_code(text: str) -> bool:
    """Return whether a text names a file or a symbol."""
    return _CODE.search(text) is not None


class ReplayedHistory:
    """A commit's history, replayed from the start: what is in force at the end.

    Args:
        head: its commits, each before its parents, as far back as needed.
        beside: commits of other histories that memories depend on.
        same: commits of this history with the same change as one of those, by the latter's id.
        alike: whether two commits are about the same.
    """

    def __init__(
        self,
        head: Sequence[Outline],
        beside: Mapping[str, Outline],
        same: Mapping[str, Collection[str]],
        alike: Callable[[Outline, Outline], bool],
    ) -> None:
        self._head = head
        self._here = {one.sha: one for one in head}
        self._place = {one.sha: number for number, one in enumerate(head)}
        self._beside, self._same, self._alike = beside, same, alike
        self._by_author: dict[str, list[str]] = {}
        for one in head:
            self._by_author.setdefault(one.author, []).append(one.sha)
        #: Commits not in force -> the commit that reverted them.
        self.off: dict[str, str] = {}
        self._effects: dict[str, tuple[set[str], set[str]]] = {}
        #: The commits played so far, by first line, by request, and by both.
        self._subjects: dict[str, str] = {}
        self._played: set[str] = set()

    def play(self) -> None:
        """Replay the history, once equivalent commits are known."""
        for one in reversed(self._head):
            self._play(one)

    def _play(self, one: Outline) -> None:
        if one.undoes or one.undoes_subject:
            self._undo(one)
        else:
            self.off.pop(one.sha, None)
        self._subjects[one.subject] = one.sha
        if one.request:
            self._subjects[one.request] = self._subjects[f"{one.request} {one.subject}"] = one.sha
        self._played.add(one.sha)

    def _undo(self, one: Outline) -> None:
        on, off = {one.sha}, set[str]()
        for target in self._undone_by(one):
            gave, took = self._effect(target)
            on |= took & self.off.keys()
            given = {
                sha: self._again_behind(one, self._here[sha]) for sha in gave & self._here.keys()
            }
            there = self._before_merge(target, set().union(*given.values()) - self.off.keys())
            for sha, again in given.items():
                # Repetitions are reverted along with it; what a merge found there stays.
                if there.isdisjoint(again):
                    off |= {sha, *again}
        off -= self.off.keys()
        if off or len(on) > 1:
            self._effects[one.sha] = on, off
        self.off.update(dict.fromkeys(off, one.sha))
        for sha in on:
            self.off.pop(sha, None)

    def _undone_by(self, one: Outline) -> list[str]:
        """Return the earlier commits that a commit reverts."""
        found = []
        for whole in self._undoes(one):
            old = self._here.get(whole) or self._beside.get(whole)
            if old is None or not self._may_revert(one, old):
                continue
            if whole in self._here:
                found.append(whole)
            else:
                for part in self._brought_beside(old):
                    found += self._again_behind(one, part)
        if not found and one.undoes_subject and one.undoes_subject in self._subjects:
            found.append(self._subjects[one.undoes_subject])
        return found

    def _may_revert(self, one: Outline, old: Outline) -> bool:
        """Return whether a commit can revert another, as its message says.

        A squash also says what was taken back before it was made: of that it has no trace.
        """
        if one.undoes_subject or old.sha in self._again_behind(one, old):
            return True
        brought = self._brought_beside(old) if old.sha in self._beside else [old]
        return any(self._alike(one, part) for part in brought)

    def _again_behind(self, one: Outline, old: Outline) -> list[str]:
        """Return a commit's ancestors that are another commit under a new id."""
        parts = [sha for sha, whole in self._same.items() if old.sha in whole]
        wanted = self._played.intersection([old.sha, *self.again(old), *parts])
        return self._ancestors(one.parents, wanted)

    def _ancestors(self, tips: Iterable[str], wanted: Collection[str]) -> list[str]:
        """Return those of some commits of this history that are tips or behind them."""
        found, seen, left = list[str](), set[str](), list(tips) if wanted else []
        # Every commit comes before its parents, so nothing wanted is behind the last one.
        last = max((self._place[sha] for sha in wanted), default=-1)
        while left and len(found) < len(wanted):
            sha = left.pop()
            if sha in self._here and sha not in seen and self._place[sha] <= last:
                seen.add(sha)
                left += self._here[sha].parents
                found += [sha] if sha in wanted else []
        return found

    def _undoes(self, one: Outline) -> list[str]:
        """Return what a message says is reverted, except what it says is reapplied.

        A squash's message has the messages of all its commits.
        """
        names = [self._named(name, one.undoes_subject) or name for name in one.undoes]
        there = {name: self._here.get(name) or self._beside.get(name) for name in names}

        def is_undone(name: str, *by: str) -> bool:
            return not any(
                name in [self._named(old, revert.undoes_subject) for old in revert.undoes]
                and other not in by
                and is_undone(other, *by, other)
                for other, revert in there.items()
                if revert is not None
            )

        return [name for name in names if is_undone(name)]

    def _named(self, name: str, title: str) -> str:
        if name in self._here or name in self._beside:
            return name
        # Several commits may name one issue, as they would a request.
        request = self._subjects.get(f"{name} {title}") or self._subjects.get(name)
        if request:
            return request
        cut = (*self._here, *self._beside) if len(name) < _WHOLE else ()
        return next((sha for sha in cut if sha.startswith(name)), "")

    def _effect(self, sha: str) -> tuple[set[str], set[str]]:
        """Return what a commit puts in and out of force. A merge does all that it brings."""
        parents = self._here[sha].parents if sha in self._here else ()
        if len(parents) < 2:  # noqa: PLR2004
            return self._effects.get(sha, ({sha}, set()))
        brought = self._brought(parents) | {sha}
        is_on: dict[str, bool] = {}
        for one in sorted(brought & self._place.keys(), key=self._place.__getitem__, reverse=True):
            on, off = self._effects.get(one, ({one}, set()))
            is_on.update({**dict.fromkeys(on, True), **dict.fromkeys(off, False)})
        return (
            {one for one, there in is_on.items() if there},
            {one for one, there in is_on.items() if not there} - brought,
        )

    def _brought(self, parents: Sequence[str]) -> set[str]:
        """Return the ancestors of a merge's other parents that its first lacks."""
        first, found = {parents[0]}, set(parents[1:])
        left = sorted({self._place[sha] for sha in parents if sha in self._place})
        waiting = found & self._place.keys()
        # Each commit comes after all its children, so one walk is enough.
        while waiting:
            one = self._head[heappop(left)]
            waiting.discard(one.sha)
            for parent in one.parents:
                (first if one.sha in first else found).add(parent)
                place = self._place.get(parent)
                if parent in first:
                    found.discard(parent)
                    waiting.discard(parent)
                elif place is not None:
                    waiting.add(parent)
                if place is not None and place not in left:
                    heappush(left, place)
        return found

    def _before_merge(self, sha: str, wanted: Collection[str]) -> set[str]:
        """Return those that the first parent of a merge had: its revert leads back to that."""
        parents = self._here[sha].parents if sha in self._here else ()
        return set(self._ancestors(parents[:1], wanted)) if len(parents) > 1 else set()

    def _brought_beside(self, merge: Outline) -> list[Outline]:
        """Return a commit of another history, or what it brought if it is a merge."""
        if len(merge.parents) < 2:  # noqa: PLR2004
            return [merge]
        before, brought = (self._behind(merge.parents[:1]), self._behind(merge.parents[1:]))
        # What the first parent had under another id was not brought.
        there = {(one.author, one.subject) for one in before.values()}
        return [
            one
            for sha, one in brought.items()
            if sha not in before and (one.author, one.subject) not in there
        ]

    def _behind(self, shas: Iterable[str]) -> dict[str, Outline]:
        found, left = dict[str, Outline](), list(shas)
        while left:
            sha = left.pop()
            one = self._here.get(sha) or self._beside.get(sha)
            if one is not None and sha not in found:
                found[sha] = one
                left += one.parents
        return found

    def again(self, one: Outline) -> list[str]:
        """Return this history's commits that are another one under a new id."""
        by_author = [self._here[sha] for sha in self._by_author.get(one.author, ())]
        found = [
            other.sha
            for other in by_author
            if other.sha != one.sha
            and (other.subject == one.subject or self._is_reworded(one, other))
        ]
        return found + [sha for sha in self._same.get(one.sha, ()) if sha in self._here]

    def _is_reworded(self, one: Outline, other: Outline) -> bool:
        """Return whether a commit is another one with a new message.

        An author may make several in one second: then one history has both, or one is a revert.
        """
        reverts = {bool(either.undoes or either.undoes_subject) for either in (one, other)}
        if one.sha in self._here or len(reverts) > 1:
            return False
        twins = {
            twin.sha
            for twin in self._beside.values()
            if (twin.author, twin.subject) == (one.author, other.subject)
        }
        before, after = self._behind([one.sha]), self._behind(twins)
        return twins.isdisjoint(before) and one.sha not in after and self._alike(one, other)

    def state(self, sha: str, *, there: bool) -> tuple[str, str]:
        """Return a commit's state, "" for in force, and the commit that reverted it.

        Args:
            sha: one of this history, or of the others.
            there: whether it is in this history.
        """
        one = self._here.get(sha) or self._beside.get(sha)
        if there and sha not in self.off:
            return "", ""
        members = self.again(one) if one is not None else []
        undone = [other for other in members if sha in self._undoes(self._here[other])]
        if undone:
            return REVERTED, undone[0]
        if any(other not in self.off for other in members):
            return "", ""
        if there or members:
            return REVERTED, self.off[sha if there else members[0]]
        return ELSEWHERE, sha


def judge(
    birth: Birth,
    played: ReplayedHistory,
    beside: Mapping[str, Outline],
    empty: Collection[str],
    here: str,
) -> BranchState | None:
    """Return a memory's state; None if it simply holds.

    Args:
        birth: what it depends on; commits unknown to git are left out.
        played: the replayed history.
        beside: the commits of other histories.
        empty: the empty ones among them.
        here: the branch checked out.
    """
    branch = "" if birth.branch == here else birth.branch
    states = [_state(sha, played, beside, empty) for sha in birth.commits]
    for state, sha in states:
        # What was only checked out says nothing of the memory when it goes.
        if state == REVERTED and birth.own:
            return BranchState(REVERTED, branch, sha, birth.about_code)
    if birth.waits or all(state == ELSEWHERE for state, _ in states):
        commit, about_code = birth.commits[-1], birth.about_code
        return BranchState(ELSEWHERE, branch, commit, about_code, waits=birth.waits)
    return None


def _state(
    sha: str, played: ReplayedHistory, beside: Mapping[str, Outline], empty: Collection[str]
) -> tuple[str, str]:
    """Return a commit's state; an empty commit has the state of its branch before it."""
    state = played.state(sha, there=sha not in beside)
    before = sha
    for _ in range(_FARTHEST):
        one = beside.get(before)
        if state[0] != ELSEWHERE or one is None or not _is_nothing(one, beside, empty):
            break
        before = one.parents[0]
        state = played.state(before, there=before not in beside)
    return state


def _is_nothing(one: Outline, beside: Mapping[str, Outline], empty: Collection[str]) -> bool:
    """Return whether a commit is empty and not the first on its branch."""
    nothing = len(one.parents) > 1 or one.sha in empty
    return nothing and one.parents[0] in beside
