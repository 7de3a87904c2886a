"""Matches paths against globs: `*`, `?`, `[...]`, `**` over directories, `{a,b}`. Pure.

Takes time proportional to the product of both lengths at most, for any glob.
"""

from __future__ import annotations

_MOST_SPELLINGS = 64


def matches(path: str, glob: str) -> bool:
    """Return whether a path below the project, with slashes, matches a glob.

    A glob without a slash matches a name in any directory; one that ends in a slash, or names a
    directory, matches everything below it.
    """
    names = [name for name in path.replace("\\", "/").split("/") if name not in ("", ".")]
    return any(_match(names, _parts(spelled)) for spelled in _spellings(glob))


def _parts(glob: str) -> list[str]:
    parts = [part for part in glob.split("/") if part not in ("", ".")]
    if not parts:
        return []
    if "/" not in glob.strip("/") and not glob.startswith("/"):
        parts = ["**", *parts]
    return [*parts, "**"] if glob.endswith("/") else parts


def _match(names: list[str], parts: list[str]) -> bool:
    """Match names against parts, tracking the set of possible next parts."""
    if not parts:
        return False
    from fnmatch import fnmatchcase

    now = _with_skips({0}, parts)
    for name in names:
        then: set[int] = set()
        for at in now:
            if at == len(parts):
                if not any(mark in parts[-1] for mark in "*?["):
                    then.add(at)  # everything below the named directory
            elif parts[at] == "**":
                then.add(at)
            elif fnmatchcase(name, parts[at]):
                then.add(at + 1)
        now = _with_skips(then, parts)
        if not now:
            return False
    return len(parts) in now


def _with_skips(places: set[int], parts: list[str]) -> set[int]:
    """Add the parts reached if a `**` matches no directory."""
    found = set(places)
    for place in places:
        at = place
        while at < len(parts) and parts[at] == "**":
            at += 1
            found.add(at)
    return found


def _spellings(glob: str) -> list[str]:
    """Expand braces, to at most 64 patterns."""
    waiting, found = [glob], list[str]()
    while waiting and len(found) < _MOST_SPELLINGS:
        one = waiting.pop()
        start = one.find("{")
        end = _closing(one, start)
        if end < 0:
            found.append(one)
            continue
        for choice in _choices(one[start + 1 : end]):
            if len(waiting) < _MOST_SPELLINGS:
                waiting.append(one[:start] + choice + one[end + 1 :])
    return found


def _closing(text: str, start: int) -> int:
    if start < 0:
        return -1
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return at
    return -1


def _choices(inside: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for at, character in enumerate(inside):
        depth += (character == "{") - (character == "}")
        if character == "," and depth == 0:
            parts.append(inside[start:at])
            start = at + 1
    return [*parts, inside[start:]]
