"""Finds the Markdown files of a directory, and judges whether missing ones were deleted."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase

from satchel.core.values import NamedTuple
from satchel.storage.safe_open import is_within

MARKDOWN = "**/*.md"
#: Directories of other people's files or of build results.
SKIPPED = ("node_modules", "__pycache__", "site-packages")
#: A tree with more files than this is not a collection of documents.
MOST_FILES = 100_000


class Tree(NamedTuple):
    """The result for a directory.

    `exists`: there is a directory that can be listed. `unreadable`: directories in it that cannot;
    their files are out of sight, not deleted.
    """

    paths: tuple[str, ...]
    exists: bool = True
    unreadable: tuple[str, ...] = ()
    cut: bool = False


def find_files(root: str, pattern: str = MARKDOWN) -> Tree:
    """Return files below `root` that match a pattern, sorted by path.

    In a pattern `*` and `?` stay within a name, `**/` matches any directories. A symbolic link is
    followed only to a file inside the tree, never to a directory.
    """
    wanted = tuple(part for part in pattern.split("/") if part not in ("", "."))
    real = os.path.realpath(root)
    found: list[str] = []
    unreadable: list[str] = []
    waiting: list[tuple[str, tuple[str, ...]]] = [(root, ())]
    while waiting and len(found) <= MOST_FILES:
        directory, names = waiting.pop()
        try:
            with os.scandir(directory) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            if not names:
                return Tree((), exists=False)
            unreadable.append(directory)
            continue
        for entry in listed:
            if entry.name.startswith(".") or not entry.name.isprintable():
                continue
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in SKIPPED:
                    waiting.append((entry.path, (*names, entry.name)))
            elif _matches((*names, entry.name), wanted) and _is_inside(entry, real):
                found.append(entry.path)
    cut = len(found) > MOST_FILES
    return Tree(tuple(sorted(found[:MOST_FILES])), unreadable=tuple(sorted(unreadable)), cut=cut)


def _is_inside(entry: os.DirEntry[str], real_root: str) -> bool:
    if not entry.is_symlink():
        return entry.is_file(follow_symlinks=False)
    target = os.path.realpath(entry.path)
    return is_within(target, real_root) and os.path.isfile(target)


def _matches(names: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    if not wanted:
        return not names
    if wanted[0] == "**":
        return any(_matches(names[n:], wanted[1:]) for n in range(len(names) + 1))
    fits = bool(names) and fnmatchcase(names[0].lower(), wanted[0].lower())
    return fits and _matches(names[1:], wanted[1:])


OK, MISSING, EMPTY, MANY_GONE = "ok", "missing", "empty", "many gone"
#: If more than this share of the files is missing, and at least this many, ask first.
SHARE, AT_LEAST = 0.1, 10


class Verdict(NamedTuple):
    """What to do about indexed files that are missing.

    `gone` may be removed from the index, `held` stay in it until somebody confirms.
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
        known: all indexed paths, those still there included.
        tree: the files there now.
        deselected: returns whether a file exists but is no longer wanted (another pattern, now
            hidden).
        renamed: returns whether another file now has a file's content.
        confirmed: a person says that they were deleted.
    """
    every = sorted(known)
    present = set(tree.paths)
    absent = [path for path in every if path not in present]
    hidden = [path for path in absent if any(is_within(path, there) for there in tree.unreadable)]
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
