"""Which session a line comes from, as far as git's blame and the transcripts agree."""

from __future__ import annotations

from satchel.core.line_marks import mark_of
from satchel.features.thread.linking import less_sure
from satchel.features.thread.values import WROTE, Link
from satchel.storage.commits import BlamedLine, Commit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from satchel.application.thread.accepted import AcceptedLines
    from satchel.features.thread.linking import Linker


class LineOrigins:
    """Finds the sessions that lines come from; remembers those of commits.

    Args:
        linker: links commits and lines by what tools wrote.
        accepted: knows the lines that accepted suggestions wrote.
    """

    def __init__(self, linker: Linker, accepted: AcceptedLines) -> None:
        self.linker, self.accepted = linker, accepted
        self._links: dict[str, list[Link]] = {}

    def links(self, commit: Commit) -> list[Link]:
        """Return the sessions that a commit comes from; none for what is not committed."""
        if commit.sha not in self._links:
            self._links[commit.sha] = self.linker.links(commit) if commit.sha else []
        return self._links[commit.sha]

    def typed_again(self, line: BlamedLine, commit: Commit, old: BlamedLine) -> bool:
        """Return whether tools wrote a line for its commit, after an older one that is the same."""
        found = self.linker.origin(commit, line.path, line.original, self.links(commit))
        kinds = {reason.kind for link in found[:1] for reason in link.evidence}
        return WROTE in kinds and found[0].at > old.at

    def of(
        self, line: BlamedLine, commit: Commit | None, shown: str, inside: str
    ) -> Sequence[Link]:
        """Return a line's sessions, best first.

        Args:
            line: as blamed.
            commit: the one that added it, with its lines; None if unknown.
            shown: the path of the file that was asked about, from the top of the work tree.
            inside: the line's path in the project.
        """
        origin: list[Link] = []
        if commit is not None:
            origin = self.linker.origin(commit, line.path, line.original, self.links(commit))
            mark = mark_of(line.text)
            # A commit that is skipped may have changed what is shown.
            changed = mark_of(commit.line(line.path, line.original) or "") != mark
            origin = [
                less_sure(link)
                # Git may take one of several lines that are the same for another.
                if line.copied or changed or not self.linker.is_of_one_prompt(link, shown, mark)
                else link
                for link in origin
            ]
            origin = self.linker.with_later(origin, commit, (shown, line.path), mark)
        return self.accepted.origin(inside, line.text, origin, commit)
