"""Where in a repository a tool wrote, so that a file of another one is not taken for it."""

from __future__ import annotations

import os
from functools import cache

_GIT, _WORKTREES, _MOST = ".git", "/worktrees/", 4096


def path_in_work_tree(path: str, cwd: str) -> str:
    """Return a tool's path from the top of its work tree, with `/`.

    Args:
        path: as the client names it.
        cwd: of the session.

    "" for one outside, as in another repository. Where the session's directory is gone, or that of
    the file, nothing can be told from it: the path is returned as it is.
    """
    given = path.replace("\\", "/")
    top, common = _work_tree(cwd) if os.path.isdir(cwd) else ("", "")
    if not top or not given:
        return given
    whole = os.path.normpath(os.path.join(cwd, given))
    directory = os.path.dirname(whole)
    own, whose = _work_tree(directory)
    if not os.path.isdir(directory):
        inside = os.path.relpath(whole, top)
        return given if inside.startswith("../") else inside
    if whose != common:
        return ""
    return os.path.normpath(
        os.path.join(os.path.relpath(os.path.realpath(directory), own), os.path.basename(whole))
    )


@cache
def _work_tree(directory: str) -> tuple[str, str]:
    """Return the top of the work tree that holds a directory, and its repository; or "" twice."""
    top = os.path.realpath(directory)
    while not os.path.lexists(os.path.join(top, _GIT)):
        above = os.path.dirname(top)
        if above == top:
            return "", ""
        top = above
    return top, _repository(os.path.join(top, _GIT))


def _repository(git: str) -> str:
    """Return the directory that all work trees of a repository share."""
    if os.path.isdir(git):
        return os.path.realpath(git)
    try:
        with open(git, encoding="utf-8", errors="replace") as file:
            named = file.read(_MOST).partition("gitdir:")[2].strip()
    except OSError:
        return git
    whole = os.path.realpath(os.path.join(os.path.dirname(git), named))
    return whole.partition(_WORKTREES)[0]
