"""Reads many files of commits with one start of git."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.storage import git

_SECONDS = 120.0
#: What git prints before the bytes of an object: id, kind, size.
_HEADER = 3


def texts_of(root: str, files: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return the texts of files, each a commit and a path; without those that git does not have.

    Raises `GitError`.
    """
    # Git reads a name up to the end of its line.
    named = [one for one in files if "\n" not in one[1]]
    asked = "".join(f"{commit}:{path}\n" for commit, path in named)
    given = asked.encode("utf-8", "surrogateescape")
    data = git.ask(root, "cat-file", "--batch", seconds=_SECONDS, stdin=given).data
    found, at = dict[tuple[str, str], str](), 0
    for one in named:
        end = data.find(b"\n", at)
        head = data[at:end].rsplit(b" ", _HEADER - 1)
        at = end + 1
        if end < 0:
            break
        if not head[-1].isdigit():
            continue  # "NAME missing"
        size = int(head[-1])
        if head[1] == b"blob":
            found[one] = data[at : at + size].decode("utf-8", "surrogateescape")
        at += size + 1
    return found
