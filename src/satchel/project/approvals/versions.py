"""The versions of a file that a repository has, wherever a reference points."""

from __future__ import annotations

import os

from satchel.project.approvals.work_tree import git_directory
from satchel.storage.files import read_file

HEAD = "HEAD"
_OWN = ("refs/stash", "refs/satchel/")
#: Most bytes to read of one file's versions; beyond that, uncommitted content may be anybody's.
_MOST_BYTES = 32_000_000


def versions_of(root: str, below: str, seconds: float) -> dict[str, list[bytes]] | None:
    """Return a file's lines in commits that references point to, by commit; None if too many.

    HEAD comes first; other commits with its version are omitted.
    """
    from satchel.storage import git

    commits = _tips(root, seconds)
    if "\n" in below:
        return None
    plain = "--no-replace-objects"
    asked = b"".join(os.fsencode(f"{one}:./{below}\n") for one in commits)
    done = git.ask(root, plain, "cat-file", "--batch-check", stdin=asked, seconds=seconds)
    rows = [row.split(b" ") for row in done.data.split(b"\n")[: len(commits)]]
    blobs = {
        commit: row[0] for commit, row in zip(commits, rows, strict=False) if row[1:2] == [b"blob"]
    }
    sizes = {row[0]: int(row[2]) for row in rows if row[1:2] == [b"blob"]}
    if done.code or sum(sizes.values()) > _MOST_BYTES:
        return None
    asked = b"".join(blob + b"\n" for blob in sizes)
    done = git.ask(root, plain, "cat-file", "--batch", stdin=asked, seconds=seconds)
    if done.code:
        return None
    lines, at = {}, 0
    for blob, size in sizes.items():
        at = done.data.index(b"\n", at) + 1
        lines[blob] = [line.strip() for line in done.data[at : at + size].split(b"\n")]
        at += size + 1
    head = blobs.get(HEAD)
    return {one: lines[blob] for one, blob in blobs.items() if one == HEAD or blob != head}


def _tips(root: str, seconds: float) -> list[str]:
    """Return the commits that references point to, and those last fetched or left."""
    from satchel.storage import git

    told = git.answer(root, "for-each-ref", "--format=%(refname) %(objectname)", seconds=seconds)
    rows = [row.rpartition(" ") for row in told.splitlines()]
    # A stash and Satchel's copies of accepted changes are the person's own work; others' lines in
    # them have another reference.
    named = {commit for name, _, commit in rows if not name.startswith(_OWN)}
    fetched = read_file(os.path.join(git_directory(root), "FETCH_HEAD")).decode("ascii", "replace")
    named |= {row.partition("\t")[0] for row in fetched.splitlines()}
    return [HEAD, "ORIG_HEAD", *sorted(named)]
