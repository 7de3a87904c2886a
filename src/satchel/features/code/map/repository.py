"""Git's view of a work tree: its files, its changes, its past commits.

Reads only, takes no optional lock, starts no program that a repository's configuration names, and
never looks beyond the checked-out commit.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from satchel.core.hashing import short_hash
from satchel.core.values import NamedTuple, cached_property
from satchel.features.code.symbols.roles import is_ignored_directory
from satchel.storage import git
from satchel.storage.git import GitError

_SECONDS = 120
#: Most files to list outside of a repository.
_MOST_WALKED = 20_000
_RECORD, _FIELD = "\x1e", "\x1f"


class Status(NamedTuple):
    """The checked-out commit, and how the work tree differs from it.

    Attributes:
        head: the commit, "" before the first one.
        changed: tracked files that differ from the commit: path -> whether the commit has them.
        new: files that git neither tracks nor ignores.
        untracked: files of the commit that git no longer tracks, and ignores if they exist.
    """

    head: str
    changed: dict[str, bool]
    new: frozenset[str]
    untracked: frozenset[str] = frozenset()


class Commit(NamedTuple):
    """A commit: its message and the files it touched; `renamed`: old path -> new path."""

    sha: str
    time: int
    message: str
    paths: tuple[str, ...]
    renamed: dict[str, str]


class Repository:
    """Git queries on one work tree.

    Args:
        root: the project's directory, at or below the top of a work tree.
    """

    def __init__(self, root: str) -> None:
        self.root = root

    def ask(self, *words: str, stdin: str = "") -> str:
        """Return git's output; raise `GitError` with its own message."""
        given = stdin.encode("utf-8", "surrogateescape")
        return git.answer(self.root, *words, seconds=_SECONDS, stdin=given)

    @cached_property
    def prefix(self) -> str:
        """Return the project's path below the work tree's top, with a slash; "" at the top."""
        return self.ask("rev-parse", "--show-prefix").removesuffix("\n")

    def renames_since(self, commit: str) -> list[tuple[str, str]]:
        """Return files renamed by later commits, oldest first, below the root."""
        if not commit.isalnum():
            return []
        wanted = ("--name-status", "--diff-filter=R", "--find-renames", "--relative")
        out = self.ask("log", "--format=", *wanted, "-z", f"{commit}..HEAD")
        parts = [part for part in out.split("\0") if part]
        renamed = list(zip(parts[1::3], parts[2::3], strict=True))
        return renamed[::-1]

    def listing(self) -> list[str]:
        """Return files that git tracks or would track, below the root, without local ones."""
        files = git.files(self.root, seconds=_SECONDS)
        return [path for path in files if not git.is_local(path)]

    def left_out(self) -> tuple[list[str], int]:
        """Return submodules, and the number of files outside a sparse checkout."""
        submodules, absent = [], 0
        for part in self.ask("ls-files", "--stage", "-t", "-z").split("\0"):
            head, _, path = part.partition("\t")
            if head[2:].startswith("160000 "):
                submodules.append(path)
            else:
                absent += head.startswith("S ")
        return submodules, absent

    def status(self) -> Status:
        """Return how the work tree differs from its commit, in one git call."""
        wanted = ("--untracked-files=all", "--no-renames", "--ignore-submodules=all")
        out = self.ask("status", "--porcelain=v2", "--branch", "-z", *wanted, "--", ".")
        head, changed, new, dropped = "", {}, set(), set()
        for part in out.split("\0"):
            if part.startswith("# branch.oid "):
                head = part[len("# branch.oid ") :].strip()
                head = "" if head.startswith("(") else head
            elif part.startswith("1 "):
                _, states, _, in_head, *_, path = part.split(" ", 8)
                changed[path] = in_head != "000000"
                if states[0] == "D":
                    dropped.add(path)
            elif part.startswith("u "):
                changed[part.split(" ", 10)[-1]] = True
            elif part.startswith("? ") and not part.endswith("/") and not git.is_local(part):
                new.add(part[2:])
        prefix = self.prefix
        return Status(
            head,
            {p[len(prefix) :]: there for p, there in changed.items() if p.startswith(prefix)},
            frozenset(p[len(prefix) :] for p in new if p.startswith(prefix)),
            frozenset(p[len(prefix) :] for p in dropped - new if p.startswith(prefix)),
        )

    def between(self, old: str, new: str) -> set[str] | None:
        """Return paths that differ between two commits; None if git lacks one of them."""
        try:
            wanted = ("--name-only", "--no-renames", "--relative", "--ignore-submodules=all")
            out = self.ask("diff", "-z", *wanted, old, new, "--", ".")
        except GitError:
            return None
        return {path for path in out.split("\0") if path}

    def ancestors(self, head: str, most: int) -> list[str]:
        """Return the commit and its newest ancestors, newest first, without merges."""
        try:
            out = self.ask("rev-list", "--no-merges", f"--max-count={most}", head, "--", ".")
        except GitError:
            return []
        return out.split()

    def commits(self, shas: Sequence[str]) -> Iterable[Commit]:
        """Return these commits' messages and the files they touched below the root."""
        if not shas:
            return
        try:
            out = self._log(shas, "--find-renames")
        except GitError:
            # A partial clone lacks contents to compare, and must not fetch them.
            out = self._log(shas, "--find-renames=100%")
        for block in out.split(_RECORD)[1:]:
            sha, time, message, tail = [*block.split(_FIELD, 3), "", "", ""][:4]
            paths, renamed = _touched(tail)
            yield Commit(sha, int(time or 0), message.strip(), tuple(paths), renamed)

    def _log(self, shas: Sequence[str], renames: str) -> str:
        wanted = ("--name-status", renames, "-l400", "--relative", "--ignore-submodules=all")
        shown = f"--format={_RECORD}%H{_FIELD}%ct{_FIELD}%s%n%b{_FIELD}"
        given = "\n".join(shas) + "\n"
        return self.ask("log", "--no-walk=unsorted", "--stdin", *wanted, "-z", shown, stdin=given)


def _touched(tail: str) -> tuple[list[str], dict[str, str]]:
    """Parse NUL-separated status letters and paths; a rename has two paths."""
    parts = iter(part for part in tail.strip("\n").split("\0") if part)
    paths, renamed = [], {}
    for mark in parts:
        kind = mark.strip("\n")[:1]
        path = next(parts, "")
        if kind in ("R", "C"):
            after = next(parts, "")
            if kind == "R":
                renamed[path] = after
            path = after
        if path:
            paths.append(path)
    return paths, renamed


def end_of_history(common: str) -> str:
    """Return the boundary of a shallow clone as a short text; "" if it is complete."""
    path = os.path.join(common, "shallow")
    try:
        with open(path, "rb") as file:
            return short_hash(file.read())
    except OSError:
        return ""


def walk(root: str) -> list[str]:
    """List at most `_MOST_WALKED` files of a directory without git, not following links."""
    found: list[str] = []
    waiting = [""]
    while waiting:
        below = waiting.pop()
        try:
            entries = sorted(os.scandir(os.path.join(root, below)), key=lambda e: e.name)
        except OSError:
            continue
        for entry in entries:
            path = f"{below}/{entry.name}" if below else entry.name
            if entry.is_dir(follow_symlinks=False):
                if not is_ignored_directory(entry.name):
                    waiting.append(path)
            elif entry.is_file(follow_symlinks=False):
                found.append(path)
                if len(found) >= _MOST_WALKED:
                    return found
    return found
