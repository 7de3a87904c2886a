"""Approved guards as hooks read them: derived JSON in private state, one part per work tree.

Contains compiled guards by digest, and for each work tree those in its file, with the file's stamp:
if the stamp differs, the file is read again.
"""

from __future__ import annotations

import os

from satchel.core import quick_json
from satchel.core.values import Any
from satchel.storage.files import read_file, replace_file

_FORMAT = 2
_MOST_ROOTS = 200
_LARGEST = 32 * 1024 * 1024
Stamp = list[int]


def active_guards(path: str, root: str, stamp: Stamp | None) -> list[dict[str, Any]] | None:
    """Return a work tree's compiled guards; None if its part is missing or stale.

    Args:
        path: of the snapshot.
        stamp: of the current file; None uses the last content.
    """
    document = _read(path)
    part = document["roots"].get(root)
    if not isinstance(part, dict) or stamp not in (None, part.get("stamp")):
        return None
    guards = document["guards"]
    found = [guards.get(digest) for digest in part.get("active", ())]
    return None if None in found else found


def write_part(path: str, root: str, stamp: Stamp, guards: list[dict[str, Any]]) -> None:
    """Write a work tree's part. The caller holds the lock."""
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
