"""Finds what took the place of commits that their own branch no longer has.

An amended, squashed or moved commit lives on in another one; a dropped commit does not. The reflog
tells when a branch was rewritten, and the changes tell which of its commits were kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from satchel.core.line_marks import mark_of
from satchel.core.values import NamedTuple, cached_property
from satchel.features.branches.reflogs import MOVING, REBASING, Move, WorkTreeHead
from satchel.features.branches.work import makes_new_work
from satchel.storage.commits import Commit, History, Outline, telling_lines
from satchel.storage.git import GitError

#: Most seconds between undoing a commit and committing its work again, whatever it then says.
_AGAIN = 60
#: Share of a commit's lines that must be left.
_NEARLY_ALL = 0.8
#: Most commits of one rewriting to compare, most times that one commit is followed, and most
#: rewritings to compare for one table.
_MOST, _FARTHEST, _REWRITINGS = 100, 50, 100
#: Most moves after a reset that commit its work again.
_SOON = 10


class Rewriting(NamedTuple):
    """A branch's tip before it was rewritten, where it began again, and its tip afterwards."""

    old: str
    onto: str
    new: str


class Rewritings:
    """What took the place of commits on their branch.

    Args:
        history: for looking up changes.
        logs: the reflogs of HEADs and branches.
        known: earlier answers: commit -> what took its place, by rewriting; "" for nothing.
    """

    def __init__(
        self, history: History, logs: Sequence[WorkTreeHead], known: Mapping[str, Mapping[str, str]]
    ) -> None:
        self._history, self._logs, self._known = history, logs, known
        #: What was found this time, to be kept.
        self.found: dict[str, dict[str, str]] = {}
        self._compared: dict[Rewriting, _Comparison] = {}

    def chain(self, commit: str) -> tuple[str, ...]:
        """Return the commits that took a commit's place, one after the other."""
        chain = [commit]
        while len(chain) < _FARTHEST:
            following = self._in_place.get(chain[-1], "") or self._taken_over(chain[-1])
            if not following or following in chain:
                break
            chain.append(following)
        return tuple(chain[1:])

    def _taken_over(self, commit: str) -> str:
        told = self.found.setdefault(commit, dict(self._known.get(commit, {})))
        for one in self._after(commit):
            name = f"{one.old} {one.new}"
            if any(told.values()):
                break
            if name not in told and (one in self._compared or len(self._compared) < _REWRITINGS):
                compared = self._compared.setdefault(one, _Comparison(self._history, one))
                told[name] = compared.place_of(commit)
        return next(filter(None, told.values()), "")

    def _after(self, commit: str) -> Iterator[Rewriting]:
        """Return the rewritings of branches since they had a commit as their tip."""
        for log, at, branch in self._tips.get(commit, ()):
            for begun, one in self._rewritings.get((log, branch), ()):
                if begun > at:
                    yield one

    @cached_property
    def _tips(self) -> dict[str, list[tuple[int, int, str]]]:
        found: dict[str, list[tuple[int, int, str]]] = {}
        for number, log in enumerate(self._logs):
            for at, one in enumerate(log.moves):
                found.setdefault(one.new, []).append((number, at, one.branch))
        return found

    @cached_property
    def _rewritings(self) -> dict[tuple[int, str], list[tuple[int, Rewriting]]]:
        found: dict[tuple[int, str], list[tuple[int, Rewriting]]] = {}
        for number, log in enumerate(self._logs):
            for at, branch, one in _rewritings(log.moves):
                found.setdefault((number, branch), []).append((at, one))
        return found

    @cached_property
    def _in_place(self) -> dict[str, str]:
        """The commits that were amended, or undone and at once committed again."""
        return {
            one.old: new
            for log in reversed(self._logs)
            for at, one in reversed(list(enumerate(log.moves)))
            if (new := _in_place(one, log.moves[at + 1 : at + 2]))
        }


def _in_place(one: Move, later: Sequence[Move]) -> str:
    if one.what.startswith("commit (amend)"):
        return one.new
    if not one.what.startswith("reset:") or one.old == one.new or not later:
        return ""
    again = later[0]
    soon = again.at - one.at <= _AGAIN and again.old == one.new and again.branch == one.branch
    return again.new if soon and makes_new_work(again) else ""


def _rewritings(moves: Sequence[Move]) -> Iterator[tuple[int, str, Rewriting]]:
    """Return each rewriting of a branch, with its place in the log and the branch."""
    begun: tuple[int, Move] | None = None
    for at, one in enumerate(moves):
        step = one.what.partition(":")[0]
        if step.startswith(REBASING) and step.endswith("(start)"):
            begun = at, one
        elif step.startswith(REBASING) and step.endswith("(finish)"):
            if begun is not None:
                yield begun[0], one.branch, Rewriting(begun[1].old, begun[1].new, one.new)
            elif one.old != one.new:  # the log of a branch, which has no steps
                yield at, one.branch, Rewriting(one.old, one.what.rpartition(" ")[2], one.new)
            begun = None
        elif _goes_back(one) and one.old != one.new:
            new = _tip_after(moves[at + 1 : at + 1 + _SOON], one)
            yield at, one.branch, Rewriting(one.old, one.new, new)


def _goes_back(one: Move) -> bool:
    again = one.what.startswith(MOVING) and one.left == one.branch != ""
    return again or one.what.startswith("reset:")


def _tip_after(later: Sequence[Move], begin: Move) -> str:
    """Return the last commit in a row that was made after a branch was reset."""
    tip = begin.new
    for one in later:
        if one.branch != begin.branch or one.old != tip or not one.what.startswith("commit"):
            break
        tip = one.new
    return tip


class _Comparison:
    """The commits of a branch before it was rewritten, to be found among those afterwards."""

    def __init__(self, history: History, rewriting: Rewriting) -> None:
        self._history = history
        self._old, self._onto, self._new = rewriting

    def place_of(self, commit: str) -> str:
        """Return the commit that took another's place, "" if it is still there or was dropped."""
        try:
            one = self._lost.get(commit)
            if one is None or not self._fresh:
                return ""
            same = (new for new in self._fresh if _is_same(one, new))
            return next((new.sha for new in same), "") or self._by_lines(commit)
        except GitError:
            return ""  # git has thrown commits away

    @cached_property
    def _lost(self) -> dict[str, Outline]:
        """The commits that the branch lost."""
        asked = self._history.outlines([self._old, f"^{self._new}"], f"--max-count={_MOST}")
        return {one.sha: one for one in asked}

    @cached_property
    def _fresh(self) -> list[Outline]:
        """The commits that it got instead, the newest first."""
        asked = [self._new, f"^{self._old}", f"^{self._onto}"]
        return self._history.outlines(asked, f"--max-count={_MOST}")

    @cached_property
    def _whole(self) -> tuple[Commit, Commit]:
        """All that the branch changed, before and after."""
        base = self._history.ask("merge-base", self._new, self._old).strip()
        is_moved = self._history.ask("merge-base", self._onto, self._old).strip() != self._onto
        return (
            self._history.between(base, self._old),
            self._history.between(self._onto if is_moved else base, self._new),
        )

    @cached_property
    def _marks(self) -> dict[str, set[str]]:
        """The marks of each new commit's lines."""
        found = self._history.commits([one.sha for one in self._fresh])
        return {one.sha: _marks(one) for one in found}

    def _by_lines(self, commit: str) -> str:
        """Return the commit with those of another's lines that its branch had at last."""
        before, after = self._whole
        left = _most_telling(next(self._history.commits([commit]))) & _marks(before)
        is_same = before.change == after.change
        if left:
            kept = is_same or _are_in(left, self._marks.values())
            most = max(self._marks, key=lambda sha: len(left & self._marks[sha]), default="")
            return most if kept and left & self._marks.get(most, set()) else ""
        # Later commits of the branch changed all that it wrote, so it goes where they went.
        kept = is_same or _are_in(_marks(before), self._marks.values())
        return self._with_files(commit) if kept else ""

    def _with_files(self, commit: str) -> str:
        paths = self._history.paths([commit, *self._marks])
        its = set(paths.get(commit, ()))
        return next((sha for sha in self._marks if not its.isdisjoint(paths.get(sha, ()))), "")


def _is_same(one: Outline, new: Outline) -> bool:
    return (one.author, one.subject) == (new.author, new.subject)


def _are_in(marks: set[str], among: Collection[set[str]]) -> bool:
    """Return whether nearly all lines are among those of some commits."""
    return len(marks.intersection(set().union(*among))) >= _NEARLY_ALL * len(marks)


def _marks(one: Commit) -> set[str]:
    """Return the marks of a commit's lines, those that it removes with a sign."""
    added = (mark_of(text) for lines in one.added.values() for _, text in lines)
    return {*filter(None, added), *(f"-{mark}" for mark in one.removed)}


def _most_telling(one: Commit) -> set[str]:
    """Return the marks of a commit's distinctive lines, of all lines if it has none."""
    return set(telling_lines(one)) or _marks(one)
