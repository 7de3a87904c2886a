"""Decides whether missing files were deleted or are only out of reach.

A directory that is not mounted looks like one whose files were deleted. So nothing is read as a
deletion where the directory is missing or empty, or where more than a tenth of its files, of ten
or more, went away at once. Then everything stays as it was indexed until a person says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from satchel.core.values import NamedTuple
from satchel.features.notes.file_discovery import Tree

OK, MISSING, EMPTY, MANY_GONE = "ok", "missing", "empty", "many gone"
#: More than this share of the files, of at least so many, may not vanish without a question.
SHARE, AT_LEAST = 0.1, 10


class Verdict(NamedTuple):
    """What to do about indexed files that are missing.

    `gone` may be taken out of the index, `held` stay in it until somebody confirms.
    """

    state: str
    gone: tuple[str, ...] = ()
    held: tuple[str, ...] = ()


def find_deletions(
    known: Iterable[str],
    tree: Tree,
    *,
    deselected: Callable[[str], bool],
    renamed: Callable[[str], bool],
    confirmed: bool = False,
) -> Verdict:
    """Judge the missing indexed files below a directory.

    Args:
        known: their paths, those still there included.
        tree: what is there now.
        deselected: whether a file is there and no longer wanted (another pattern, now hidden).
        renamed: whether what a file held stands in another one now.
        confirmed: a person says that they were deleted.
    """
    every = sorted(known)
    present = set(tree.paths)
    absent = [path for path in every if path not in present]
    hidden = [path for path in absent if _below(path, tree.unreadable)]
    if confirmed:
        gone = tuple(path for path in absent if path not in set(hidden))
        return Verdict(OK if tree.exists else MISSING, gone, tuple(hidden))
    if not tree.exists:
        return Verdict(MISSING, held=tuple(absent))
    free = [p for p in absent if p not in set(hidden) and (deselected(p) or renamed(p))]
    lost = [path for path in absent if path not in {*hidden, *free}]
    if lost and not tree.paths:
        return Verdict(EMPTY, tuple(free), (*lost, *hidden))
    if len(every) >= AT_LEAST and len(lost) > SHARE * len(every):
        return Verdict(MANY_GONE, tuple(free), (*lost, *hidden))
    return Verdict(OK, (*free, *lost), tuple(hidden))


def _below(path: str, directories: Iterable[str]) -> bool:
    return any(path.startswith(directory + "/") for directory in directories)
