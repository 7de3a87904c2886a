"""Accepted changes, each as a commit on Satchel's own ref.

The user's branch, index and work tree are left alone: a commit is made with a separate index on
`refs/satchel/changes`, so it cannot break a user's command or change what they staged. `git show`
explains it, `git revert` and `git cherry-pick` work with it.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping

from satchel.storage import git
from satchel.storage.commands import CommandResult
from satchel.storage.git import GitError

REF = "refs/satchel/changes"
_SECONDS = 20.0
_TRIES = 8
_FOUND = "Note files as they were found"
_AUTHOR = ("Satchel", "satchel@localhost")


def commit_files(root: str, before: Mapping[str, bytes | None], message: str) -> str:
    """Commit a work tree's files as they are; return the commit, or "" without git.

    `before` has the paths, and each one's content before the change (None: missing). If the ref has
    another state, from a user's own edit or another work tree, that state is committed first, so
    that the change's commit has only the change and can be reverted. A missing path is committed as
    deleted; ignored and outside paths are left out, as are those with a git filter: Satchel does
    not run filters, and what they encrypt must not be stored in the clear. Waits for concurrent
    commits.
    """
    below = {os.path.relpath(path, root): data for path, data in before.items()}
    below = {path: data for path, data in below.items() if not path.startswith("..")}
    if not below or not git.is_repository(root, seconds=_SECONDS):
        return ""
    try:
        for _ in range(_TRIES):
            made = _commit(root, below, message)
            if made is not None:
                return made
    except GitError:
        return ""
    return ""


def _commit(root: str, below: Mapping[str, bytes | None], message: str) -> str | None:
    """Make a commit; None if the ref moved meanwhile, "" if nothing has changed."""
    tip = _answer(root, "rev-parse", "--verify", "--quiet", f"{REF}^{{commit}}")
    base = tip or _answer(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    with tempfile.TemporaryDirectory(prefix="satchel-") as place:
        own = {"GIT_INDEX_FILE": os.path.join(place, "index")}
        _ask(root, own, "read-tree", *([base] if base else ["--empty"]))
        staged = [path for path in below if _stage(root, own, path)]
        tree = _ask(root, own, "write-tree").out.strip()
        top = _answer(root, "rev-parse", "--show-prefix")
        for path in staged:
            _stage_as(root, own, (top, path), below[path], os.path.join(place, "before"))
        found = _ask(root, own, "write-tree").out.strip()
    known = _answer(root, "rev-parse", f"{base}^{{tree}}") if base else ""
    if tree in (known, found):
        return ""
    if found != known and (base or any(below[path] is not None for path in staged)):
        base = _commit_tree(root, found, base, _FOUND)
    made = _commit_tree(root, tree, base, message)
    # Without an old value git would accept any; here the ref must not exist yet.
    before = tip or "0" * len(made)
    moved = git.ask(root, "update-ref", "-m", "satchel", REF, made, before, seconds=_SECONDS)
    return made if moved.code == 0 else None


def _commit_tree(root: str, tree: str, parent: str, message: str) -> str:
    name, mail = _AUTHOR
    who = {
        "GIT_COMMITTER_NAME": name,
        "GIT_COMMITTER_EMAIL": mail,
        "GIT_AUTHOR_NAME": name,
        "GIT_AUTHOR_EMAIL": mail,
    }
    words = ["-c", "core.fsync=added", "-c", "commit.gpgSign=false", "commit-tree", tree]
    return _ask(root, who, *words, *(["-p", parent] if parent else []), "-m", message).out.strip()


def _stage(root: str, own: dict[str, str], path: str) -> bool:
    """Stage a file in its current state; False if git ignores or filters it."""
    if not os.path.lexists(os.path.join(root, path)):
        _ask(root, own, "update-index", "--force-remove", "--", path)
        return True
    if git.is_ignored(root, path, seconds=_SECONDS):
        return False
    if git.attribute(root, "filter", path, seconds=_SECONDS) not in ("unspecified", "unset"):
        return False
    words = ["-c", "core.fsync=added", "update-index", "--add", "--", path]
    _ask(root, own, *words)
    return True


def _stage_as(
    root: str, own: dict[str, str], where: tuple[str, str], data: bytes | None, spare: str
) -> None:
    """Stage a file's earlier content with its current mode.

    `where` is `root` below the top of the work tree, and the path below `root`; `spare` is a place
    for temporary contents.
    """
    if data is None:
        _ask(root, own, "update-index", "--force-remove", "--", where[1])
        return
    path = "".join(where)
    with open(spare, "wb") as file:
        file.write(data)
    blob = _ask(
        root, own, "-c", "core.fsync=added", "hash-object", "-w", f"--path={path}", "--", spare
    ).out.strip()
    listed = _ask(root, own, "ls-files", "--stage", "--", f":(top,literal){path}").out
    mode = listed.split(" ", 1)[0] if listed else "100644"
    _ask(root, own, "update-index", "--add", "--cacheinfo", f"{mode},{blob},{path}")


def _ask(root: str, environment: dict[str, str], *words: str) -> CommandResult:
    done = git.ask(root, *words, seconds=_SECONDS, variables=environment)
    if done.code != 0:
        raise GitError(f"git {words[0]}: {git.reason(done)}")
    return done


def _answer(root: str, *words: str) -> str:
    done = git.ask(root, *words, seconds=_SECONDS)
    return done.out.strip() if done.code == 0 else ""
