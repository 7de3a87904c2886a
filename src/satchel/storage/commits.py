"""Reads commits and lines from git. Never writes, and runs nothing a repository configures."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from tempfile import TemporaryDirectory

from satchel.core.errors import BadInputError, NotFoundError, SatchelError
from satchel.core.hashing import short_hash
from satchel.core.line_marks import is_telling, mark_of
from satchel.core.values import NamedTuple
from satchel.storage import git
from satchel.storage.commit_messages import request_of, reverted_by, subject_mark, undone_by
from satchel.storage.git import GitError
from satchel.storage.patches import parse_patch, path_in
from satchel.storage.safe_open import read_inside

_SECONDS = 120.0
#: Patches and messages never contain a NUL.
_RECORD, _FIELD = "\0r", "\0f"
_NAMED_RECORD = re.compile(r"\0r([0-9a-f]{40,64})(?=\0|\n|$)")
_FORMAT = "--format=%x00r%H%x00f%at%x00f%ct%x00f%P%x00f%an%x00f%ae%x00f%s%x00f%b%x00f"
_OUTLINE = "--format=%x00r%H%x00f%P%x00f%at%x00f%ct%x00f%ae%x00f%s%x00f%b%x00f"
_PATCH = (
    "--patch",
    "--unified=0",
    "--no-color",
    "--find-renames",
    "--no-indent-heuristic",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--ignore-submodules=all",
)
_GIVEN = ("--no-walk=unsorted", "--stdin")
_IGNORED = ".git-blame-ignore-revs"
#: How git refuses a blame for a list of ignored commits that is missing.
_NO_LIST = "could not open object name list: "
#: Most commits to ask git for at once: all their patches are in memory.
_TOGETHER = 250
#: Most files to read for recognizing a commit.
_WIDEST = 300
#: Most lines to recognize a commit by.
MOST_LINES = 2000
#: Largest untracked file to read, in bytes.
_LARGEST = 16 * 1024 * 1024
_SHA = re.compile(r"[0-9a-f]{4,64}\Z")


class Commit(NamedTuple):
    """A commit: author and time, message, and the lines it adds, by file.

    Attributes:
        added: path -> (number, text) of each added line.
        renamed: new path -> old path.
        change: hash of the whole change, the same after a rebase or cherry-pick; "" if it changes
            nothing.
        reverts: the commit its message says it reverts.
        email: the author's, in lower case; "" if uncommitted.
        removed: marks of the lines it removes.
    """

    sha: str
    author_time: int
    commit_time: int
    parents: tuple[str, ...]
    author: str
    subject: str
    body: str
    added: dict[str, tuple[tuple[int, str], ...]]
    renamed: dict[str, str]
    change: str = ""
    reverts: str = ""
    email: str = ""
    removed: frozenset[str] = frozenset()

    @property
    def made_at(self) -> int:
        """The commit time: amend and rebase keep the author's time."""
        return max(self.author_time, self.commit_time)

    def line(self, path: str, number: int) -> str | None:
        """Return the text of a line that it adds; None if it does not."""
        lines = self.added.get(path, ())
        at = bisect_left(lines, (number,))
        return lines[at][1] if at < len(lines) and lines[at][0] == number else None


class Outline(NamedTuple):
    """A commit without its changes: enough to recognize it under another id.

    Attributes:
        author: hash of author and author time, which amend, rebase and cherry-pick keep.
        authored: author time; `committed` is the commit time.
        subject: hash of its message's first line.
        undoes: ids, or requests, of the commits its message says it reverts.
        undoes_subject: hash of the first line of the commit that its own first line reverts.
        request: the number of the request that a forge merged as this commit: `#12`.
    """

    sha: str
    parents: tuple[str, ...]
    author: str
    authored: int
    committed: int
    subject: str
    undoes: tuple[str, ...] = ()
    undoes_subject: str = ""
    request: str = ""


class BlamedLine(NamedTuple):
    """A line of a file, and its origin by git; `sha` is "" if not committed.

    `copied`: from lines that stayed where they were, by a later commit. `at` is the author time.
    """

    line: int
    text: str
    sha: str
    path: str
    original: int
    copied: bool = False
    at: int = 0


def telling_lines(commit: Commit) -> dict[str, tuple[str, ...]]:
    """Return the marks of a commit's first distinctive lines, with their paths."""
    found: dict[str, set[str]] = {}
    for path, lines in commit.added.items():
        its = {path, commit.renamed.get(path, path)}
        for _, text in lines:
            if len(found) < MOST_LINES and is_telling(text):
                found.setdefault(mark_of(text), set()).update(its)
    return {mark: tuple(sorted(paths)) for mark, paths in found.items()}


class History:
    """Git queries about a work tree's commits and lines.

    Args:
        root: where the project begins, at or below the top of the work tree.
    """

    def __init__(self, root: str) -> None:
        self.root = root

    def ask(self, *words: str, stdin: str = "", seconds: float = _SECONDS) -> str:
        """Return git's output. Raises `GitError` with git's own message."""
        given = stdin.encode("utf-8", "surrogateescape")
        return git.answer(self.root, *words, seconds=seconds, stdin=given)

    def head(self) -> str:
        """Return the checked-out commit, "" before the first one."""
        try:
            return self.ask("rev-parse", "--verify", "--quiet", "HEAD").strip()
        except GitError:
            return ""

    def find(self, reference: str) -> str:
        """Return a commit's full id, given any name for it, or ""."""
        if reference.startswith("-"):
            return ""
        try:
            name = f"{reference}^{{commit}}"
            return self.ask("rev-parse", "--verify", "--quiet", "--end-of-options", name).strip()
        except GitError:
            return ""

    def known(self, prefixes: Sequence[str]) -> dict[str, str]:
        """Return the full ids of commits that still exist, by the given ids."""
        wanted = [one for one in prefixes if _SHA.match(one)]
        if not wanted:
            return {}
        told = self.ask("cat-file", "--batch-check", stdin="\n".join(wanted) + "\n")
        found = {}
        for prefix, line in zip(wanted, told.splitlines(), strict=False):
            parts = line.split(" ")
            if len(parts) > 1 and parts[1] == "commit":
                found[prefix] = parts[0]
        return found

    def log(self, *words: str) -> list[str]:
        """Return commit ids from `git log`, newest first."""
        return self.ask("log", "--format=%H", *words).split()

    def outlines(self, revisions: Sequence[str], *words: str) -> list[Outline]:
        """Return commits without changes, each before its parents."""
        options = ("--stdin", "--topo-order", _OUTLINE, *words)
        out = self.ask("log", *options, stdin="\n".join(revisions) + "\n")
        return [_outline(block) for block in out.split(_RECORD)[1:]]

    def names(self, *patterns: str) -> list[str]:
        """Return the full names of matching references."""
        return self.ask("for-each-ref", "--format=%(refname)", *patterns).split()

    def note(self, reference: str, sha: str) -> str:
        """Return a commit's note, or ""."""
        told = self.ask("log", "--no-walk", f"--notes={reference}", "--format=%N", sha)
        return told.removesuffix("\n")

    def text(self, name: str) -> str:
        """Return a file's text in a commit, as `commit:path`, or ""."""
        try:
            return self.ask("cat-file", "blob", name)
        except GitError:
            return ""

    def file_text(self, commit: str, path: str) -> str:
        """Return a file's text in a commit, or in the work tree if "", or "" if unreadable."""
        if commit:
            return self.text(f"{commit}:{path}")
        top = _top_of(self.root)
        try:
            data = read_inside(top, os.path.join(top, path), most=_LARGEST)
        except (OSError, SatchelError):
            return ""
        return data.decode("utf-8", "replace")

    def listing(self, commit: str, folder: str) -> list[str]:
        """Return the files of a commit below a folder."""
        try:
            out = self.ask("ls-tree", "-r", "-z", "--name-only", commit, "--", folder)
        except GitError:
            return []
        return [path for path in out.split("\0") if path]

    def blame(
        self, path: str, first: int, last: int, *, exact: bool = False, copies: bool = False
    ) -> list[BlamedLine]:
        """Return lines' origins, by default through changed white space.

        Lines of a file that was never committed have no origin. Raises `NotFoundError` if the file
        has no such line.

        Args:
            exact: white space counts.
            copies: go through moves and copies too; git takes a line that was typed again for one.
        """
        words = ["blame", "--line-porcelain", "--no-textconv", *(["-M", "-C"] if copies else [])]
        words += [*([] if exact else ["-w"]), "-L", f"{first},{last}"]
        ignored = os.path.join(_top_of(self.root), _IGNORED)
        tries = [words, [*words, f"--ignore-revs-file={ignored}"]]
        for asked in tries[::-1] if os.path.isfile(ignored) else tries[:1]:
            try:
                return list(_blamed(self._blame(asked, path)))
            except GitError as error:
                if asked is tries[1]:
                    continue  # an invalid list: nothing is skipped
                told = str(error)
                if "no such path" in told or "no such ref: HEAD" in told:
                    return self._uncommitted(path, first, last)
                if "has only" in told:
                    raise NotFoundError(
                        f"{path}:{first}: {told.rpartition(': ')[2].removeprefix('fatal: ')}"
                    ) from error
                raise BadInputError(told, hint=error.hint) from error
        return []

    def _blame(self, words: Sequence[str], path: str) -> str:
        """Ask for a blame, even if the configured list of ignored commits is missing here.

        Git cannot be told to leave that setting out, so it gets an empty list of that name.
        """
        try:
            return self.ask(*words, "--", path)
        except GitError as error:
            name = str(error).partition(_NO_LIST)[2]
            if not name or os.path.isabs(name) or ".." in name:
                raise
        top, own = _top_of(self.root), self.ask("rev-parse", "--absolute-git-dir").strip()
        whole = os.path.join(os.path.realpath(self.root), path)
        with TemporaryDirectory() as aside:
            os.makedirs(os.path.dirname(os.path.join(aside, name)), exist_ok=True)
            with open(os.path.join(aside, name), "wb"):
                pass
            asked = (*words, "--contents", whole, "--", os.path.relpath(whole, top))
            where = {"GIT_DIR": own, "GIT_WORK_TREE": aside}
            return git.answer(aside, *asked, seconds=_SECONDS, variables=where)

    def _uncommitted(self, path: str, first: int, last: int) -> list[BlamedLine]:
        """Read a file's lines unless git ignores it."""
        if git.is_ignored(self.root, path):
            raise NotFoundError(f"git ignores {path}, and so has no history of it.")
        data = read_inside(self.root, os.path.join(self.root, path), most=_LARGEST)
        lines = data.decode("utf-8", "replace").removesuffix("\n").split("\n")
        if first > len(lines):
            raise NotFoundError(f"{path} has only {len(lines)} lines.")
        numbered = enumerate(lines[first - 1 : last], first)
        # Git tells of every other line where it is below the top.
        whole = os.path.join(os.path.realpath(self.root), path)
        told = os.path.relpath(whole, _top_of(self.root)).replace(os.sep, "/")
        return [BlamedLine(n, text.removesuffix("\r"), "", told, n) for n, text in numbered]

    def between(self, base: str, tip: str) -> Commit:
        """Return all changes between two commits, as one commit."""
        patch = parse_patch(self.ask("diff", *_PATCH, base, tip, "--").split("\n"))
        return Commit(tip, 0, 0, (base,), "", "", "", *patch[:3], removed=patch.removed)

    def paths(self, shas: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the files that commits touch."""
        words = (*_GIVEN, "--name-only", "--no-renames", "-z", "--format=%x00r%H")
        out = self.ask("log", *words, stdin="\n".join(shas) + "\n")
        # Includes the id, since a path may begin with the letter.
        _, *parts = _NAMED_RECORD.split(out)
        return {
            sha: tuple(filter(None, names.lstrip("\0\n").split("\0")))
            for sha, names in zip(parts[::2], parts[1::2], strict=True)
        }

    def wide(self, shas: Sequence[str]) -> set[str]:
        """Return the commits that touch too many files to read."""
        return {sha for sha, paths in self.paths(shas).items() if len(paths) > _WIDEST}

    def commits(self, shas: Sequence[str], *paths: str) -> Iterator[Commit]:
        """Yield these commits with the lines they add, optionally only in these files.

        Then the whole change is not known.
        """
        for at in range(0, len(shas), _TOGETHER):
            out = self.ask(
                "log",
                *_GIVEN,
                *_PATCH,
                "--cc",  # of merges, what no parent has
                _FORMAT,
                *(["--", *(f":(top,literal){path}" for path in paths)] if paths else []),
                stdin="\n".join(shas[at : at + _TOGETHER]) + "\n",
            )
            for block in out.split(_RECORD)[1:]:
                commit = _commit(block)
                yield commit._replace(change="") if paths else commit


def _top_of(root: str) -> str:
    """Return the top of a directory's work tree: where `.git` is."""
    top = os.path.realpath(root)
    while not os.path.lexists(os.path.join(top, ".git")) and os.path.dirname(top) != top:
        top = os.path.dirname(top)
    return top


def _commit(block: str) -> Commit:
    sha, authored, committed, parents, author, email, subject, body, patch = [
        *block.split(_FIELD, 8),
        *[""] * 9,
    ][:9]
    changes = parse_patch(patch.split("\n"))
    reverted = reverted_by(subject, body)
    return Commit(
        sha,
        int(authored or 0),
        int(committed or 0),
        parents=tuple(parents.split()),
        author=author,
        subject=subject,
        body=body.strip(),
        added=changes.added,
        renamed=changes.renamed,
        change=changes.change,
        reverts=reverted[0] if reverted else "",
        email=email.strip().lower(),
        removed=changes.removed,
    )


def _outline(block: str) -> Outline:
    sha, parents, authored, committed, email, subject, body = [*block.split(_FIELD), *[""] * 7][:7]
    return Outline(
        sha,
        tuple(parents.split()),
        short_hash(f"{email} {authored}".encode()),
        authored=int(authored or 0),
        committed=int(committed or 0),
        subject=subject_mark(subject),
        undoes=reverted_by(subject, body),
        undoes_subject=subject_mark(undone_by(subject)),
        request=request_of(subject),
    )


def _blamed(told: str) -> Iterator[BlamedLine]:
    sha = path = ""
    original = number = at = 0
    for line in told.split("\n"):
        if line.startswith("\t"):
            committed = sha if sha.strip("0") else ""
            yield BlamedLine(number, line[1:].removesuffix("\r"), committed, path, original, at=at)
            sha = ""
        elif not sha:
            parts = line.split(" ")
            if len(parts) > 2:  # noqa: PLR2004 -- the id, the line there, the line here
                sha, original, number = parts[0], int(parts[1]), int(parts[2])
        elif line.startswith("filename "):
            path = path_in(line[9:])
        elif line.startswith("author-time "):
            at = int(line[12:])
