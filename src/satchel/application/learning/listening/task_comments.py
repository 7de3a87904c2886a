"""Remembers lessons from tasks' comments, notes and summaries, such as `LEARNED: ...`."""

from __future__ import annotations

from contextlib import suppress

from satchel.application.learning.listening.markers import find_markers
from satchel.core.errors import AmbiguousIdError, NotFoundError
from satchel.core.ids import following, memory_key, text_id
from satchel.core.redaction.personal import is_personal
from satchel.core.redaction.redactor import redact
from satchel.core.shapes import list_of
from satchel.engine.search.documents import Filter
from satchel.features.memories.tags import detect_tags
from satchel.features.tasks.dialects import text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from satchel.application.services import Services
    from satchel.features.tasks.index import TaskView
    from satchel.features.tasks.project_tasks import ProjectTasks
    from satchel.storage.ledger.record import Record

_MOST_ACTIVITIES = 1_000


def comment(
    work: Services, tasks: ProjectTasks, given: str, said: str, *, request: str = ""
) -> tuple[TaskView, list[Record]]:
    """Comment on a task; return the task, and the memories found in the comment.

    Args:
        request: what was already written under this id is not written again.
    """
    shown = tasks.comment(given, said, request=request)
    return shown, learn_from_words(work, tasks, shown.id, said, request=request)


def close(
    work: Services, tasks: ProjectTasks, given: Sequence[str], summary: str, **how: Any
) -> tuple[list[TaskView], list[Record]]:
    """Close tasks; return them, and the memories found in the summary."""
    found = tasks.close(given, summary, **how)
    return found, learn_from_words(work, tasks, found[0].id, summary) if found else []


def learn_from_words(
    work: Services, tasks: ProjectTasks, task: str, said: str, *, request: str = ""
) -> list[Record]:
    """Remember lessons from a task's comment, notes or closing summary."""
    who, known = tasks.view.actor
    source = who if known else "user"
    return _remember(work, task, redact(said)[0], request=request, source=source)


def learn_from_comments(work: Services) -> list[Record]:
    """Remember new lessons from others' comments: imported, merged, bd's.

    Deleted memories are not learned again.
    """
    found: list[Record] = []
    for issue in work.tasks.view.board().issues.values():
        rows = issue.data.get("comments")
        for row in list_of(rows):
            said = text(row, "text") if isinstance(row, dict) else ""
            if ":" in said:
                clean, who = redact(said)[0], text(row, "author")
                about = {"source": who, "trust": "imported"}
                found += _remember(work, issue.id, clean, only_new=True, **about)
    return found


def _remember(
    work: Services,
    task: str,
    said: str,
    *,
    only_new: bool = False,
    request: str = "",
    **fields: Any,
) -> list[Record]:
    return [
        work.memories.remember(
            marked.content,
            kind=marked.kind,
            task=task,
            epic=work.scope(task).epic,
            tags=detect_tags(marked.kind, marked.content, marked.tags),
            **(fields | {"id": following(request, number)} if request else fields),
        )
        for number, marked in enumerate(find_markers(said), 1)
        if not (work.person is None and is_personal(marked.content))
        if not (only_new and _is_known(work, marked.kind, marked.content))
    ]


def _is_known(work: Services, kind: str, content: str) -> bool:
    key, ident = memory_key(kind, content), text_id(content)
    for given in (f"{key}#{ident}", key):
        with suppress(NotFoundError, AmbiguousIdError):
            versions = [one.record for one in work.memories.history(given)]
            if any(one.text_id == ident for one in versions):
                return True
            # Lines without a text id share the source of their key.
            if any(text_id(one.content) == ident for one in versions if not one.text_id):
                return True
    return False


def dispatches(work: Services) -> dict[str, list[str]]:
    """Return subagent dispatches by task, newest first."""
    found: dict[str, list[str]] = {}
    for one in work.memories.list(Filter(kinds=("activity",)), _MOST_ACTIVITIES):
        record = one.record
        if record.task and (record.data or {}).get("event") == "dispatch_prompt":
            found.setdefault(record.task, []).append(record.content)
    return found
