"""Finds the commits that added lines, through white space, moves and copied blocks."""

from __future__ import annotations

import os
import re

from satchel.core.errors import NotFoundError
from satchel.core.line_marks import is_telling, mark_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from satchel.storage.commits import BlamedLine, Commit, History

    #: Reads the commits of lines.
    Read = Callable[[Sequence[BlamedLine]], dict[str, Commit]]
    #: Whether tools wrote a line, which a commit added, after an earlier one that is the same.
    TypedAgain = Callable[[BlamedLine, Commit, BlamedLine], bool]

#: How many neighbors a line must have been copied with: fewer are typed again. Of a copied block,
#: this many lines and one more say something.
_BLOCK = 2
#: Largest file to search for moved and copied lines, in bytes: git takes many seconds for more.
_LARGEST = 1024 * 1024
_STRING = re.compile(r"\"[^\"]*\"|'[^']*'")


def blame(
    history: History,
    path: str,
    lines: tuple[int, int],
    read: Read,
    typed_again: TypedAgain = lambda *_: False,
) -> tuple[list[BlamedLine], dict[str, Commit]]:
    """Return the origins of the first to the last of these lines, and the commits that added them.

    Git's own search for moves and copies takes a line that was typed again for the earlier one, so
    it is followed only where a commit removed the line elsewhere, or copied a block of lines that
    no tool wrote again. Large files are mostly generated, and not searched.
    """
    first, last = lines
    blamed = history.blame(path, first, last)
    commits = read(blamed)
    changed = [one.sha in commits and _has_changed(one, commits[one.sha]) for one in blamed]
    if any(changed):
        blamed = _replaced(blamed, history.blame(path, first, last, exact=True), changed)
        commits = read(blamed)
    if _is_large(os.path.join(history.root, path)):
        return blamed, commits
    before = min(_BLOCK, first - 1)
    wider = _through_copies(history, path, first - before, last)
    origins = []
    for at, (one, is_changed) in enumerate(zip(blamed, changed, strict=True)):
        old, commit = wider[at + before], commits.get(one.sha)
        if commit is None or is_changed or old.sha == one.sha:
            origins.append(one)
        elif mark_of(one.text) in commit.removed:
            origins.append(old)
        # What a merge or a wide commit removed is not known.
        elif (not commit.change or _is_in_block(at + before, wider, one.sha)) and not typed_again(
            one, commit, old
        ):
            origins.append(old._replace(copied=True))
        else:
            origins.append(one)
    return origins, commits if origins == blamed else read(origins)


def _is_large(path: str) -> bool:
    try:
        return os.path.getsize(path) > _LARGEST
    except OSError:
        return False


def _replaced(
    old: Sequence[BlamedLine], new: Sequence[BlamedLine], is_new: Sequence[bool]
) -> list[BlamedLine]:
    return [b if taken else a for a, b, taken in zip(old, new, is_new, strict=True)]


def _through_copies(history: History, path: str, first: int, last: int) -> list[BlamedLine]:
    """Return the earliest lines that git takes for these, and for those that follow."""
    try:
        return history.blame(path, first, last + _BLOCK, copies=True)
    except NotFoundError:  # an older git refuses to look behind the end
        return history.blame(path, first, last, copies=True)


def _is_in_block(at: int, lines: Sequence[BlamedLine], added_by: str) -> bool:
    """Return whether a line was copied together with its neighbors, which are not just braces."""
    begin = end = at
    while begin > 0 and _goes_on(lines[begin - 1], lines[begin], added_by):
        begin -= 1
    while end + 1 < len(lines) and _goes_on(lines[end], lines[end + 1], added_by):
        end += 1
    return sum(is_telling(one.text) for one in lines[begin : end + 1]) > _BLOCK


def _goes_on(one: BlamedLine, following: BlamedLine, added_by: str) -> bool:
    same = (one.sha, one.path) == (following.sha, following.path)
    return same and one.sha != added_by and following.original == one.original + 1


def _has_changed(line: BlamedLine, commit: Commit) -> bool:
    """Return whether a string's white space in a line differs from its commit."""
    there = commit.line(line.path, line.original) or line.text
    return _STRING.findall(there) != _STRING.findall(line.text)
