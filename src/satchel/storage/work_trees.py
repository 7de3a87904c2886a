"""The work trees of a repository."""

from __future__ import annotations

import os
from typing import NamedTuple

from satchel.storage import git
from satchel.storage.files import text_in


class WorkTree(NamedTuple):
    """A work tree of a repository: its top, and its branch ("" if detached)."""

    path: str
    branch: str


def work_trees(root: str, *, seconds: float = git.SECONDS) -> list[WorkTree]:
    """Return every work tree of this repository, the main one first. Raises `GitError`.

    An unpacked archive may list any directory, so each has to name this repository as its own.
    """
    named = git.answer(root, "rev-parse", "--git-common-dir", seconds=seconds).removesuffix("\n")
    linked = os.path.join(os.path.realpath(os.path.join(root, named)), "worktrees", "")
    found = []
    listed = git.answer(root, "worktree", "list", "--porcelain", seconds=seconds)
    for number, block in enumerate(listed.split("\n\n")):
        fields = dict(line.partition(" ")[::2] for line in block.splitlines())
        if "worktree" in fields and "bare" not in fields:
            path = os.path.realpath(fields["worktree"])
            if number == 0 or _is_of(path, linked):
                branch = fields.get("branch", "").removeprefix("refs/heads/")
                found.append(WorkTree(path, branch))
    return found


def _is_of(tree: str, linked: str) -> bool:
    """Return whether a work tree names its repository's entry; one that is gone names nothing."""
    text = text_in(os.path.join(tree, ".git"))
    named = os.path.join(tree, text.removeprefix("gitdir:").strip())
    return not os.path.lexists(tree) or os.path.realpath(named).startswith(linked)
