"""The root commits of a repository: the evidence for which project it is.

An unpacked archive brings a `.git` that its author wrote. Whoever knows a root commit's id and a
path on this machine can name both there, but does not have the commit. So a root commit counts only
if this repository itself has it, byte for byte, and takes nothing from another one.
"""

from __future__ import annotations

import os

from satchel.core.errors import BusyError
from satchel.core.hashing import git_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from satchel.project.place import Place

_GIT_SECONDS = 20
#: Files in which a repository names another one's objects or parents.
_BORROWING = ("commondir", "objects/info/alternates", "info/grafts")
#: As the commits say, whatever this repository's replacements and caches say of them.
_AS_WRITTEN = ("--no-replace-objects", "-c", "core.commitGraph=false")


def root_commits(place: Place) -> tuple[list[str], bool]:
    """Return HEAD's root commits, and whether the history is not known to be this repository's."""
    if not place.common:
        return [], False

    from satchel.storage import git

    if _is_borrowed(place.common):
        return [], True
    shallow = os.path.exists(os.path.join(place.common, "shallow"))
    words = (*_AS_WRITTEN, "rev-list", "--max-parents=0", "HEAD")
    try:
        done = git.ask(place.root, *words, seconds=_GIT_SECONDS)
        roots = done.out.split() if done.code == 0 else []
        if roots and not _has_whole(place.root, roots):
            return [], True
    except git.NoGitError:
        return [], True
    except git.GitError:
        raise BusyError("git did not answer when asked for the root commit.") from None
    return roots, shallow


def _is_borrowed(common: str) -> bool:
    """Return whether a repository presents another one's history as its own."""
    if any(os.path.lexists(os.path.join(common, *name.split("/"))) for name in _BORROWING):
        return True
    parts = [os.path.join(common, name) for name in ("objects", "refs", "info")]
    return any(map(os.path.islink, parts)) or any(map(os.path.islink, _below(parts[0])))


def _below(directory: str) -> Iterator[str]:
    for where, directories, names in os.walk(directory):
        for name in (*directories, *names):
            yield os.path.join(where, name)


def _has_whole(root: str, commits: list[str]) -> bool:
    """Return whether the commits' ids are those of the bytes stored for them.

    Git does not check that when it reads a commit, and any text can be stored under any id.
    """
    from satchel.storage import git

    asked = "".join(f"{one}\n" for one in commits).encode()
    words = ("--no-replace-objects", "cat-file", "--batch")
    rest = git.ask(root, *words, stdin=asked, seconds=_GIT_SECONDS).data
    for commit in commits:
        head, _, rest = rest.partition(b"\n")
        kind, size = head.split()[1:] if head.count(b" ") == 2 else (b"", b"0")  # noqa: PLR2004
        data, rest = rest[: int(size)], rest[int(size) + 1 :]
        if kind != b"commit" or git_id("commit", data, len(commit)) != commit:
            return False
    return True
