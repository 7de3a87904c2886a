"""The tasks of one project: in a file that git shares, or kept by bd and mirrored here."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from satchel.core.errors import AmbiguousIdError, ConflictError, NotFoundError, SatchelError
from satchel.features.tasks.dialects import text
from satchel.features.tasks.files import raise_refused
from satchel.features.tasks.importing import ImportedTasks, export_lines, import_lines
from satchel.features.tasks.index import Shown, TaskFilter
from satchel.features.tasks.issue_graph import SORTS
from satchel.features.tasks.task_reading import TaskReading
from satchel.features.tasks.values import BLOCKS, Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.project.ports import Abilities
    from satchel.project.store import OpenProject
    from satchel.storage.ledger.record import Record


class ProjectTasks(TaskReading):
    """Everything that people and agents do with tasks; see `TaskReading` for how they stand.

    Args:
        project: the open project.
        whole: the workspace that this is part of, which remembers what comments teach.
        actor: who does this; "" for BEADS_ACTOR, else git's name for the person.
    """

    def __init__(self, project: OpenProject, whole: Abilities, actor: str = "") -> None:
        super().__init__(project, actor)
        self.whole = whole

    def create(self, title: str, *, links: Sequence[tuple[str, str]] = (), **fields: Any) -> Shown:
        """Create a task.

        Args:
            title: on one line.
            links: kind and id of each dependency; `blocks-it` makes the other wait for this one.
            fields: as beads names them: description, priority, issue_type, labels, …
        """
        given = _redacted({"title": title, **fields})
        if self.backend:
            return self.show(self.bd.create(given, links))[0]
        self._keep_attributes()
        return self.show(self.own.create(given, links).id)[0]

    def apply(self, given: str, change: Change, *, force: bool = False) -> Shown:
        """Change fields, state, labels, metadata or parent of one task."""
        change = change._replace(
            fields=_redacted(change.fields),
            append_notes=_redacted({"": change.append_notes})[""],
        )
        ident = self._find(given)
        if self._bd_has(ident):
            self.bd.apply(ident, change)
        else:
            self.own.apply(ident, change, force=force)
        return self.show(ident)[0]

    def close(
        self, given: Sequence[str], summary: str = "", *, session: str = "", force: bool = False
    ) -> list[Shown]:
        """Close tasks, with what was done as their summary.

        Raises `PartlyDoneError` where some could not be; the others are closed.
        """
        reason = _redacted({"": summary})[""]
        return self._each(
            given,
            lambda mine: self.own.close(mine, reason, session=session, force=force),
            lambda ident: self.bd.close(ident, reason, session=session, force=force),
        )

    def reopen(self, given: str, reason: str = "") -> Shown:
        """Open a closed task again; why it was closed stays as a comment."""
        ident = self._find(given)
        if self._bd_has(ident):
            self.bd.reopen(ident, reason)
        else:
            self.own.reopen(ident, _redacted({"": reason})[""])
        return self.show(ident)[0]

    def claim(self, given: str = "", *, sort: str = SORTS[0]) -> Shown:
        """Take a task, or the first that is ready; of many who ask at once one gets it."""
        if self.backend and not given:
            for shown in self.ready(TaskFilter(unassigned=True), sort=sort, limit=20):
                try:
                    return self.claim(shown.id)
                except ConflictError:
                    continue  # somebody else was quicker
        ident = self._find(given) if given or self.backend else ""
        if ident and self._bd_has(ident):
            self.bd.claim(ident)
        else:
            ident = self.own.claim(ident, sort=sort).id
        return self.show(ident)[0]

    def comment(self, given: str, said: str) -> tuple[Shown, list[Record]]:
        """Add a comment; what its markers teach (`LEARNED: …`) is remembered under the task."""
        said = _redacted({"": said})[""]
        ident = self._find(given)
        if self._bd_has(ident):
            self.bd.comment(ident, said)
        else:
            self.own.comment(ident, said)
        who, known = self.actor
        taught = self._taught(ident, said, source=who if known else "user")
        return self.show(ident)[0], taught

    def _taught(
        self, ident: str, said: str, *, only_new: bool = False, **fields: Any
    ) -> list[Record]:
        """Remember what a comment's markers teach, under its task."""
        from satchel.application.learning.listening.markers import find_markers
        from satchel.features.memories.tags import detect_tags

        return [
            self.whole.remember(
                marked.content,
                kind=marked.kind,
                task=ident,
                epic=self.whole.scope(ident).epic,
                tags=detect_tags(marked.kind, marked.content, marked.tags),
                **fields,
            )
            for marked in find_markers(said)
            if not (only_new and self._is_known(marked.kind, marked.content))
        ]

    def learn(self) -> list[Record]:
        """Remember what comments of others teach that is not known yet: imported, merged, bd's.

        What was deleted from memory is not learnt again.
        """
        found: list[Record] = []
        for issue in self.board().issues.values():
            rows = issue.data.get("comments")
            for row in rows if isinstance(rows, list) else ():
                said = text(row, "text") if isinstance(row, dict) else ""
                if ":" in said:
                    clean, who = _redacted({"": said})[""], text(row, "author")
                    found += self._taught(
                        issue.id, clean, only_new=True, source=who, trust="imported"
                    )
        return found

    def _is_known(self, kind: str, content: str) -> bool:
        from satchel.core.ids import memory_key, text_id

        key, ident = memory_key(kind, content), text_id(content)
        for given in (f"{key}#{ident}", key):
            with suppress(NotFoundError, AmbiguousIdError):
                versions = [one.record for one in self.whole.history(given)]
                if any(one.text_id == ident for one in versions):
                    return True
                # Lines without an id of their text share what their key is made of.
                if any(text_id(one.content) == ident for one in versions if not one.text_id):
                    return True
        return False

    def depend(self, given: str, on: str, kind: str = BLOCKS, *, gate: str = "") -> Shown:
        """Let a task depend on another. A circle is refused with its way named."""
        ident = self._find(given)
        if self._bd_has(ident):
            if circle := self.board().graph.circle(ident, self._find(on)):
                raise ConflictError(f"That would be a circle: {' -> '.join(circle[:10])}.")
            self.bd.depend(ident, self._find(on), kind)
        else:
            self.own.depend(ident, on, kind, gate=gate)
        return self.show(ident)[0]

    def undepend(self, given: str, on: str, kind: str = "") -> Shown:
        """Take a dependency away."""
        ident = self._find(given)
        if self._bd_has(ident):
            self.bd.undepend(ident, self._find(on))
        else:
            self.own.undepend(ident, on, kind)
        return self.show(ident)[0]

    def delete(self, given: Sequence[str], reason: str = "") -> list[str]:
        """Delete tasks: a tombstone each, so that no merge brings them back."""
        idents = [self._find(one) for one in given]
        for ident in idents:
            if self._bd_has(ident):
                self.bd.delete(ident, reason)
        mine = [ident for ident in idents if not self._bd_has(ident)]
        if mine:
            self.own.delete(mine, reason)
        return idents

    def merge(self) -> list[str]:
        """Write as one line each what a merge of branches left as several."""
        return self.own.merge()

    def import_lines(self, content: bytes, *, dry_run: bool = False) -> ImportedTasks | None:
        """Bring beads' lines in; None where bd did it and told no counts."""
        if self.backend:
            self.bd.imported(content, dry_run=dry_run)
            return None
        if not dry_run:
            self._keep_attributes()
        return import_lines(self.files, content, dry_run=dry_run)

    def export_lines(self) -> bytes:
        """Return every task as beads' lines, tombstones and foreign lines too."""
        return export_lines(self.board())

    def _bd_has(self, ident: str) -> bool:
        """Say whether bd keeps a task, which it does unless a file of ours has it."""
        if not self.backend:
            return False
        mine = [file for file in self.files.read().files if not self.is_bds(file.path)]
        return not any(ident in file.groups for file in mine)

    def _each(
        self, given: Sequence[str], ours: Callable[[Sequence[str]], object],
        bds: Callable[[str], None],
    ) -> list[Shown]:  # fmt: skip
        if not self.backend:
            ours(given)
            return [self.show(one)[0] for one in dict.fromkeys(given)]
        done: list[str] = []
        refused: dict[str, SatchelError] = {}
        for one in dict.fromkeys(given):
            try:
                ident = self._find(one)
                if self._bd_has(ident):
                    bds(ident)
                else:
                    ours([ident])
                done.append(ident)
            except SatchelError as error:
                refused[one] = error
        raise_refused(done, refused)
        return [self.show(ident)[0] for ident in done]

    def _keep_attributes(self) -> None:
        """Tell git, once a file of tasks begins, to merge its lines by union."""
        home = self.files.home
        if os.path.lexists(home) or os.path.islink(os.path.dirname(home)):
            return
        from satchel.storage.git_attributes import keep_attributes
        from satchel.storage.safe_open import leads_out

        if not leads_out(home, self.project.place.root):
            keep_attributes(home)


def _redacted(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Take secrets out before the first durable byte."""
    from satchel.core.redaction.redactor import redact

    return {
        name: redact(value)[0] if isinstance(value, str) else value
        for name, value in fields.items()
    }
