"""The gate: what of a repository's lines and files may reach an agent, by one person's rules."""

from __future__ import annotations

import os
from functools import cached_property

from satchel.core.errors import StoreError
from satchel.core.trust import REPO, UNAPPROVED
from satchel.core.values import NamedTuple
from satchel.project.approvals.authorship import (
    NOBODY,
    UNKNOWN,
    Author,
    authors_of,
    is_committed,
    is_converted,
    is_in_progress,
    is_staged,
)
from satchel.project.approvals.rules import ApprovalSet, file_mark, line_mark, own_mark
from satchel.storage.paths import PROJECT_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from satchel.project.approvals.rules import Approvals
    from satchel.project.place import Place

_MOST_REMOTES = 100
_SECONDS = 1.0


class Verdict(NamedTuple):
    """What the gate says of a line.

    Attributes:
        passes: whether it may reach an agent.
        trust: what takes the place of the trust that the line claims; "" for its own word.
        author: who committed it; "" for nobody.
    """

    passes: bool
    trust: str = REPO
    author: str = ""


class Gate:
    """Judges lines and files of one work tree.

    Args:
        place: the work tree.
        approvals: what the person approved.
        everything: whether nothing is held back, by the person's own setting.
        note: told of what kept git from saying who wrote something.
    """

    def __init__(
        self, place: Place, approvals: Approvals, *, everything: bool, note: Callable[[str], None]
    ) -> None:
        self._place, self._approvals = place, approvals
        self._everything, self._note = everything, note
        #: Whether git could say of everything who wrote it.
        self.settled = True
        self._rules: tuple[str, ApprovalSet] | None = None

    @property
    def stamp(self) -> str:
        """Changes whenever the rules do. Costs a stat for each of three files."""
        ledger = self._approvals.ledger
        config = os.path.join(self._place.common or self._place.root, "config")
        marks = [_mark_of_file(path) for path in (ledger.archive, ledger.path, config)]
        return " ".join(["all" if self._everything else "held", *marks])

    @property
    def rules(self) -> ApprovalSet:
        """What the person approved."""
        stamp = self.stamp
        if self._rules is None or self._rules[0] != stamp:
            self._rules = (stamp, self._approvals.load())
        return self._rules[1]

    @property
    def believes_repository(self) -> bool:
        """Whether the repository is believed as a whole: from these remotes and no others."""
        if self._everything:
            return True
        remotes = self.rules.remotes
        return remotes is not None and frozenset(self.remotes()) <= remotes

    def remotes(self) -> list[str]:
        """Return the addresses that this repository is fetched from."""
        if not self._place.common:
            return []
        from satchel.storage import git

        asked = ("config", "--get-regexp", r"^remote\..*\.url$")
        try:
            done = git.ask(self._place.root, *asked, seconds=_SECONDS)
        except git.GitError as error:
            self.uncertain(str(error))
            return ["?"]
        rows = done.out.splitlines()[:_MOST_REMOTES]
        return sorted({row.partition(" ")[2].strip() for row in rows})

    # Lines

    def of_lines(self, path: str) -> Callable[[str, int], Verdict]:
        """Return what judges lines of a tracked ledger, by hash and number (from 1)."""
        self.settled = True  # whoever stays open asks again
        rules, authors = self.rules, _Authors(self, self._place, path)
        everything = self.believes_repository

        def judge(line_hash: str, number: int) -> Verdict:
            if own_mark(line_hash) in rules.marks:
                return Verdict(passes=True, trust="")
            who = authors.at(number)
            if who == NOBODY and authors.own_here:
                return Verdict(passes=True, trust="")
            approved = everything or line_mark(line_hash) in rules.marks
            if approved or who.email in rules.authors:
                return Verdict(passes=True, author=str(who))
            return Verdict(passes=False, trust=UNAPPROVED, author=str(who))

        return judge

    def local_is_own(self, path: str) -> bool:
        """Return whether what is not committed in a file is this person's own.

        It is in a project that began here, or that came by git itself; not while git has yet to
        commit what it brought, and not what is staged: a squashed merge leaves no other trace.
        """
        place = self._place
        if is_in_progress(place.common, place.root):
            return False
        if not place.common:
            return self.rules.local
        try:
            came_by_git = self.rules.local or is_committed(place.root, PROJECT_FILE)
            brought = is_staged(place.root, path) or is_converted(place.root, path)
        except StoreError as error:
            self.uncertain(str(error))
            return False
        return came_by_git and not brought

    # Files

    def admits_file(self, path: str, data: bytes) -> bool:
        """Say whether a file may reach an agent: approved, or every line by who is believed."""
        root, real = os.path.realpath(self._place.root), os.path.realpath(path)
        if not _is_inside(real, root):
            # The person's own; but where the repository's link leads is not the person's choice.
            return not _is_inside(os.path.abspath(path), os.path.abspath(self._place.root))
        if self.believes_repository:
            return True
        mark = file_mark(os.path.relpath(real, root), data)
        if mark in self.rules.marks:
            return True
        authors = _Authors(self, self._place, real)
        who = authors.every()
        rest = {one for one in who if one.email not in self.rules.authors}
        if rest - {NOBODY} or (rest and not authors.own_here):
            return False
        if rest:
            # Once committed it would look like anybody's.
            self._approvals.approve([mark])
        return True

    def authors_of_file(self, path: str) -> set[Author]:
        """Return who wrote the lines of a file."""
        return _Authors(self, self._place, os.path.realpath(path)).every()

    def uncertain(self, why: str) -> None:
        """Note that git could not say who wrote something; it is asked again the next time."""
        self.settled = False
        self._note(why)


class _Authors:
    """The authors of one file, asked for when the first one is needed."""

    def __init__(self, gate: Gate, place: Place, path: str) -> None:
        self._gate, self._place, self._path = gate, place, path

    @cached_property
    def _lines(self) -> list[Author] | None:
        if not self._place.common:
            return None
        from satchel.storage.git import GitError

        try:
            return authors_of(self._place.root, self._path, common=self._place.common)
        except GitError as error:
            self._gate.uncertain(str(error))
            return [UNKNOWN]

    @cached_property
    def own_here(self) -> bool:
        """Whether the lines that nobody has committed are this person's."""
        return self._gate.local_is_own(self._path)

    def at(self, number: int) -> Author:
        """Return the author of a line, counted from 1."""
        if self._lines is None:
            return NOBODY
        return self._lines[number - 1] if number <= len(self._lines) else UNKNOWN

    def every(self) -> set[Author]:
        """Return the authors of all lines."""
        return {NOBODY} if self._lines is None else set(self._lines) or {UNKNOWN}


def _mark_of_file(path: str) -> str:
    try:
        status = os.stat(path)
    except OSError:
        return "-"
    return f"{status.st_size}.{status.st_mtime_ns}"


def _is_inside(path: str, root: str) -> bool:
    return os.path.commonpath([path, root]) == root
