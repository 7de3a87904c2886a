"""Changes that a person accepted, each one commit on a ref of Satchel's own.

The user's branch, index and work tree are left alone: a commit is made with an index of its own
and put on `refs/satchel/changes`, so no command of the user's can fail by it, and nothing that
they have staged changes. `git show` explains it, `git revert` and `git cherry-pick` work with it.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence

from satchel.gates.commands import CheckFailedError, Done, run

REF = "refs/satchel/changes"
_SECONDS = 20.0
_TRIES = 8
_AUTHOR = ("Satchel", "satchel@localhost")


def commit_files(root: str, paths: Sequence[str], message: str) -> str:
    """Commit files of a work tree as they are now; return the commit, "" where there is no git.

    A path that is not there any more is committed as deleted; those that git ignores, or that lie
    outside, are left out. Somebody else who commits at the same moment is waited for.
    """
    below = [os.path.relpath(path, root) for path in paths]
    below = [path for path in below if not path.startswith("..")]
    if not below or not _inside_git(root):
        return ""
    try:
        for _ in range(_TRIES):
            made = _commit(root, below, message)
            if made is not None:
                return made
    except CheckFailedError:
        return ""
    return ""


def _inside_git(root: str) -> bool:
    try:
        return run(["git", "rev-parse", "--git-dir"], root, _SECONDS).code == 0
    except CheckFailedError:
        return False


def _commit(root: str, below: Sequence[str], message: str) -> str | None:
    """Make one commit; None where the ref was moved meanwhile, "" where nothing has changed."""
    tip = _answer(root, "rev-parse", "--verify", "--quiet", f"{REF}^{{commit}}")
    base = tip or _answer(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    with tempfile.TemporaryDirectory(prefix="satchel-") as place:
        own = {"GIT_INDEX_FILE": os.path.join(place, "index"), "GIT_OPTIONAL_LOCKS": "0"}
        _ask(root, own, "read-tree", *([base] if base else ["--empty"]))
        for path in below:
            _stage(root, own, path)
        tree = _ask(root, own, "write-tree").out.strip()
    if base and tree == _answer(root, "rev-parse", f"{base}^{{tree}}"):
        return ""
    parents = ["-p", base] if base else []
    name, mail = _AUTHOR
    who = {"GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": mail,
           "GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": mail}  # fmt: skip
    words = ["-c", "core.fsync=added", "-c", "commit.gpgSign=false", "commit-tree", tree]
    made = _ask(root, who, *words, *parents, "-m", message).out.strip()
    # Without an old value git would take whatever is there: it must not be there yet.
    before = tip or "0" * len(made)
    moved = run(["git", "update-ref", "-m", "satchel", REF, made, before], root, _SECONDS)
    return made if moved.code == 0 else None


def _stage(root: str, own: dict[str, str], path: str) -> None:
    if not os.path.lexists(os.path.join(root, path)):
        _ask(root, own, "update-index", "--force-remove", "--", path)
        return
    if run(["git", "check-ignore", "--quiet", "--", path], root, _SECONDS).code == 0:
        return
    words = ["-c", "core.fsync=added", "update-index", "--add", "--", path]
    _ask(root, own, *words)


def _ask(root: str, environment: dict[str, str], *words: str) -> Done:
    done = run(["git", *words], root, _SECONDS, **environment)
    if done.code != 0:
        raise CheckFailedError(f"git {words[0]}: {done.err.strip()[:200]}")
    return done


def _answer(root: str, *words: str) -> str:
    done = run(["git", *words], root, _SECONDS)
    return done.out.strip() if done.code == 0 else ""
