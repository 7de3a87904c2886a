"""A project's tasks: in a file that git shares, or kept by bd and mirrored here."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise

from satchel.core.errors import ConflictError, SatchelError
from satchel.core.values import Any, NamedTuple, Self
from satchel.features.tasks.board import Board
from satchel.features.tasks.files import TaskFiles, raise_refused
from satchel.features.tasks.index import TaskFilter
from satchel.features.tasks.index import TaskView as Shown
from satchel.features.tasks.issue_graph import SORTS, IssueGraph
from satchel.features.tasks.lines import DAMAGED, FOREIGN, encode_issue, groups_in, lines_in
from satchel.features.tasks.merging import merged
from satchel.features.tasks.values import BLOCKS, HARD, Change
from satchel.features.tasks.view import TaskView
from satchel.project.store import ProjectStore


class ImportedTasks(NamedTuple):
    """The result of an import: counts, and numbers of unreadable lines."""

    new: int
    changed: int
    unchanged: int
    tombstones: int
    foreign: int
    damaged: tuple[int, ...]


class _DryRunError(Exception):
    """Aborts a change before anything is written."""


def import_lines(files: TaskFiles, content: bytes, *, dry_run: bool = False) -> ImportedTasks:
    """Import lines by id: the newest version counts, and no field is dropped.

    An existing tombstone stays one.

    Lines of other programs are kept as they are. Raises `ConflictError`, and imports nothing, if
    tasks would block each other in a cycle. An epic that waits for its own parts, as in beads, is
    not such a cycle.
    """
    lines = lines_in(content)
    coming = groups_in(lines)
    counts = {"new": 0, "changed": 0, "unchanged": 0, "tombstones": 0}
    extra: list[bytes] = []
    # A new issue keeps its bytes: a number may have more digits than we would write.
    raw: dict[str, bytes] = {}

    def work(board: Board) -> dict[str, dict[str, Any]]:
        changed: dict[str, dict[str, Any]] = {}
        for ident, group in coming.items():
            data, here = group.data, board.every.get(ident)
            counts["tombstones"] += data.get("status") == "tombstone"
            if here is None:
                counts["new"] += 1
                changed[ident] = data
                first = lines[group.numbers[0]]
                if len(group.numbers) == 1 and first.id == ident:
                    raw[ident] = first.raw.strip()
                continue
            after = merged([here.data, *group.versions])
            same = after == here.data
            counts["unchanged" if same else "changed"] += 1
            if not same:
                changed[ident] = after
        _refuse_new_circles(board, changed)
        held = {one.strip() for one in board.foreign()}
        there = [line.raw.strip() for line in lines if line.what == FOREIGN]
        extra.extend(one for one in dict.fromkeys(there) if one not in held)
        if dry_run:
            raise _DryRunError
        return changed

    with suppress(_DryRunError):
        files.change(work, foreign=lambda _: extra, raw=raw)
    wrong = tuple(line.number for line in lines if line.what == DAMAGED)
    return ImportedTasks(
        counts["new"],
        counts["changed"],
        counts["unchanged"],
        tombstones=counts["tombstones"],
        foreign=len(extra),
        damaged=wrong,
    )


def export_lines(board: Board) -> bytes:
    """Return every issue, with tombstones and other programs' lines, as written.

    Unchanged lines keep their bytes; several lines that a merge left for an issue become one.
    """
    rows: list[tuple[str, bytes]] = []
    foreign: list[bytes] = []
    for file in board.files:
        foreign += [line.raw.strip() for line in file.lines if line.what == FOREIGN]
        for ident, group in file.groups.items():
            if board.place.get(ident) != file.path:
                continue
            first = file.lines[group.numbers[0]]
            alone = len(group.numbers) == 1 and first.id == ident
            rows.append((ident, first.raw.strip() if alone else encode_issue(group.data)))
    return b"".join(raw + b"\n" for _, raw in sorted(rows)) + b"".join(
        raw + b"\n" for raw in dict.fromkeys(foreign)
    )


def _refuse_new_circles(board: Board, changed: dict[str, dict[str, Any]]) -> None:
    after = board.after(changed, "")
    graph: IssueGraph = after.graph
    for circle in graph.circles(HARD):
        if any(one in changed for one in circle) and not _is_here(board, circle):
            raise ConflictError(
                f"The tasks would depend on each other in a cycle: {' -> '.join(circle[:10])}.",
                hint="Nothing was imported. Remove one of these dependencies from the file.",
            )


def _is_here(board: Board, circle: tuple[str, ...]) -> bool:
    return all(
        any(link.target == there and link.kind in HARD for link in board.graph.links(one))
        for one, there in pairwise(circle)
    )


class ProjectTasks:
    """The operations of people and agents on tasks.

    Args:
        actor: who acts; "" for BEADS_ACTOR, else git's name for the person.

    Attributes:
        view: the current tasks.
    """

    def __init__(self, project: ProjectStore, actor: str = "") -> None:
        self.project = project
        self.view = TaskView(project, actor)
        self._file_stats = self.view.files.file_stats()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.view.files.file_stats() != self._file_stats:
            self.project.note_own(self.project.tracked.tasks)
        self.view.close()

    def create(
        self, title: str, *, links: Sequence[tuple[str, str]] = (), request: str = "", **fields: Any
    ) -> Shown:
        """Create a task.

        Args:
            title: on one line.
            links: kind and id of each dependency; `blocks-it` makes the other wait for this one.
            request: an id of the request; repeating it returns the task created then. bd does not
                store it, and creates another.
            fields: as beads names them: description, priority, issue_type, labels, …
        """
        given = _redacted({"title": title, **fields})
        if self.view.backend:
            return self.view.show(self.view.bd.create(given, links))[0]
        self._keep_attributes()
        return self.view.show(self.view.own.create(given, links, request=request).id)[0]

    def apply(self, reference: str, change: Change, *, force: bool = False) -> Shown:
        """Change a task's fields, state, labels, metadata or parent."""
        change = change._replace(
            fields=_redacted(change.fields),
            append_notes=_redacted({"": change.append_notes})[""],
            add_labels=tuple(_redacted({"": change.add_labels})[""]),
            put_metadata=tuple(_redacted(dict(change.put_metadata)).items()),
        )
        ident = self.view.find(reference)
        if self._bd_has(ident):
            self.view.bd.apply(ident, change)
        else:
            self.view.own.apply(ident, change, force=force)
        return self.view.show(ident)[0]

    def close(
        self, given: Sequence[str], summary: str = "", *, session: str = "", force: bool = False
    ) -> list[Shown]:
        """Close tasks, with what was done as their summary.

        Raises `PartlyDoneError` if some could not be closed; the others are.
        """
        reason = _redacted({"": summary})[""]
        return self._each(
            given,
            lambda mine: self.view.own.close(mine, reason, session=session, force=force),
            lambda ident: self.view.bd.close(ident, reason, session=session, force=force),
        )

    def reopen(self, reference: str, reason: str = "") -> Shown:
        """Reopen a closed task, keeping its close reason as a comment."""
        reason = _redacted({"": reason})[""]
        ident = self.view.find(reference)
        if self._bd_has(ident):
            self.view.bd.reopen(ident, reason)
        else:
            self.view.own.reopen(ident, reason)
        return self.view.show(ident)[0]

    def claim(self, reference: str = "", *, sort: str = SORTS[0]) -> Shown:
        """Claim a task, or the first ready one; only one of concurrent calls succeeds."""
        if self.view.backend and not reference:
            for shown in self.view.ready(TaskFilter(unassigned=True), sort=sort, limit=20):
                try:
                    return self.claim(shown.id)
                except ConflictError:
                    continue  # somebody else was quicker
        ident = self.view.find(reference) if reference or self.view.backend else ""
        if ident and self._bd_has(ident):
            self.view.bd.claim(ident)
        else:
            ident = self.view.own.claim(ident, sort=sort).id
        return self.view.show(ident)[0]

    def comment(self, reference: str, said: str, *, request: str = "") -> Shown:
        """Add a comment. `task_comments` remembers its marked lessons.

        Args:
            request: an id of the request; repeating it adds no second comment, unless bd keeps the
                task.
        """
        said = _redacted({"": said})[""]
        ident = self.view.find(reference)
        if self._bd_has(ident):
            self.view.bd.comment(ident, said)
        else:
            self.view.own.comment(ident, said, request=request)
        return self.view.show(ident)[0]

    def depend(self, reference: str, on: str, kind: str = BLOCKS, *, gate: str = "") -> Shown:
        """Make a task depend on another. A cycle is refused and named."""
        ident = self.view.find(reference)
        if self._bd_has(ident):
            if circle := self.view.board().graph.circle(ident, self.view.find(on)):
                raise ConflictError(f"That would be a cycle: {' -> '.join(circle[:10])}.")
            self.view.bd.depend(ident, self.view.find(on), kind)
        else:
            self.view.own.depend(ident, on, kind, gate=gate)
        return self.view.show(ident)[0]

    def undepend(self, reference: str, on: str, kind: str = "") -> Shown:
        """Remove a dependency."""
        ident = self.view.find(reference)
        if self._bd_has(ident):
            self.view.bd.undepend(ident, self.view.find(on))
        else:
            self.view.own.undepend(ident, on, kind)
        return self.view.show(ident)[0]

    def delete(self, given: Sequence[str], reason: str = "") -> list[str]:
        """Delete tasks, leaving tombstones so that no merge restores them."""
        reason = _redacted({"": reason})[""]
        idents = [self.view.find(one) for one in given]
        for ident in idents:
            if self._bd_has(ident):
                self.view.bd.delete(ident, reason)
        mine = [ident for ident in idents if not self._bd_has(ident)]
        if mine:
            self.view.own.delete(mine, reason)
        return idents

    def merge(self) -> list[str]:
        """Merge the lines that a merge of branches left for each task."""
        return self.view.own.merge()

    def import_lines(self, content: bytes, *, dry_run: bool = False) -> ImportedTasks | None:
        """Import beads' lines; None if bd did it without reporting counts."""
        if self.view.backend:
            self.view.bd.imported(content, dry_run=dry_run)
            return None
        if not dry_run:
            self._keep_attributes()
        return import_lines(self.view.files, content, dry_run=dry_run)

    def export_lines(self) -> bytes:
        """Return every task as beads' lines, with tombstones and foreign lines."""
        return export_lines(self.view.board())

    def _bd_has(self, ident: str) -> bool:
        """Return whether bd keeps a task: unless Satchel's own file has it."""
        if not self.view.backend:
            return False
        mine = [file for file in self.view.files.read().files if not self.view.is_bds(file.path)]
        return not any(ident in file.groups for file in mine)

    def _each(
        self,
        given: Sequence[str],
        ours: Callable[[Sequence[str]], object],
        bds: Callable[[str], None],
    ) -> list[Shown]:
        if not self.view.backend:
            ours(given)
            return [self.view.show(one)[0] for one in dict.fromkeys(given)]
        done: list[str] = []
        refused: dict[str, SatchelError] = {}
        for one in dict.fromkeys(given):
            try:
                ident = self.view.find(one)
                if self._bd_has(ident):
                    bds(ident)
                else:
                    ours([ident])
                done.append(ident)
            except SatchelError as error:
                refused[one] = error
        raise_refused(done, refused)
        return [self.view.show(ident)[0] for ident in done]

    def _keep_attributes(self) -> None:
        """Set git's union merge for a new file of tasks."""
        home = self.view.files.home
        if os.path.lexists(home) or os.path.islink(os.path.dirname(home)):
            return
        from satchel.storage.git_attributes import keep_attributes
        from satchel.storage.safe_open import escapes_root

        if not escapes_root(home, self.project.place.root):
            keep_attributes(home)


def _redacted(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Remove secrets before the first durable byte."""
    from satchel.core.redaction.redactor import redact_value

    return {name: redact_value(value)[0] for name, value in fields.items()}
