"""Finds who wrote many files at once, and caches git's answers.

Git answers about one file's lines at a time, with several processes for each. Most files do not
need that: the authors of all commits that ever touched a file are enough, and one process lists
them for all files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from satchel.core import quick_json
from satchel.core.errors import StoreError
from satchel.core.hashing import git_id
from satchel.core.values import NamedTuple
from satchel.project.approvals.authorship import NOBODY, UNKNOWN, Author, authors_of_commits
from satchel.project.approvals.work_tree import cut_off_at, top_of
from satchel.storage.files import open_private, read_file, replace_file, write_all

_SECONDS = 0.6
#: Repository settings that would make the log omit changes.
_PLAIN = (
    "--no-replace-objects",
    *("-c", "log.showRoot=true"),
    *("-c", "log.follow=false"),
    *("-c", "log.diffMerges=separate"),
    *("-c", "diff.relative=false"),
)
#: `-l0`: a file moved among thousands is still seen as moved.
_LOG = ("log", "-m", "--full-diff", "--name-status", "-M", "-l0", "--format=%H")
#: Characters that make git quote a path.
_QUOTED = frozenset('"\\')
_ADDED, _MOVED = "A", ("R", "C")
#: Most cached answers, in lines; beyond that, the older half is dropped.
_MOST_KEPT = 4000


class Written(NamedTuple):
    """Who wrote a file.

    Attributes:
        authors: of its lines, or of every commit that touched it.
        exact: whether each of them wrote a line still there.
        stamp: of the repository state in which this holds.
    """

    authors: frozenset[Author]
    exact: bool
    stamp: str = ""


def written(
    root: str, files: Mapping[str, bytes], *, common: str, seconds: float = _SECONDS
) -> dict[str, Written]:
    """Return who wrote files that are unchanged since their commit; others are omitted.

    Files that were ever moved are omitted too: git must be asked about each of them alone.

    Args:
        root: the work tree, or a directory in it, resolved.
        files: their resolved paths, with contents.
        common: git's common directory.
        seconds: the longest wait for each answer.

    Raises:
        GitError: git gave no answer in time.
    """
    top = top_of(root)
    below = {os.path.relpath(path, top): data for path, data in files.items() if path.isprintable()}
    same = [path for path in _as_committed(top, below, seconds) if _QUOTED.isdisjoint(path)]
    commits = _touching(top, same, seconds) if same else {}
    every = sorted(set().union(*commits.values()))
    known = authors_of_commits(top, every, seconds, verify=False)
    known |= dict.fromkeys(cut_off_at(common), UNKNOWN)
    found = {}
    for path, touched in commits.items():
        authors = frozenset(known.get(one, UNKNOWN) for one in touched)
        found[os.path.join(top, path)] = Written(authors, exact=len(authors) == 1)
    return found


def _as_committed(top: str, files: Mapping[str, bytes], seconds: float) -> list[str]:
    """Return those paths, relative to the top, whose bytes equal HEAD's."""
    from satchel.storage import git

    asked = "".join(f"HEAD:{path}\n" for path in files).encode("utf-8", "surrogateescape")
    words = ("--no-replace-objects", "cat-file", "--batch-check=%(objectname)")
    done = git.ask(top, *words, stdin=asked, seconds=seconds)
    ids = done.out.split("\n")
    if done.code or len(ids) != len(files) + 1:
        return []
    return [
        path
        for (path, data), ident in zip(files.items(), ids, strict=False)
        if ident == git_id("blob", data, len(ident))
    ]


def _touching(top: str, paths: list[str], seconds: float) -> dict[str, set[str]]:
    """Return the commits of each path that was never moved."""
    from satchel.storage import git

    named = (f":(top,literal){path}" for path in paths)
    done = git.ask(top, *_PLAIN, *_LOG, "--", *named, seconds=seconds)
    if done.code:
        return {}
    found: dict[str, set[str]] = {path: set() for path in paths}
    added, moved, told = set(), set(), True
    commit = ""
    for line in done.out.split("\n"):
        how, tab, path = line.partition("\t")
        if line and not tab:
            # A listed commit that shows none of the paths is hiding something.
            if not told and line != commit:
                return {}
            commit, told = line, told and line == commit
        elif tab:
            path = path.rpartition("\t")[2]
            if path in found:
                found[path].add(commit)
                told = True
                added |= {path} if how == _ADDED else set()
                moved |= {path} if how.startswith(_MOVED) else set()
    return {path: found[path] for path in added - moved} if told else {}


class KnownAuthors:
    """Git's answers about files, cached for the next command; append-only.

    Args:
        path: the file, which is derived: without it git is asked again.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._known: dict[str, Written] | None = None

    def get(self, mark: str) -> Written | None:
        """Return who wrote the file with this mark, which is valid for these exact bytes."""
        if self._known is None:
            self._known = dict(self._read())
        return self._known.get(mark)

    def keep(self, found: Mapping[str, Written]) -> None:
        """Cache more answers, by mark. Uncommitted content is never cached."""
        new = {
            mark: one for mark, one in found.items() if one.authors and NOBODY not in one.authors
        }
        if not new:
            return
        self._known = {**(self._known or {}), **new}
        try:
            if len(self._known) > _MOST_KEPT:
                rows = list(self._known.items())[-_MOST_KEPT // 2 :]
                replace_file(self._path, _lines(dict(rows)))
            else:
                _append(self._path, _lines(new))
        except (StoreError, OSError):
            return  # git is asked again next time

    def _read(self) -> Iterator[tuple[str, Written]]:
        try:
            data = read_file(self._path)
        except StoreError:
            return
        for line in data.split(b"\n"):
            try:
                mark, exact, stamp, authors = quick_json.loads(line.decode())
                found = frozenset(Author(str(email), str(name)) for email, name in authors)
            except (ValueError, TypeError):
                continue  # cut off, or of another version
            if found:
                yield str(mark), Written(found, exact is True, str(stamp))


def _append(path: str, data: bytes) -> None:
    fd = open_private(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        write_all(fd, data)
    finally:
        os.close(fd)


def _lines(found: Mapping[str, Written]) -> bytes:
    rows = (
        [mark, one.exact, one.stamp, sorted([who.email, who.name] for who in one.authors)]
        for mark, one in found.items()
    )
    return b"".join(quick_json.dumps(row).encode() + b"\n" for row in rows)
