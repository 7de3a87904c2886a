"""Finds whether a file that is not committed was brought by git, not typed."""

from __future__ import annotations

import os

from satchel.project.place import git_directory

#: While one of these is there, what is not committed may be a stranger's.
_PATCHES = "rebase-apply"
_IN_PROGRESS = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", _PATCHES)
#: Attributes by which a file's text is not the one that is committed.
_CONVERSIONS = ("filter", "working-tree-encoding")
#: A hook waits no longer than this for each answer, seconds.
_SECONDS = 0.6


def is_brought(common: str, root: str, path: str) -> bool:
    """Return whether a merge, rebase or cherry-pick in progress may have written a file.

    Git records in the index what these bring; patches that are applied may leave no such record.
    """
    places = {common, git_directory(root)}
    begun = [one for one in _IN_PROGRESS for at in places if os.path.lexists(os.path.join(at, one))]
    return _PATCHES in begun or (bool(begun) and is_staged(root, path))


def is_staged(root: str, path: str) -> bool:
    """Return whether the index has a different version of a file than HEAD.

    Before the first commit nothing can have been brought, and nothing counts as staged.
    """
    from satchel.storage import git

    if git.ask(root, "rev-parse", "--verify", "--quiet", "HEAD", seconds=_SECONDS).code:
        return False
    below = os.path.relpath(os.path.realpath(path), os.path.realpath(root))
    words = ("diff-index", "--cached", "--quiet", "HEAD", "--", below)
    return git.ask(root, *words, seconds=_SECONDS).code != 0


def is_converted(root: str, path: str) -> bool:
    """Return whether attributes make a file's text differ from its committed form."""
    from satchel.storage import git

    below = os.path.relpath(os.path.realpath(path), os.path.realpath(root))
    values = [git.attribute(root, name, below, seconds=_SECONDS) for name in _CONVERSIONS]
    return any(value not in ("", "unspecified", "unset") for value in values)


def is_committed(root: str, below: str) -> bool:
    """Return whether HEAD contains a file, given by its path below the work tree."""
    from satchel.storage import git

    return git.ask(root, "cat-file", "-e", f"HEAD:./{below}", seconds=_SECONDS).code == 0
