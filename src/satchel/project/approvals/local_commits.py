"""Knows which commits were made here, by git's own log of HEAD in this clone.

Anybody can write any address into a commit. The log of HEAD comes with no clone and no pull, so
what it calls a commit was committed here; but an unpacked archive brings a log along. So only what
was logged after Satchel first saw the repository counts: by then every line was added here.
"""

from __future__ import annotations

import os

from satchel.core.errors import StoreError
from satchel.core.hashing import digest
from satchel.project.place import git_directory
from satchel.storage.locks import read_file, replace_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

#: What git logs of `git commit`. A merge, pull, rebase, cherry-pick or `am` has other words.
_COMMITTED = (b"commit: ", b"commit (amend): ", b"commit (initial): ")
#: Fields of a line before its message: two commits, then name, address, time and zone.
_FEWEST_WORDS = 4
#: A longer log is not read: nothing in it counts then.
_MOST_BYTES = 16_000_000
_MOST_PLACES = 200
#: Device, inode, length and digest of a log that was seen.
_MARK_WORDS = 4
_SECONDS = 0.6


def begin(kept: str, root: str) -> None:
    """Remember where the log of HEAD ends, unless this repository's was seen before.

    Args:
        kept: the private file of what was seen.
        root: the work tree, or a directory in it.
    """
    try:
        if log_of(root) not in _read(kept):
            _added(kept, root)
    except StoreError:
        return  # it is seen later, and what is committed until then waits


def _added(kept: str, root: str) -> bytes:
    """Return what was logged since this log was seen; one that is new or changed is seen now."""
    found = _Log.of(root)
    if found is None:
        return b""
    seen = _read(kept)
    added = found.after(seen.get(found.path, ""))
    if added is None:
        newest = list({**seen, found.path: found.mark()}.items())[-_MOST_PLACES:]
        lines = (f"{mark} {path}\n" for path, mark in newest if "\n" not in path)
        replace_file(kept, "".join(lines).encode("utf-8", "surrogateescape"))
    return added or b""


def made_here(kept: str, root: str) -> dict[str, str]:
    """Return commits that this person made here since Satchel first saw it, with their address.

    Theirs is the address that git has in its configuration now, in lower case.
    """
    try:
        commits = dict(_commits(_added(kept, root)))
    except StoreError:
        return {}
    own = _own_address(root) if commits else ""
    return {commit: address for commit, address in commits.items() if address == own}


def log_of(root: str) -> str:
    """Return the path of git's log of HEAD in a work tree."""
    return os.path.join(os.path.realpath(git_directory(root) or os.curdir), "logs", "HEAD")


class _Log:
    """Git's log of HEAD: its path, which file it is, and its bytes."""

    def __init__(self, path: str, inode: str, data: bytes) -> None:
        self.path, self._inode, self._data = path, inode, data

    @classmethod
    def of(cls, root: str) -> _Log | None:
        """Return the log of a work tree; None if missing, or if not git alone may write it.

        Git never puts a file of the repository below a `.git`. So the log has to lie there under
        no other name: linked to a tracked file, each pull could write into it.
        """
        path = log_of(root)
        if ".git" not in path.split(os.sep) or os.path.realpath(path) != path:
            return None
        try:
            status = os.lstat(path)
        except OSError:
            return None
        if status.st_nlink != 1 or status.st_size > _MOST_BYTES:
            return None
        return cls(path, f"{status.st_dev} {status.st_ino}", read_file(path))

    def mark(self) -> str:
        """Return what tells this log, as far as it goes now, from any other."""
        return f"{self._inode} {len(self._data)} {digest(self._data).hex()}"

    def after(self, mark: str) -> bytes | None:
        """Return what was added since this mark; None if it is not this log's."""
        length = mark.split(" ")[-2] if mark.count(" ") == _MARK_WORDS - 1 else ""
        rest = int(length) if length.isdigit() else len(self._data)
        before = _Log(self.path, self._inode, self._data[:rest])
        return self._data[rest:] if before.mark() == mark else None


def _commits(log: bytes) -> Iterator[tuple[str, str]]:
    for line in log.split(b"\n"):
        before, tab, what = line.partition(b"\t")
        words = before.split(b" ")
        address = before.rpartition(b"<")[2].partition(b">")[0].strip().lower()
        if tab and what.startswith(_COMMITTED) and len(words) > _FEWEST_WORDS and address:
            yield words[1].decode("ascii", "replace"), address.decode("utf-8", "replace")


def _own_address(root: str) -> str:
    """Return the address that git commits with; "" where a work tree is named: `.git` may be it."""
    from satchel.storage import git

    asked = ("config", "--get-regexp", r"^(core\.worktree|user\.email)$")
    try:
        rows = git.ask(root, *asked, seconds=_SECONDS).out.splitlines()
    except git.GitError:
        return ""
    found = dict(row.split(" ", 1) for row in rows if " " in row)
    return "" if "core.worktree" in found else found.get("user.email", "").strip().lower()


def _read(kept: str) -> dict[str, str]:
    """Return the mark of each log that was seen, by its path."""
    lines = read_file(kept).decode("utf-8", "surrogateescape").split("\n")
    rows = (line.split(" ", _MARK_WORDS) for line in lines)
    return {row[-1]: " ".join(row[:-1]) for row in rows if len(row) > _MARK_WORDS}
