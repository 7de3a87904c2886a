"""The approved guards as hooks read them: JSON in private state, derived, one part a work tree.

Holds compiled guards by digest, and for each work tree which of them its file brings, with the
stamp of the file that this was read from: another stamp, and it is read again.
"""

from __future__ import annotations

import os

from satchel.core import quick_json
from satchel.storage.locks import read_file, replace_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FORMAT = 2
_MOST_ROOTS = 200
_LARGEST = 32 * 1024 * 1024
Stamp = list[int]


def stamp_of(path: str) -> Stamp:
    """Return what tells one state of a file from another; [] where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return []
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]


def active_guards(path: str, root: str, stamp: Stamp | None) -> list[dict[str, Any]] | None:
    """Return the compiled guards of a work tree; None where its part is missing or out of date.

    Args:
        path: of the snapshot.
        root: of the work tree.
        stamp: of the file as it is; None takes what was read last.
    """
    document = _read(path)
    part = document["roots"].get(root)
    if not isinstance(part, dict) or stamp not in (None, part.get("stamp")):
        return None
    guards = document["guards"]
    found = [guards.get(digest) for digest in part.get("active", ())]
    return None if None in found else found


def write_part(path: str, root: str, stamp: Stamp, guards: list[dict[str, Any]]) -> None:
    """Write the part of one work tree. The caller holds the lock."""
    document = _read(path)
    roots = {where: part for where, part in document["roots"].items() if os.path.isdir(where)}
    roots.pop(root, None)
    roots = dict(list(roots.items())[-_MOST_ROOTS:])
    roots[root] = {"stamp": stamp, "active": [guard["digest"] for guard in guards]}
    known = {**document["guards"], **{guard["digest"]: guard for guard in guards}}
    used = {digest for part in roots.values() for digest in part["active"]}
    kept = {digest: guard for digest, guard in known.items() if digest in used}
    text = quick_json.dumps({"format": _FORMAT, "guards": kept, "roots": roots})
    replace_file(path, text.encode("utf-8"))


def _read(path: str) -> dict[str, Any]:
    empty: dict[str, Any] = {"guards": {}, "roots": {}}
    try:
        if os.path.getsize(path) > _LARGEST:
            return empty
        document = quick_json.loads(read_file(path).decode("utf-8"))
    except (OSError, ValueError):
        return empty
    whole = (
        isinstance(document, dict)
        and document.get("format") == _FORMAT
        and isinstance(document.get("guards"), dict)
        and isinstance(document.get("roots"), dict)
    )
    return document if whole else empty
