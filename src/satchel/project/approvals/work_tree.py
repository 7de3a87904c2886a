"""What git keeps about a work tree: its top, what is under way in it, what HEAD has."""

from __future__ import annotations

import os

from satchel.core.errors import StoreError
from satchel.storage.files import read_file

#: Longest wait for each answer, seconds.
_SECONDS = 0.6
#: While one of these exists, uncommitted content may be a stranger's.
_PATCHES = "rebase-apply"
_IN_PROGRESS = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", _PATCHES)
#: Attributes that make a file's text differ from what is committed.
_CONVERSIONS = ("filter", "working-tree-encoding")
_CONVERTING, _ATTRIBUTES = "|".join(_CONVERSIONS), ":(top,glob)**/.gitattributes"


def top_of(path: str) -> str:
    """Return the top of the work tree that holds a resolved path: where `.git` is."""
    top = path
    while not os.path.lexists(os.path.join(top, ".git")) and os.path.dirname(top) != top:
        top = os.path.dirname(top)
    return top


def is_brought(common: str, root: str, path: str) -> bool:
    """Return whether a merge, rebase or cherry-pick in progress may have written a file.

    Git records in the index what these bring; applied patches may leave no such record.
    """
    places = {common, git_directory(root)}
    begun = [one for one in _IN_PROGRESS for at in places if os.path.lexists(os.path.join(at, one))]
    return _PATCHES in begun or (bool(begun) and is_staged(root, path))


def is_staged(root: str, path: str) -> bool:
    """Return whether the index has a different version of a file than HEAD.

    Before the first commit nothing can have come from elsewhere, and nothing counts as staged.
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


def was_converted(root: str, path: str) -> bool:
    """Return whether attributes of a commit since a file's last change may have converted it.

    Git leaves a file as it was checked out when the attribute goes, and its text is nobody's then.
    """
    from satchel.storage import git

    below = os.path.relpath(os.path.realpath(path), os.path.realpath(root))
    done = git.ask(root, "log", "-1", "--format=%H", "HEAD", "--", below, seconds=_SECONDS)
    last = done.out.strip()
    if done.code or not last:
        return False  # nothing is committed, or not this file
    changed = ("log", "-1", "-m", "--format=%H", f"-G{_CONVERTING}", f"{last}..HEAD")
    if git.answer(root, *changed, "--", _ATTRIBUTES, seconds=_SECONDS).strip():
        return True
    # Where a macro is defined, a line that names no conversion makes one.
    macros = ("grep", "--quiet", "--fixed-strings", "-e", "[attr]", "HEAD", "--", _ATTRIBUTES)
    return git.ask(root, *macros, seconds=_SECONDS).code == 0


def has_other_case(root: str, path: str) -> bool:
    """Return whether git has a file's name in other letter case, on a disk that sees one name.

    There a commit that brings the other name has written this file.
    """
    from satchel.storage import git

    top = os.path.realpath(root)
    below = os.path.relpath(os.path.realpath(path), top)
    try:
        if not os.path.samefile(path, os.path.join(top, below.swapcase())):
            return False
    except OSError:
        return False  # the disk tells them apart
    asked = ("ls-files", "-z", "--with-tree=HEAD", "--", f":(icase,literal){below}")
    names = git.ask(root, *asked, seconds=_SECONDS).out.split("\0")
    return any(name not in ("", below) for name in names)


def is_committed(root: str, below: str) -> bool:
    """Return whether HEAD contains a file, given by its path below the work tree.

    Raises:
        GitError: git cannot tell.
    """
    from satchel.storage import git

    asked = ("rev-parse", "--verify", "--quiet", f"HEAD:./{below}")
    done = git.ask(root, *asked, seconds=_SECONDS)
    if done.code not in (0, 1):
        raise git.GitError(f"git rev-parse: {git.reason(done)}")
    return done.code == 0


def git_directory(root: str) -> str:
    """Return the work tree's own git directory; linked work trees name it in a file."""
    git = os.path.join(root, ".git")
    if os.path.isdir(git):
        return git
    try:
        named = read_file(git).decode("utf-8", "surrogateescape").removeprefix("gitdir:").strip()
    except StoreError:
        return git
    return os.path.join(root, named)


def cut_off_at(common: str) -> list[str]:
    """Return the commits at which a shallow clone ends."""
    try:
        return read_file(os.path.join(common, "shallow")).decode("ascii", "replace").split()
    except StoreError:
        return []
