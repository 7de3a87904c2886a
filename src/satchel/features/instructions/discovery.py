"""Discovers instruction files: search all tiers concurrently, then sort by priority.

Never walks a whole tree: it checks known names on the way from the top of the project to where the
agent works, and lists a few directories, up to a limit of entries.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from satchel.clients.contract.instructions import (
    PLUGIN,
    PRIORITIES,
    REPOSITORY,
    TIERS,
    Directory,
    Source,
)
from satchel.core.values import NamedTuple
from satchel.features.instructions import places
from satchel.features.instructions.globs import matches
from satchel.features.instructions.places import Homes
from satchel.storage.safe_open import is_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")
    R = TypeVar("R")

#: Limits of one load, as in beans: files read, directories searched, imports resolved.
READS, DIRECTORIES, IMPORTS = 20, 15, 10
#: Fewer items than this are not worth a thread.
_WORTH_THREADS = 64
_MOST_ENTRIES, _MOST_FILES, _DEEPEST = 1000, 200, 8
_MOST_LEVELS = 64


class DiscoveryRequest(NamedTuple):
    """What to look for.

    Attributes:
        root: top of the project's work tree, real path.
        cwd: where the agent works; real path. If it is not at or below the root, the root is used.
        homes: the person's directories; None to read nothing of a person's.
        names: file names, in order of weight.
        exclude: directory names and globs to skip.
        local: whether `.local.md` files count.
        auto: whether notes that clients wrote automatically count.
        keys: directories by which clients may know the project.
        team: a directory with the team's files; "" for none.
        agent: the requesting agent's name; "" for none.
        search: most directories below `cwd` to search, breadth first; 0 for none.
        near: files being worked on: instruction files on the way to them count too.
    """

    root: str
    cwd: str
    homes: Homes | None
    names: tuple[str, ...]
    exclude: tuple[str, ...] = ()
    local: bool = True
    auto: bool = True
    keys: tuple[str, ...] = ()
    team: str = ""
    agent: str = ""
    search: int = 0
    near: tuple[str, ...] = ()


def discover(wanted: DiscoveryRequest) -> list[Source]:
    """Return existing instruction files, lowest priority first, without duplicates."""
    scattered = [_global(wanted), _plugins(wanted), _project(wanted)]
    gathered = _gathered([source for found in scattered for source in found])
    kept = [source for source in gathered if not _excluded(source.path, wanted)]
    return order_by_priority(kept)


def order_by_priority(sources: Sequence[Source]) -> list[Source]:
    """Sort by priority, tier, depth and place; later ones override."""
    return sorted(
        sources, key=lambda s: (s.priority, TIERS.index(s.tier), s.depth, s.order, s.path)
    )


def candidates(wanted: DiscoveryRequest) -> list[str]:
    """Return every path where an instruction file would count, except in directories."""
    homes = wanted.homes
    found = [] if homes is None else places.global_files(homes, wanted.names, local=wanted.local)
    for depth, directory in enumerate(_way_down(wanted.root, wanted.cwd)):
        found += places.project_files(directory, wanted.names, depth=depth, local=wanted.local)
    found += places.top_files(wanted.root)
    return list(dict.fromkeys(source.path for source in found))


def run_concurrently(work: Callable[[T], R], things: Sequence[T], most: int) -> list[R]:
    """Run work for each item, `most` at a time; return the results in order."""
    if len(things) < _WORTH_THREADS:
        return [work(thing) for thing in things]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=most) as pool:
        return list(pool.map(work, things))


def _gathered(sources: list[Source]) -> list[Source]:
    """Return existing files without duplicates, keeping the higher priority."""
    by_path: dict[str, Source] = {}
    for source in sources:
        known = by_path.get(source.path)
        if known is None or known.priority < source.priority:
            by_path[source.path] = source
    there = run_concurrently(os.path.lexists, list(by_path), READS)
    return [source for source, is_there in zip(by_path.values(), there, strict=True) if is_there]


def _global(wanted: DiscoveryRequest) -> list[Source]:
    homes = wanted.homes
    if homes is None:
        return []
    found = places.global_files(homes, wanted.names, local=wanted.local)
    found += _entries(places.global_directories(homes))
    if wanted.auto:
        keys = wanted.keys or (wanted.root,)
        notes = _entries(places.auto_memory(homes, keys))
        found += [places.as_auto_memory(note) for note in notes]
    if wanted.agent and not set(wanted.agent) & set("/\\\0") and wanted.agent not in (".", ".."):
        found += places.agent_memory(homes, wanted.root, wanted.agent)
    return found


def _plugins(wanted: DiscoveryRequest) -> list[Source]:
    """`plugins/NAME/memory/*.md` of the project, one look per plugin."""
    top = os.path.join(wanted.root, "plugins")
    note = Source("", PLUGIN, REPOSITORY, PRIORITIES[PLUGIN])
    names = [name for name, is_directory in _listing(top) if is_directory]
    directories = [
        Directory(os.path.join(top, name, "memory"), ".md", note._replace(order=order))
        for order, name in enumerate(names[:_MOST_FILES])
    ]
    return _entries(directories)


def _project(wanted: DiscoveryRequest) -> list[Source]:
    found = places.top_files(wanted.root)
    directories = places.top_directories(wanted.root, wanted.team)
    ways = [wanted.cwd, *(os.path.dirname(path) for path in wanted.near)]
    levels: dict[str, int] = {}
    for end in ways:
        levels |= {directory: at for at, directory in enumerate(_way_down(wanted.root, end))}
    if wanted.search:
        depth = len(_way_down(wanted.root, wanted.cwd))
        below = _below(wanted, wanted.search)
        levels |= {directory: depth for directory in below if directory not in levels}
    for directory, depth in levels.items():
        found += places.project_files(directory, wanted.names, depth=depth, local=wanted.local)
        directories += places.project_directories(directory, depth=depth)
    return found + _entries(directories)


def _way_down(root: str, end: str) -> list[str]:
    """Return the directories from the root to `end`, or only the root if `end` is elsewhere."""
    if not is_within(end, root):
        return [root]
    way = [end]
    while way[-1] != root and len(way) < _MOST_LEVELS:
        way.append(os.path.dirname(way[-1]))
    return way[::-1]


def _below(wanted: DiscoveryRequest, most: int) -> list[str]:
    """Search directories breadth first, up to a limit, skipping excluded and linked ones."""
    found: list[str] = []
    level = [wanted.cwd]
    while level and len(found) < most:
        listings = run_concurrently(_listing, level, DIRECTORIES)
        following: list[str] = []
        for directory, entries in zip(level, listings, strict=True):
            paths = [os.path.join(directory, name) for name, is_dir in entries if is_dir]
            following += [path for path in paths if not _excluded(path, wanted)]
        level = [p for p in following if not os.path.islink(p)][: most - len(found)]
        found += level
    return found


def _entries(directories: Sequence[Directory]) -> list[Source]:
    """Return directories' instruction files, sorted by name, up to a limit."""
    found: list[Source] = []
    for directory in directories:
        paths = _files_in(directory.path, directory.suffix, _DEEPEST if directory.deep else 1)
        found += [directory.template._replace(path=path) for path in paths]
    return found


def _files_in(directory: str, suffix: str, levels: int) -> list[str]:
    found: list[str] = []
    waiting = [(directory, levels)]
    while waiting and len(found) < _MOST_FILES:
        path, left = waiting.pop(0)
        for name, is_directory in _listing(path):
            if is_directory:
                if left > 1 and len(waiting) < _MOST_FILES:
                    waiting.append((os.path.join(path, name), left - 1))
            elif name.endswith(suffix):
                found.append(os.path.join(path, name))
    return found[:_MOST_FILES]


def _listing(directory: str) -> list[tuple[str, bool]]:
    """Return the first thousand entries of a directory by name, and which are directories."""
    found: list[tuple[str, bool]] = []
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                found.append((entry.name, _is_directory(entry)))
                if len(found) >= _MOST_ENTRIES:
                    break
    except OSError:
        return []
    return sorted(found)


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _excluded(path: str, wanted: DiscoveryRequest) -> bool:
    """Return whether an exclusion names the file or a parent directory."""
    if not wanted.exclude or not is_within(path, wanted.root):
        return False
    below = os.path.relpath(path, wanted.root).replace(os.sep, "/")
    names = below.split("/")
    for pattern in wanted.exclude:
        if "/" in pattern or any(mark in pattern for mark in "*?["):
            if matches(below, pattern):
                return True
        elif pattern in names:
            return True
    return False
