"""Shares tasks: commits their files, and publishes rows on the team's server."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from satchel.core.errors import ConflictError, StoreError
from satchel.core.values import NamedTuple
from satchel.features.tasks.board import Board
from satchel.features.tasks.project_tasks import ProjectTasks
from satchel.project.store import ProjectStore
from satchel.storage import git
from satchel.storage.commands import CommandResult
from satchel.storage.git_attributes import keep_attributes

_LITERAL = "--literal-pathspecs"


class SyncReport(NamedTuple):
    """The result: the commit or "", its paths, rows on the server, -1 if none.

    `waits`: why nothing was committed; "" if something was.
    """

    commit: str
    paths: tuple[str, ...]
    published: int
    waits: str = ""


def sync_tasks(
    tasks: ProjectTasks, message: str = "", *, publish: Callable[[Board], int] | None = None
) -> SyncReport:
    """Commit only the task files, then publish the tasks.

    Called again, it does nothing.

    Args:
        message: of the commit; "" for one that counts the tasks.
        publish: shows tasks on the team's server; None if no server is chosen.
    """
    project = tasks.project
    commit, waits = "", ""
    paths: tuple[str, ...] = ()
    if tasks.view.backend and not any(not tasks.view.is_bds(p) for p in _there(tasks)):
        waits = "bd keeps the tasks: `bd dolt push` shares them."
    elif not project.place.common:
        waits = "This is not a git repository."
    else:
        commit, paths, waits = _committed(tasks, message)
    published = -1
    if publish is not None:
        published = publish(tasks.view.board())
    return SyncReport(commit, paths, published, waits)


def _there(tasks: ProjectTasks) -> list[str]:
    return [file.path for file in tasks.view.files.read().files if file.groups]


def _committed(tasks: ProjectTasks, message: str) -> tuple[str, tuple[str, ...], str]:
    root = tasks.project.place.root
    paths = [p for p in _there(tasks) if not tasks.view.is_bds(p)]
    if not paths:
        return "", (), "There are no tasks yet."
    _union(tasks.project, tasks.view.files.home)
    for path in list(paths):
        attributes = os.path.join(os.path.dirname(path), ".gitattributes")
        if os.path.isfile(attributes) and attributes not in paths:
            paths.append(attributes)
    inside = [os.path.relpath(path, root) for path in paths]
    with _saved():
        kept = [one for one in inside if not git.is_ignored(root, one)]
    if inside[0] not in kept:
        raise ConflictError(
            f"git ignores {inside[0]}.", hint="Remove it from .gitignore to share tasks."
        )
    _checked(root, "add", "--", *kept)
    listed = _output_or_error(
        git.ask(root, _LITERAL, "diff", "--cached", "--name-only", "--relative", "-z", "--", *kept),
        "diff",
    )
    changed = tuple(path for path in listed.split("\0") if path)
    if not changed:
        return "", (), "Nothing to commit: git has the tasks as they are."
    told = message or f"tasks: sync {_counted(tasks)}"
    _checked(root, "commit", "--quiet", "--message", told, "--", *kept)
    made = _output_or_error(git.ask(root, "rev-parse", "--short", "HEAD"), "rev-parse").strip()
    return made, changed, ""


def _counted(tasks: ProjectTasks) -> str:
    stages = tasks.view.stages()
    done = stages.get("completed", 0) + stages.get("archived", 0)
    return f"({sum(stages.values()) - done} open, {done} done)"


def _union(project: ProjectStore, path: str) -> None:
    """Set git's union merge for a task file, unless the project has configured merging."""
    root = project.place.root
    with _saved():
        merge = git.attribute(root, "merge", os.path.relpath(path, root))
    if merge == "unspecified":
        keep_attributes(path)


def _checked(root: str, *words: str) -> None:
    """Run a command the user requested, with their hooks and signing."""
    with _saved():
        _output_or_error(git.ask_as_person(root, _LITERAL, *words), words[0])


def _output_or_error(done: CommandResult, command: str) -> str:
    if done.code:
        unknown = "Author identity unknown" in done.err or "tell me who you are" in done.err
        step = " Set your identity: `git config user.name`, `user.email`." if unknown else ""
        raise StoreError(
            f"git {command}: {git.reason(done)}",
            hint=f"The tasks are saved; only the commit is missing.{step}",
        )
    return done.out


@contextmanager
def _saved() -> Iterator[None]:
    """Add a note to every git failure that nothing is lost."""
    try:
        yield
    except git.GitError as error:
        raise StoreError(str(error), hint="The tasks are saved.") from None
