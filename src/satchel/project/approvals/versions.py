"""The versions of a file that a repository has: at references, before them, and out of reach."""

from __future__ import annotations

import os

from satchel.core.hashing import git_id
from satchel.project.approvals.work_tree import git_directory
from satchel.storage.files import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

HEAD = "HEAD"
_OWN = ("refs/stash", "refs/satchel/")
#: Most bytes to read of one file's versions; beyond that, uncommitted content may be anybody's.
_MOST_BYTES = 32_000_000
_PLAIN = "--no-replace-objects"
#: Every commit that gave the file a text, merges too, with the text's id.
_LOG = (
    *("log", "--stdin", "--format=%H", "--full-history", "-m"),
    *("--raw", "--no-abbrev", "--no-renames"),
)
_EVERY = (
    *("cat-file", "--batch-all-objects", "--unordered"),
    "--batch-check=%(objecttype) %(objectname)",
)
_NEW_BLOB, _COMMIT = 3, "commit "


def versions_of(root: str, below: str, seconds: float) -> dict[str, list[bytes]] | None:
    """Return a file's lines in commits that references point to, by commit; None if too many.

    HEAD comes first; other commits with its version are omitted. Raises `GitError`.
    """
    if "\n" in below:
        return None
    blobs = _blobs(root, below, _tips(root, seconds), seconds)
    head = blobs.get(HEAD)
    found = {one: blob for one, blob in blobs.items() if one == HEAD or blob != head}
    lines = _lines(root, found.values(), seconds)
    if not lines.keys() >= {*found.values()}:
        return None
    return {one: lines[blob] for one, blob in found.items()}


def older_versions(root: str, below: str, seconds: float) -> dict[str, list[bytes]]:
    """Return a file's lines in commits before those that references point to, newest first.

    Of a long history, as much as is read at all. Raises `GitError`.
    """
    from satchel.storage import git

    words = (_PLAIN, *_LOG, "--", f":(literal){below}")
    told = git.answer(root, *words, stdin=_known(root, seconds), seconds=seconds)
    commits: dict[str, str] = {}
    commit = ""
    for row in told.splitlines():
        if row.startswith(":"):
            commits.setdefault(row.split(" ")[_NEW_BLOB], commit)
        elif row:
            commit = row
    lines = _lines(root, (blob for blob in commits if blob.strip("0")), seconds)
    return {commits[blob]: text for blob, text in lines.items()}


def kept_texts(root: str, below: str, data: bytes, seconds: float) -> set[str]:
    """Return the ids under which git has a file as it lies, or as it is staged, unless HEAD's.

    Git has what it wrote itself, and what a person staged. Raises `GitError`.
    """
    size = max(map(len, _tips(root, seconds)))
    texts = (data, data.replace(b"\r\n", b"\n"))
    names = [*(git_id("blob", text, size) for text in texts), f":./{below}"]
    head = _blobs(root, below, [HEAD], seconds)
    return {ident for ident, _ in _sizes(root, names, seconds).values()} - {*head.values()}


def lost_versions(
    root: str, below: str, texts: Collection[str], seconds: float
) -> dict[str, list[bytes]]:
    """Return a file's lines in commits to which no reference leads and that have these texts.

    What was fetched without a branch, and what was reset, leaves such a commit until git collects
    its garbage. Git keeps no list of them, so all objects are looked through. Raises `GitError`.
    """
    from satchel.storage import git

    every = git.answer(root, _PLAIN, *_EVERY, seconds=seconds).splitlines()
    commits = {row.removeprefix(_COMMIT) for row in every if row.startswith(_COMMIT)}
    words, known = (_PLAIN, "rev-list", "--stdin"), _known(root, seconds)
    commits -= {*git.answer(root, *words, stdin=known, seconds=seconds).split()}
    blobs = _blobs(root, below, sorted(commits), seconds)
    lines = _lines(root, texts, seconds)
    return {one: lines.get(blob, []) for one, blob in blobs.items() if blob in texts}


def _known(root: str, seconds: float) -> bytes:
    """Return the ids of the commits that references point to, a line each."""
    names = [f"{one}^{{commit}}" for one in _tips(root, seconds)]
    found = _sizes(root, names, seconds, kind="commit").values()
    return "".join(f"{ident}\n" for ident, _ in found).encode()


def _blobs(root: str, below: str, commits: list[str], seconds: float) -> dict[str, str]:
    """Return the id of a file's text in each of these commits that has the file."""
    found = _sizes(root, [f"{one}:./{below}" for one in commits], seconds)
    return {name.partition(":")[0]: ident for name, (ident, _) in found.items()}


def _sizes(
    root: str, names: list[str], seconds: float, *, kind: str = "blob"
) -> dict[str, tuple[str, int]]:
    """Return id and size of the objects of a kind that git has, by the names asked for."""
    from satchel.storage import git

    asked = b"".join(os.fsencode(f"{one}\n") for one in names)
    told = git.answer(root, _PLAIN, "cat-file", "--batch-check", stdin=asked, seconds=seconds)
    rows = [row.split(" ") for row in told.split("\n")]
    return {
        name: (row[0], int(row[2]))
        for name, row in zip(names, rows, strict=False)
        if row[1:2] == [kind]
    }


def _lines(root: str, blobs: Iterable[str], seconds: float) -> dict[str, list[bytes]]:
    """Return the lines of texts, by their ids: of the first ones, as many as may be read."""
    from satchel.storage import git

    total, sizes = 0, {}
    for blob, (_, size) in _sizes(root, [*dict.fromkeys(blobs)], seconds).items():
        total += size
        if total > _MOST_BYTES:
            break
        sizes[blob] = size
    asked = "".join(f"{blob}\n" for blob in sizes).encode()
    done = git.ask(root, _PLAIN, "cat-file", "--batch", stdin=asked, seconds=seconds)
    found, at = {}, 0
    for blob, size in sizes.items() if done.code == 0 else ():
        at = done.data.index(b"\n", at) + 1
        found[blob] = [line.strip() for line in done.data[at : at + size].split(b"\n")]
        at += size + 1
    return found


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
