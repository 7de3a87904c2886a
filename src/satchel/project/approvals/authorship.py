"""Finds who wrote a file's lines, from the commits that brought them.

Authors choose the e-mail address in a commit; git does not verify it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from functools import cached_property, partial

from satchel.core.errors import StoreError
from satchel.core.values import NamedTuple
from satchel.project.approvals.versions import (
    HEAD,
    kept_texts,
    lost_versions,
    older_versions,
    versions_of,
)
from satchel.project.approvals.work_tree import (
    cut_off_at,
    has_other_case,
    is_brought,
    is_committed,
    is_converted,
    top_of,
    was_converted,
)
from satchel.project.place import Place
from satchel.storage.files import read_file
from satchel.storage.paths import PROJECT_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class AuthorshipContext(Protocol):
        """The caller's side: the user's rules, and a callback for what git cannot say."""

        @property
        def takes_local_for_own(self) -> bool:
            """Return whether content that did not come by git is the user's own."""
            ...

        @property
        def verifies(self) -> bool:
            """Return whether commit signatures are verified too."""
            ...

        @property
        def seconds(self) -> float:
            """Return the longest wait for each of git's answers."""
            ...

        def uncertain(self, why: str) -> None:
            """Called when git cannot say who wrote a line."""
            ...


#: Longest that a hook waits for each of two answers, seconds.
_SECONDS = 0.6
#: Checking a signature starts a program; whatever takes longer is held back.
_SIGNED_SECONDS = 3.0
_UNCOMMITTED = "0" * 40


class Author(NamedTuple):
    """The committer of a line. Both fields are "" for an uncommitted line.

    `email` is in lower case, as in the commit: `.mailmap` is ignored. `key` is the fingerprint of
    the key that signed the commit, if signatures are checked and this one is good. `mover` is
    whoever brought the line to this file, if not its author, by renaming another.
    """

    email: str
    name: str = ""
    key: str = ""
    mover: Author | None = None

    def __str__(self) -> str:
        """Format whoever brought the line, as usual."""
        if self.mover is not None:
            return str(self.mover)
        return f"{self.name} <{self.email}>" if self.email else ""


#: Authors of an uncommitted line, and of one whose author git cannot tell.
NOBODY, UNKNOWN = Author(""), Author("?", "unknown")
_FIELDS, _FORMAT, _SIGNED = 4, "%H%x00%ae%x00%an%x00%x00", "%H%x00%ae%x00%an%x00%G?%x00%GF"
#: Good signatures, and good ones by a key whose owner git does not know: the person chooses keys.
_GOOD = ("G", "U")


def authors_of(
    root: str, path: str, *, common: str, seconds: float = _SECONDS, verify: bool = False
) -> list[Author] | None:
    """Return each line's author, in order; None if git does not know the file.

    Args:
        root: the work tree, or a directory in it.
        path: the file.
        common: git's common directory.
        seconds: the longest wait for each of two answers.
        verify: whether to ask for signatures.

    Raises:
        GitError: git gave no answer in time.
    """
    from satchel.storage import git

    below = os.path.relpath(path, root)

    def said(commit: str = "") -> list[Author] | None:
        blamed = partial(_blamed, root, below, commit, common=common, seconds=seconds)
        found = blamed(verify=verify)
        if found is None or not found.is_moved:
            return None if found is None else found.authors
        movers = blamed(verify=verify, follows=False)
        if movers is None:
            return None
        pairs = zip(found.authors, movers.authors, strict=False)
        return [who if who == mover else who._replace(mover=mover) for who, mover in pairs]

    found = said()
    if found is None:
        # Nobody's only if git works and the last commit has no such file.
        nobodys = git.is_repository(root, seconds=seconds) and not is_committed(root, below)
        if not nobodys:
            return [UNKNOWN]
        lines = read_file(path).count(b"\n") + 1
        found = _with_committed_text([NOBODY] * lines, root, path, seconds, said)
        return found if set(found) != {NOBODY} else None
    return _with_committed_text(found, root, path, seconds, said) if NOBODY in found else found


class _Blamed(NamedTuple):
    """The author of each line, and whether any line was written in a file of another name."""

    authors: list[Author]
    is_moved: bool


def _blamed(
    root: str,
    below: str,
    commit: str,
    *,
    common: str,
    seconds: float,
    verify: bool,
    follows: bool = True,
) -> _Blamed | None:
    """Return the author of each line, here or in a commit; None if git cannot say.

    With `follows`, that is who wrote it, before the file was renamed too; else who brought it here.
    """
    from satchel.storage import git

    # A repository's .mailmap would rename authors, its list of ignored commits would attribute
    # lines to other commits, and a replaced object would show what nobody committed.
    plain = ("-c", "blame.ignoreRevsFile=", "--no-replace-objects")
    words = ("blame", "--porcelain", "--root", "--no-textconv", *([commit] if commit else []))
    kept = () if follows else ("--no-follow",)
    done = git.ask(root, *plain, *words, *kept, "--", below, seconds=seconds)
    if done.code:
        return None
    commits, names = _commits(done.out)
    known = authors_of_commits(root, sorted(set(commits) - {_UNCOMMITTED}), seconds, verify=verify)
    for cut in cut_off_at(common):
        known[cut] = UNKNOWN  # earlier lines may be anybody's
    known[_UNCOMMITTED] = NOBODY
    here = os.path.relpath(os.path.join(os.path.realpath(root), below), top_of(root))
    return _Blamed([known.get(one, UNKNOWN) for one in commits], names != {here})


def _with_committed_text(
    authors: list[Author],
    root: str,
    path: str,
    seconds: float,
    said: Callable[[str], list[Author] | None],
) -> list[Author]:
    """Attribute uncommitted lines that some version of the file in git contains.

    A repository's attributes can make a fresh checkout look edited; and `git restore --source`,
    popping a stash or resetting a merge write what others committed into the work tree, and leave
    no other trace. The same happens to a person's own commits and to lines they move: those stay
    theirs.
    """
    texts = [line.strip() for line in read_file(path).split(b"\n")]
    lines = [*zip(authors, [*texts, *[b""] * len(authors)], strict=False)]
    # A second `confidence: 0.5` has the same author as the first, which is judged as well.
    authored = {text: who for who, text in lines if who != NOBODY}
    open_ones = {text for who, text in lines if who == NOBODY} - authored.keys()
    versions = versions_of(root, os.path.relpath(path, root), seconds)
    if versions is None:
        authored |= dict.fromkeys(open_ones, UNKNOWN)
    else:
        open_ones -= {b""}
        authored |= _authors_in(versions, set(open_ones), said, time.monotonic() + seconds)
        if left := open_ones - authored.keys():
            authored |= _authors_elsewhere(root, path, left, seconds, said)
    return [authored.get(text, who) if who == NOBODY else who for who, text in lines]


def _authors_elsewhere(
    root: str,
    path: str,
    texts: set[bytes],
    seconds: float,
    said: Callable[[str], list[Author] | None],
) -> dict[bytes, Author]:
    """Return the authors of texts that only an older commit, or one without a reference, has."""
    from satchel.storage import git

    below = os.path.relpath(path, root)
    kept = kept_texts(root, below, read_file(path), seconds)
    try:
        older = older_versions(root, below, seconds)
    except git.GitError:
        if kept:
            raise
        older = {}  # a long history, and nothing says that git wrote this
    until = time.monotonic() + seconds
    found = _authors_in(older, set(texts), said, until, once=True)
    if not kept or not (left := texts - found.keys()):
        return found
    lost = lost_versions(root, below, kept, seconds)
    own = git.ask(root, "config", "--get", "user.email", seconds=seconds).out.strip().lower()
    theirs = authors_of_commits(root, sorted(lost), seconds, verify=False)
    # A stash that was popped and a commit that was amended are left by the person.
    lost = {one: lines for one, lines in lost.items() if theirs.get(one, UNKNOWN).email != own}
    return found | _authors_in(lost, left, said, until)


def _authors_in(
    versions: dict[str, list[bytes]],
    texts: set[bytes],
    said: Callable[[str], list[Author] | None],
    until: float,
    *,
    once: bool = False,
) -> dict[bytes, Author]:
    """Return the author of each text in these versions; HEAD comes first.

    What HEAD has is looked for no further; with `once`, neither is what any version has.

    The author is unknown if two people wrote the line elsewhere, or if git took too long.
    """
    found: dict[bytes, Author] = {}
    for commit, lines in versions.items():
        here = texts.intersection(lines)
        if not here:
            continue
        authors = said(commit) if time.monotonic() < until else None
        if authors is None:
            found |= dict.fromkeys(here, UNKNOWN)
            continue
        for who, text in zip(authors, lines, strict=False):
            if text in here:
                found[text] = who if found.get(text, who) == who else UNKNOWN
        texts -= here if once or commit == HEAD else set()
    return found


def _commits(blame: str) -> tuple[list[str], set[str]]:
    """Return each line's commit, and all files' names, from `git blame --porcelain`."""
    found, names, commit = [], set(), ""
    for line in blame.split("\n"):
        if line.startswith("\t"):
            found.append(commit)
            continue
        word, _, rest = line.partition(" ")
        if word == "filename":
            names.add(rest)
        if len(word) >= len(_UNCOMMITTED) and rest[:1].isdigit():
            commit = _UNCOMMITTED if not word.strip("0") else word
    return found, names


def authors_of_commits(
    root: str, commits: Sequence[str], seconds: float, *, verify: bool
) -> dict[str, Author]:
    """Return the authors of commits, by id; if verified, with their signing keys."""
    from satchel.storage import git

    if not commits:
        return {}
    words = ("--no-replace-objects", "log", "--no-walk=unsorted", "--no-mailmap", "--stdin")
    asked = "\n".join(commits).encode() + b"\n"
    ask, form = (git.ask_signed, _SIGNED) if verify else (git.ask, _FORMAT)
    most = max(seconds, _SIGNED_SECONDS) if verify else seconds
    done = ask(root, *words, f"--format={form}", stdin=asked, seconds=most)
    rows = (line.split("\0") for line in done.out.split("\n") if line.count("\0") == _FIELDS)
    # A commit's address may be empty; it is not "nobody" then.
    return {
        commit: Author(
            email.strip().lower() or UNKNOWN.email,
            name or UNKNOWN.name,
            key.strip() if good in _GOOD else "",
        )
        for commit, email, name, good, key in rows
    }


def authors_of_no_remote(root: str, seconds: float) -> frozenset[str]:
    """Return others' addresses on commits that no remote has: `git pull ADDRESS` brings such.

    Raises `GitError` if git gave no answer in time.
    """
    from satchel.storage import git

    plain = ("--no-replace-objects", "log", "--no-mailmap", "--format=%ae")
    done = git.ask(root, *plain, "HEAD", "--not", "--remotes", seconds=seconds)
    found = frozenset(one.strip().lower() for one in done.out.splitlines())
    if found:  # most often everything was fetched, and nothing more is asked
        own = git.ask(root, "config", "--get", "user.email", seconds=seconds).out
        found -= {own.strip().lower()}
    return found | {UNKNOWN.email, NOBODY.email} if found else found


class FileAuthors:
    """A file's authors, determined on first use.

    Args:
        place: the work tree.
        path: of the file.
        context: on whose behalf.
    """

    def __init__(self, place: Place, path: str, context: AuthorshipContext) -> None:
        self._place, self._context = place, context
        self._real = os.path.realpath(path)
        below, root = os.path.relpath(path, place.root), os.path.realpath(place.root)
        self._is_linked = not below.startswith("..") and os.path.join(root, below) != self._real

    @cached_property
    def _lines(self) -> list[Author] | None:
        if not self._place.common:
            return None
        if top_of(self._real) != top_of(os.path.realpath(self._place.root)):
            return [UNKNOWN]  # of another repository, where a link or a submodule leads
        from satchel.storage.git import GitError

        try:
            found = authors_of(
                self._place.root,
                self._real,
                common=self._place.common,
                seconds=self._context.seconds,
                verify=self._context.verifies,
            )
        except GitError as error:
            self._context.uncertain(str(error))
            return [UNKNOWN]
        # Where a link leads is the choice of who made it, and git knows no author of what is there.
        return [UNKNOWN] if found is None and self._is_linked else found

    @cached_property
    def own_here(self) -> bool:
        """Return whether uncommitted lines are the user's own.

        They are in a project that began here or was cloned by git itself, but not in a file with a
        merge still to commit. Staged content is no different: `git add` loses nothing, and others'
        lines are known by their commits.
        """
        place = self._place
        if not place.common:
            return self._context.takes_local_for_own
        try:
            came = self._context.takes_local_for_own or is_committed(place.root, PROJECT_FILE)
            brought = is_brought(place.common, place.root, self._real)
            brought = brought or is_converted(place.root, self._real)
            brought = brought or was_converted(place.root, self._real)
            brought = brought or has_other_case(place.root, self._real)
        except StoreError as error:
            self._context.uncertain(str(error))
            return False
        return came and not brought

    def at(self, number: int) -> Author:
        """Return a line's author, counted from 1."""
        if self._lines is None:
            return NOBODY
        who = self._lines[number - 1] if number <= len(self._lines) else UNKNOWN
        return who._replace(mover=None) if who.mover == NOBODY and self.own_here else who

    def every(self) -> set[Author]:
        """Return all lines' authors, and whoever moved the lines to this file."""
        if self._lines is None:
            return {NOBODY}
        movers = {who.mover for who in self._lines if who.mover is not None}
        return {who._replace(mover=None) for who in self._lines} | movers or {UNKNOWN}
