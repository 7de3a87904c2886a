"""Bringing tasks to others: a commit of their file, and a row for each on the team's server."""

from __future__ import annotations

import os

from satchel.core.errors import ConflictError, StoreError
from satchel.core.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from satchel.features.tasks.board import Board
    from satchel.features.tasks.project_tasks import ProjectTasks
    from satchel.project.store import ProjectStore

_SECONDS = 120


class Synced(NamedTuple):
    """What a sync came to: the commit, "" for none; paths in it; rows on the server, -1 for none.

    `waits`: why nothing was committed; "" where something was.
    """

    commit: str
    paths: tuple[str, ...]
    published: int
    waits: str = ""


def sync_tasks(
    tasks: ProjectTasks, message: str = "", *, publish: Callable[[Board], int] | None = None
) -> Synced:
    """Commit the files of tasks, and nothing else; then publish them.

    Called again, it does nothing.

    Args:
        tasks: the tasks of a project.
        message: of the commit; "" for one that counts the tasks.
        publish: shows tasks on the team's server; None where no server is chosen.
    """
    project = tasks.project
    commit, waits = "", ""
    paths: tuple[str, ...] = ()
    if tasks.view.backend and not any(not tasks.view.is_bds(p) for p in _there(tasks)):
        waits = "bd keeps the tasks: `bd dolt push` shares them."
    elif not project.place.common:
        waits = "This is no git repository."
    else:
        commit, paths, waits = _committed(tasks, message)
    published = -1
    if publish is not None:
        published = publish(tasks.view.board())
    return Synced(commit, paths, published, waits)


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
    kept = [one for one in inside if _git(root, "check-ignore", "-q", "--", one)[0] != 0]
    if inside[0] not in kept:
        raise ConflictError(
            f"git ignores {inside[0]}.", hint="Take it out of .gitignore to share tasks."
        )
    _checked(root, "add", "--", *kept)
    if _git(root, "diff", "--cached", "--quiet", "--", *kept)[0] == 0:
        return "", (), "Nothing to commit: the tasks are as git has them."
    changed = _checked(root, "diff", "--cached", "--name-only", "--relative", "--", *kept).split()
    told = message or f"tasks: sync {_counted(tasks)}"
    _checked(root, "commit", "--quiet", "--message", told, "--", *kept)
    return _checked(root, "rev-parse", "--short", "HEAD").strip(), tuple(changed), ""


def _counted(tasks: ProjectTasks) -> str:
    stages = tasks.view.stages()
    done = stages.get("completed", 0) + stages.get("archived", 0)
    return f"({sum(stages.values()) - done} open, {done} done)"


def _union(project: ProjectStore, path: str) -> None:
    """Let git merge a file of tasks by union, unless the project has said how it is merged."""
    root = project.place.root
    told = _git(root, "check-attr", "merge", "--", os.path.relpath(path, root))[1]
    if told.rstrip().endswith(": unspecified"):
        from satchel.storage.git_attributes import keep_attributes

        keep_attributes(path)


def _checked(root: str, *words: str) -> str:
    code, out, err = _git(root, *words)
    if code:
        first = next((line for line in err.splitlines() if line.strip()), "it gave no reason")
        unknown = "Author identity unknown" in err or "Please tell me who you are" in err
        step = " Say who you are: `git config user.name`, `user.email`." if unknown else ""
        raise StoreError(
            f"git {words[0]}: {first.strip()[:300]}",
            hint=f"The tasks are saved; only the commit is missing.{step}",
        )
    return out


def _git(root: str, *words: str) -> tuple[int, str, str]:
    import subprocess

    # check-ignore takes paths as they are, and refuses to be told so.
    literal = [] if words[0] == "check-ignore" else ["--literal-pathspecs"]
    try:
        done = subprocess.run(
            ["git", *literal, *words], cwd=root, capture_output=True,
            timeout=_SECONDS, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise StoreError(f"git {words[0]}: {error}", hint="The tasks are saved.") from None
    return (
        done.returncode,
        done.stdout.decode("utf-8", "replace"),
        done.stderr.decode("utf-8", "replace"),
    )
