"""A snapshot of all task files: issues, their locations, problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from satchel.core.plurals import counted
from satchel.core.values import Any, NamedTuple, cached_property
from satchel.features.tasks.dialects import issue_of
from satchel.features.tasks.issue_graph import IssueGraph
from satchel.features.tasks.lines import DAMAGED, FOREIGN, Group, Line, groups_in, lines_in
from satchel.features.tasks.merging import order_of
from satchel.features.tasks.values import HARD, TOMBSTONE, Issue


class FileText(NamedTuple):
    """A file as read. `refused` says why it was not, or ""."""

    path: str
    lines: tuple[Line, ...]
    groups: dict[str, Group]
    refused: str = ""


class Problem(NamedTuple):
    """A problem with the tasks: where, what, and what to do."""

    path: str
    what: str
    next_step: str


def file_text(path: str, content: bytes) -> FileText:
    """Read a file's content."""
    lines = tuple(lines_in(content))
    return FileText(path, lines, groups_in(lines))


class Board:
    """The issues of all files. If files disagree, the newest version counts."""

    def __init__(self, files: Sequence[FileText]) -> None:
        self.files = tuple(files)
        self.every: dict[str, Issue] = {}
        self.place: dict[str, str] = {}
        newest: dict[str, dict[str, Any]] = {}
        for file in self.files:
            for ident, group in file.groups.items():
                data = group.data
                if ident in newest and order_of(data) <= order_of(newest[ident]):
                    continue
                issue = issue_of(data)
                if issue is not None:
                    newest[ident] = data
                    self.every[ident], self.place[ident] = issue, file.path

    @cached_property
    def graph(self) -> IssueGraph:
        """Return the graph of all issues that are not deleted."""
        return IssueGraph(self.issues)

    @cached_property
    def issues(self) -> dict[str, Issue]:
        """Return every issue that is not deleted, by id."""
        return {i: one for i, one in self.every.items() if one.status != TOMBSTONE}

    @property
    def graves(self) -> list[str]:
        """Return the ids of deleted issues."""
        return [ident for ident, one in self.every.items() if one.status == TOMBSTONE]

    def file(self, path: str) -> FileText:
        """Return a file by path; a missing one is empty."""
        return next((one for one in self.files if one.path == path), FileText(path, (), {}))

    def after(self, changed: Mapping[str, Mapping[str, Any]], path: str) -> Board:
        """Return the board after writing these issues."""
        board = Board(())
        board.files = self.files
        board.every, board.place = dict(self.every), dict(self.place)
        for ident, data in changed.items():
            issue = issue_of(dict(data))
            if issue is not None:
                board.every[ident] = issue
                board.place.setdefault(ident, path)
        return board

    def problems(self, shown: Callable[[str], str] = str) -> list[Problem]:
        """Return problems: damaged lines, duplicate ids, cycles, broken links."""
        found: list[Problem] = []
        for file in self.files:
            path = shown(file.path)
            if file.refused:
                found.append(Problem(path, f"was not read: {file.refused}", "Put a file there."))
            wrong = [line.number for line in file.lines if line.what == DAMAGED]
            if wrong:
                numbers = ", ".join(map(str, wrong[:5])) + (" …" if wrong[5:] else "")
                what = f"{len(wrong)} damaged lines are kept and not read: {numbers}"
                step = "Fix them by hand; a merge may have left them behind."
                found.append(Problem(path, what, step))
            twice = sorted(i for i, group in file.groups.items() if len(group.numbers) > 1)
            if twice:
                what = f"{counted(len(twice), 'task')} twice since a merge: {_few(twice)}"
                step = "They are read as one; `satchel tasks merge` writes them as one."
                found.append(Problem(path, what, step))
            spelt = {line.id for line in file.lines if line.data is not None}
            parted = sorted(set(file.groups) - spelt)
            if parted:
                what = f"two tasks have the same id; the newer one is now {_few(parted)}"
                step = "`satchel tasks merge` writes it under that id."
                found.append(Problem(path, what, step))
        step = "`satchel tasks dep remove` on one of them."
        # An issue that waits for its own parts is in a cycle too, but a harmless one.
        knots = [c for c in self.graph.circles() if all(self.graph.held_up(one) for one in c)]
        knots += [c for c in self.graph.circles(HARD) if c not in knots]
        found += [
            Problem("tasks", f"depend on each other in a cycle: {' -> '.join(circle[:8])}", step)
            for circle in knots[:5]
        ]
        return found

    def foreign(self) -> list[bytes]:
        """Return other programs' lines among the tasks."""
        return [line.raw for file in self.files for line in file.lines if line.what == FOREIGN]


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (" …" if names[5:] else "")
