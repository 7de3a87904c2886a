"""`satchel tasks` actions that remember lessons from comments."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.learning.listening import task_comments
from satchel.core.trust import clean_line
from satchel.features.tasks.project_tasks import ProjectTasks
from satchel.interfaces.cli.arguments import Options, content_from
from satchel.interfaces.cli.tasks import text as told
from satchel.storage.ledger.record import Record


def show(taught: Sequence[Record], options: Options) -> None:
    """Print what was remembered."""
    for one in taught:
        options.say(f"remembered as {one.kind}: {clean_line(one.content)[:100]}")


def do_comment(tasks: ProjectTasks, options: Options) -> int:
    """Comment on a task."""
    said = content_from(options.text, missing="The comment is empty.")
    shown, taught = task_comments.comment(options.workspace, tasks, options.id, said)
    options.say(f"commented {told.line(shown, options.style)}")
    show(taught, options)
    memories = [{"id": one.id, "kind": one.kind, "key": one.key} for one in taught]
    comment = (shown.data.get("comments") or [{}])[-1]
    return options.done({**comment, "issue_id": shown.id, "remembered": memories})


def do_learn(tasks: ProjectTasks, options: Options) -> int:
    """Remember lessons from other people's comments."""
    del tasks
    taught = task_comments.learn_from_comments(options.workspace)
    for one in taught:
        options.say(
            f"remembered as {one.kind}: {clean_line(one.content)[:100]} ({clean_line(one.task)})"
        )
    if not taught:
        options.say("The comments contain no new lessons.")
    fields = ("id", "kind", "key", "task")
    return options.done([{name: getattr(one, name) for name in fields} for one in taught])
