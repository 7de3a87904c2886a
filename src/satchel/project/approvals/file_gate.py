"""Judges files of a work tree by their authors: from the cache, all at once, or one by one."""

from __future__ import annotations

import os

from satchel.core.values import NamedTuple, cached_property
from satchel.project.approvals.authorship import NOBODY, UNKNOWN, FileAuthors
from satchel.project.approvals.file_authors import KnownAuthors, Written, written
from satchel.project.place import commit_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from satchel.project.approvals.authorship import Author, AuthorshipContext
    from satchel.project.approvals.rules import ApprovalSet
    from satchel.project.place import Place


class File(NamedTuple):
    """A file: its resolved path, its approval mark, its content, and the path as given."""

    path: str
    mark: str
    data: bytes
    given: str


class FileGate:
    """Tells which files have only trusted authors.

    Args:
        place: the work tree.
        rules: what the user approved.
        context: on whose behalf.
        known: git's earlier answers.
    """

    def __init__(
        self, place: Place, rules: ApprovalSet, context: AuthorshipContext, known: KnownAuthors
    ) -> None:
        self._place, self._rules, self._context, self._known = place, rules, context, known
        self._verifies = context.verifies
        self._new: dict[str, Written] = {}
        #: Marks of files that this person wrote and has not committed.
        self.own: list[str] = []

    def passing(self, files: Mapping[str, File]) -> set[str]:
        """Return the files with only trusted authors, by name."""
        verdicts = {name: self._as_known(file) for name, file in files.items()}
        rest = [files[name] for name, verdict in verdicts.items() if verdict is None]
        together = self._together(rest) if rest else {}
        passed = set()
        for name, verdict in verdicts.items():
            file = files[name]
            found = self._verdict(together.get(file.path)) if verdict is None else verdict
            passed |= {name} if (self._alone(file) if found is None else found) else set()
        self._known.keep(self._new)
        return passed

    def authors(self, files: Mapping[str, File]) -> dict[str, frozenset[Author]]:
        """Return the authors of these files' lines, without signatures, by name."""
        together = self._written([*files.values()])
        found = {}
        for name, file in files.items():
            one = together.get(file.path)
            if one is None or not one.exact:
                lines = FileAuthors(self._place, file.given, self._context).every()
                found[name] = frozenset(lines)
            else:
                found[name] = one.authors
        return found

    @cached_property
    def _stamp(self) -> str:
        """Return a stamp of HEAD's history; "" if only git can tell."""
        commit = commit_of(self._place.root)
        shallow = os.path.join(self._place.common, "shallow")
        return f"{commit} {os.path.exists(shallow)}" if commit else ""

    def _as_known(self, file: File) -> bool | None:
        return None if self._verifies else self._verdict(self._known.get(file.mark))

    def _verdict(self, one: Written | None) -> bool | None:
        """Return whether a file passes; None if git must be asked about its lines."""
        if one is None:
            return None
        believed = {who for who in one.authors if self._rules.believes(who)}
        if len(believed) == len(one.authors):
            return True  # these exact bytes are theirs, whatever is checked out
        certain = one.exact or not believed
        return False if certain and one.stamp and one.stamp == self._stamp else None

    def _together(self, files: list[File]) -> dict[str, Written]:
        # Checking a signature starts a program, so only lines that need it are checked.
        found = {} if self._verifies else self._written(files)
        self._new |= {one.mark: found[one.path] for one in files if one.path in found}
        return found

    def _written(self, files: list[File]) -> dict[str, Written]:
        if not self._place.common or not files:
            return {}
        from satchel.storage.git import GitError

        asked = {one.path: one.data for one in files}
        try:
            found = written(
                os.path.realpath(self._place.root),
                asked,
                common=self._place.common,
                seconds=self._context.seconds,
            )
        except GitError:
            return {}  # a long history: git may still answer in time about one file
        return {path: one._replace(stamp=self._stamp) for path, one in found.items()}

    def _alone(self, file: File) -> bool:
        """Return whether the authors of a file's lines are trusted."""
        authors = FileAuthors(self._place, file.given, self._context)
        who = authors.every()
        if not self._verifies and who.isdisjoint((NOBODY, UNKNOWN)):
            self._new[file.mark] = Written(frozenset(who), exact=True, stamp=self._stamp)
        rest = {one for one in who if not self._rules.believes(one)}
        if rest - {NOBODY} or (rest and not authors.own_here):
            return False
        self.own += [file.mark] if rest else []
        return True
