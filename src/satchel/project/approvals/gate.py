"""The gate: which of a repository's lines and files the user's rules let agents see."""

from __future__ import annotations

import os

from satchel.core.errors import StoreError
from satchel.core.trust import REPO, UNAPPROVED
from satchel.core.values import NamedTuple, cached_property
from satchel.storage.paths import archive_of
from satchel.storage.safe_open import is_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from satchel.project.approvals.authorship import Author
    from satchel.project.approvals.file_authors import KnownAuthors
    from satchel.project.approvals.file_gate import File
    from satchel.project.approvals.rules import Approvals, ApprovalSet
    from satchel.project.place import Place
    from satchel.storage.ledger.record import Record
    from satchel.storage.paths import PrivateState

_MOST_REMOTES = 100
_NOT_BY_GIT = "not by git"
_SECONDS = 1.0


class Verdict(NamedTuple):
    """The gate's verdict on a line.

    Attributes:
        passes: whether it may reach an agent.
        refused: whether the person rejected it: then it is not shown here, and nobody is asked
            again.
        trust: replaces the trust that the line claims; "" to keep the claim.
        author: who committed it; "" for nobody.
    """

    passes: bool
    trust: str = REPO
    author: str = ""
    refused: bool = False


class Gate:
    """Judges the lines and files of a work tree.

    Every command asks it whether the rules have changed. Imports for judging happen only when there
    is something to judge.

    Args:
        place: the work tree.
        state: holds the ledger of approvals, and git's answers about files.
        approvals: reads the person's approvals.
        everything: whether the person's own setting lets everything pass.
        note: called with the reason when git could not name an author.
        seconds: the longest wait for each of git's answers about authors. A person who asks waits
            longer than a hook, or a busy machine would call their own files unapproved.
    """

    def __init__(
        self,
        place: Place,
        state: PrivateState,
        approvals: Callable[[], Approvals],
        *,
        everything: bool,
        note: Callable[[str], None],
        seconds: float,
    ) -> None:
        self.seconds = seconds
        self._place, self._approvals = place, approvals
        self._state, self._ledger = state, state.ledger("approvals")
        self._everything, self._note = everything, note
        #: Whether git could name every author.
        self.settled = True
        self._rules: tuple[str, ApprovalSet] | None = None
        #: Whether to check signatures even if no key is trusted.
        self.shows_signatures = False

    @property
    def verifies(self) -> bool:
        """Return whether commit signatures are verified; each check starts a program."""
        return self.shows_signatures or bool(self.rules.keys)

    @property
    def stamp(self) -> str:
        """Return a stamp that changes with the rules, and with each fetch. Costs four stats."""
        git = self._place.common or self._place.root
        asked = (os.path.join(git, "config"), os.path.join(git, "FETCH_HEAD"))
        marks = [_mark_of_file(path) for path in (archive_of(self._ledger), self._ledger, *asked)]
        return " ".join(["all" if self._everything else "held", *marks])

    @property
    def rules(self) -> ApprovalSet:
        """Return what the user approved."""
        stamp = self.stamp
        if self._rules is None or self._rules[0] != stamp:
            self._rules = (stamp, self._approvals().load())
        return self._rules[1]

    @property
    def takes_local_for_own(self) -> bool:
        """Return whether the user trusts local content that did not come by git."""
        return self.rules.local

    @property
    def believes_repository(self) -> bool:
        """Return whether the whole repository is trusted: from exactly these remotes."""
        if self._everything:
            return True
        remotes = self.rules.remotes
        return remotes is not None and frozenset(self.remotes()) <= remotes

    def _covering(self) -> ApprovalSet:
        """Return the rules, with what an approval of the whole repository covers.

        It covers what its remotes bring. What others committed and no remote has came from
        elsewhere, and their addresses are believed no more than before.
        """
        if self._everything:
            return self.rules._replace(strangers=frozenset())
        if not self.believes_repository:
            return self.rules
        if not self.rules.remotes:
            return self.rules._replace(strangers=frozenset())
        from satchel.project.approvals.authorship import authors_of_no_remote
        from satchel.storage.git import GitError

        try:
            strangers = authors_of_no_remote(self._place.root, self.seconds)
        except GitError as error:
            self.uncertain(str(error))
            return self.rules
        return self.rules._replace(strangers=strangers)

    def remotes(self) -> list[str]:
        """Return the addresses this repository is fetched from."""
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

    def of_lines(self, path: str) -> Callable[[Record, int], Verdict]:
        """Return a judge of a tracked ledger's lines, given with their numbers, from 1."""
        from satchel.project.approvals.authorship import NOBODY, FileAuthors
        from satchel.project.approvals.rules import line_mark

        self.settled = True  # whoever stays open asks again
        rules, authors = self._covering(), FileAuthors(self._place, path, self)
        everything = rules.strangers == frozenset()

        def judge(line: Record, number: int) -> Verdict:
            mark = line_mark(line.hash)
            if rules.owns(line):
                return Verdict(passes=True, trust="")
            if mark in rules.refused:
                return Verdict(passes=False, trust=UNAPPROVED, refused=True)
            who = authors.at(number)
            approved = everything or rules.covers(line)
            if mark in rules.imported:
                # No commit names an author: once approved, it is who the line says.
                return Verdict(passes=True) if approved else Verdict(False, UNAPPROVED, _NOT_BY_GIT)
            if who == NOBODY and authors.own_here:
                return Verdict(passes=True, trust="")
            if approved or rules.believes(who):
                return Verdict(passes=True, author=str(who))
            return Verdict(passes=False, trust=UNAPPROVED, author=str(who))

        return judge

    # Files

    def admitted(self, files: Mapping[str, bytes]) -> frozenset[str]:
        """Return those of some files, given with their bytes, that agents may see."""
        from satchel.project.approvals.file_gate import File
        from satchel.project.approvals.rules import file_mark, place_mark

        root, top = os.path.realpath(self._place.root), os.path.abspath(self._place.root)
        rules: ApprovalSet | None = None
        marks, passed, open_ones = self.rules.marks, set(), {}
        waiting = self.rules.imported - marks
        for path, data in files.items():
            real = os.path.realpath(path)
            if not is_within(real, root):
                # The person's own; but where a link in the repository leads is not their choice.
                passed |= {path} if not is_within(os.path.abspath(path), top) else set()
                continue
            name = os.path.relpath(real, root)
            mark = file_mark(name, data)
            rules = self._covering() if rules is None else rules
            if rules.strangers == frozenset() or mark in marks:
                passed.add(path)
            elif place_mark(name) not in waiting:
                open_ones[path] = File(real, mark, data, path)
        if open_ones and rules is not None:
            passed |= self._by_authors(open_ones, rules)
        return frozenset(passed)

    def _by_authors(self, files: Mapping[str, File], rules: ApprovalSet) -> set[str]:
        """Return the files with only trusted authors, by name."""
        from satchel.project.approvals.file_gate import FileGate

        judge = FileGate(self._place, rules, self, self._known_authors)
        passed = judge.passing(files)
        if judge.own:
            # Once committed, it would look like anybody's.
            try:
                self._approvals().approve(judge.own)
            except StoreError:
                return passed  # a home that cannot be written: asked again at the next look
        return passed

    @cached_property
    def _known_authors(self) -> KnownAuthors:
        from satchel.project.approvals.file_authors import KnownAuthors

        return KnownAuthors(self._state.file_authors)

    def authors_of_file(self, path: str) -> set[Author]:
        """Return the authors of a file's lines."""
        from satchel.project.approvals.authorship import FileAuthors

        return FileAuthors(self._place, path, self).every()

    def authors_of_files(self, files: Mapping[str, bytes]) -> dict[str, frozenset[Author]]:
        """Return the authors of many files' lines, without signatures, by path."""
        from satchel.project.approvals.file_gate import File, FileGate

        judge = FileGate(self._place, self.rules, self, self._known_authors)
        named = {path: File(os.path.realpath(path), "", data, path) for path, data in files.items()}
        return judge.authors(named)

    def unapproved_commits(self, commits: Sequence[str]) -> frozenset[str]:
        """Return those of some commits, by id, whose authors the user has not approved."""
        rules = self._covering() if commits else self.rules
        if not commits or rules.strangers == frozenset():
            return frozenset()
        from satchel.project.approvals.authorship import UNKNOWN, authors_of_commits
        from satchel.storage.git import GitError

        found: dict[str, Author] = {}
        try:
            root = self._place.root
            found = authors_of_commits(root, commits, self.seconds, verify=self.verifies)
        except GitError as error:
            self.uncertain(str(error))
        return frozenset(one for one in commits if not rules.believes(found.get(one, UNKNOWN)))

    def uncertain(self, why: str) -> None:
        """Record that git could not name an author; it is asked again next time."""
        self.settled = False
        self._note(why)


def _mark_of_file(path: str) -> str:
    try:
        status = os.stat(path)
    except OSError:
        return "-"
    return f"{status.st_size}.{status.st_mtime_ns}"
