"""Fetches files, or some of their lines, by path, docid or note id."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from satchel.core.errors import AmbiguousIdError, BadInputError, NotFoundError, NotReadableError
from satchel.core.plurals import counted
from satchel.core.redaction.redactor import redact
from satchel.core.values import NamedTuple
from satchel.engine.search.catching_up import held_paths
from satchel.engine.search.source_reader import LARGEST_FILE
from satchel.features.notes.note_index import NoteIndex
from satchel.storage.files import read_file

_SHORTEST = 4
_NEAR = 3


class FetchedLines(NamedTuple):
    """Lines of a file: `text` starts at line `first` of `lines`. Secrets are removed."""

    path: str
    docid: str
    first: int
    lines: int
    text: str


def find_file(
    indexes: Sequence[NoteIndex],
    given: str,
    by_id: Callable[[str], Sequence[str]],
    among: Sequence[str] | None = None,
) -> tuple[str, int, str]:
    """Return the path, the first line (0 for none) and the hash; see `resolve_path`.

    Args:
        among: names of the directories to look in; None for all.
    """
    contents, roots = dict[str, str](), dict[str, str]()
    for index in indexes:
        held = held_paths(index.index.database)
        names = [root.name for root in index.roots if among is None or root.name in among]
        sources = index.sources(names) if names else ()
        contents |= {one.path: held.get(one.path, "") for one in sources}
        roots |= {root.name: root.path for root in index.roots if root.name in names}

    def with_id(ident: str) -> list[str]:
        return [path for path in by_id(ident) if path in contents]

    path, line = resolve_path(given, contents, roots, with_id)
    return path, line, contents[path]


def resolve_path(
    given: str,
    contents: Mapping[str, str],
    roots: Mapping[str, str],
    by_id: Callable[[str], Sequence[str]],
) -> tuple[str, int]:
    """Return the path, and the first line in `path:12` (0 for none).

    Args:
        given: a path (absolute, relative to here, or to a collection, perhaps after its name), its
            end, `#docid`, or the id of a note.
        contents: path of every file that may be fetched -> hash of its content.
        roots: name of a collection -> its directory.
        by_id: paths of the notes with an id.
    """
    docid = given.removeprefix("#").lower()
    if len(docid) >= _SHORTEST and not docid.strip("0123456789abcdef"):
        held = sorted(path for path, content in contents.items() if content.startswith(docid))
        if len({contents[path] for path in held}) == 1:
            return held[0], 0
        if held:
            raise AmbiguousIdError(
                f"Several files begin with {given}: {', '.join(held[:_NEAR])}.",
                hint="Give more digits.",
            )
    path = _path_of(given, contents, roots)
    if path:
        return path, 0
    before, _, number = given.rpartition(":")
    if before and number.isascii() and number.isdigit() and len(number) < 9:  # noqa: PLR2004
        path = _path_of(before, contents, roots)
        if path:
            return path, int(number)
    ids = by_id(given)
    if ids:
        return ids[0], 0
    raise _not_found(given, contents)


def fetch_lines(path: str, content: str, *, first: int = 1, lines: int = 0) -> FetchedLines:
    """Read lines of a file; all of them from `first` if `lines` is 0."""
    text = redact(read_whole(path).decode("utf-8", "replace"))[0]
    every = text.splitlines()
    if first > max(1, len(every)):
        raise BadInputError(
            f"{path} has {counted(len(every), 'line')}; --from {first} is after its end.",
            hint="Leave --from out to begin at the first line.",
        )
    chosen = every[first - 1 : first - 1 + lines] if lines else every[first - 1 :]
    return FetchedLines(path, content[:6], first, len(every), "\n".join(chosen))


def read_whole(path: str) -> bytes:
    """Read an indexed file. Raises `NotReadableError` if it is missing."""
    if not os.path.isfile(path):
        raise NotReadableError(
            f"{path} is indexed but missing: its directory may not be mounted.",
            hint="`satchel docs status` tells more.",
        )
    if os.path.getsize(path) > LARGEST_FILE:
        raise BadInputError(f"{path} is larger than {LARGEST_FILE / 1e6:.0f} MB.")
    return read_file(path)


def _path_of(given: str, contents: Mapping[str, str], roots: Mapping[str, str]) -> str:
    candidates = [os.path.abspath(given)]
    candidates += [os.path.join(root, given) for root in roots.values()]
    name, _, rest = given.partition("/")
    if name in roots:
        candidates.append(os.path.join(roots[name], rest))
    for candidate in candidates:
        if os.path.normpath(candidate) in contents:
            return os.path.normpath(candidate)
    ends = [path for path in contents if path.endswith("/" + given.lstrip("/"))]
    if len(ends) > 1:
        raise AmbiguousIdError(
            f"Several files end in {given}: {', '.join(sorted(ends)[:_NEAR])}.",
            hint="Give more of the path, or a docid.",
        )
    return ends[0] if ends else ""


def _not_found(given: str, contents: Mapping[str, str]) -> NotFoundError:
    import difflib

    names: dict[str, str] = {}
    for path in sorted(contents):
        names.setdefault(os.path.basename(path).lower(), path)
    wanted = os.path.basename(given).lower()
    near = difflib.get_close_matches(wanted, names, n=_NEAR, cutoff=0.5)
    hint = f"Near it: {', '.join(names[name] for name in near)}." if near else ""
    return NotFoundError(
        f"No note or file of a collection is called {given[:200]}.",
        hint=hint or "`satchel docs status` shows what is indexed.",
    )
