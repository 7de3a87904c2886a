"""Writes docs/CODEBASE_MAP.md when it is stale, without touching hand-written parts."""

from __future__ import annotations

import os

from satchel.core import times
from satchel.core.errors import ConflictError
from satchel.core.hashing import short_hash
from satchel.core.values import NamedTuple
from satchel.features.code.map.reading import Tree
from satchel.features.code.map.store import CodeStore
from satchel.features.code.map.text import sections
from satchel.storage.files import read_file, replace_file
from satchel.storage.tracked_files import TrackedFiles

BEGIN, END = "<!-- satchel:own-text:begin -->", "<!-- satchel:own-text:end -->"
_MARK = "generator: satchel code map"
_OTHERS = "written by something else; `satchel code map --force` keeps its text"
_INVITATION = "What you write between these two marks stays when the map is written again."
_FILE_MODE = 0o644
#: How far two clocks may differ, hours.
_SKEW = 1.0


class MapStatus(NamedTuple):
    """The result; `fresh` says whether the map is now recent enough."""

    path: str
    written: bool
    fresh: bool
    age_hours: float | None
    why: str


def age_of(path: str, now: float) -> float | None:
    """Return a map's age in hours by its own date; None if there is none.

    Negative if a clock was wrong when it was written.
    """
    made = _field(_text(path), "generated")
    then = times.seconds_of(made)
    return None if then is None else (now - then) / times.HOUR


def is_fresh(age: float | None, hours: float) -> bool:
    """Return whether a map is recent enough; a future date is not."""
    return age is not None and -_SKEW <= age < hours


def write_map(
    store: CodeStore,
    root: str,
    tracked: TrackedFiles,
    *,
    now: float,
    hours: float,
    force: bool,
    check: bool,
) -> MapStatus:
    """Write the map unless it is fresh.

    Raises `ConflictError` if something else wrote the existing file, unless `force`: then its text
    is kept as hand-written.
    """
    path = tracked.codebase_map
    shown = os.path.relpath(path, root).replace(os.sep, "/")
    old = _text(path)
    age = age_of(path, now)
    fresh, others = is_fresh(age, hours), bool(old) and _MARK not in old
    if check or (fresh and not force):
        told = _OTHERS if others else _format_age(age, hours)
        return MapStatus(shown, False, fresh, age, told)
    if others and not force:
        raise ConflictError(
            f"{shown} was written by something else.",
            hint="`satchel code map --force` keeps its text, between two marks.",
        )
    body = _body(store, root)
    made = times.iso(int(now))
    head = (
        f"---\n{_MARK}\ngenerated: {made}\ncommit: {store.meta('head') or 'none'}\n"
        f"ttl_hours: {hours:g}\ncontent: {short_hash(body.encode())}\n---\n"
    )
    text = f"{head}# Codebase map\n\n{BEGIN}\n{_own_text(old)}\n{END}\n\n{body}"
    replace_file(path, text.encode("utf-8", "replace"), mode=_FILE_MODE)
    same = _field(old, "content") == short_hash(body.encode())
    return MapStatus(shown, True, True, 0.0, "written; nothing has changed" if same else "written")


def _body(store: CodeStore, root: str) -> str:
    parts = sections(store, Tree(root))
    return "\n".join(f"## {title}\n\n{text}" for title, text in parts)


def _text(path: str) -> str:
    return read_file(path).decode("utf-8", "replace")


def _format_age(age: float | None, hours: float) -> str:
    if age is None:
        return "there is none; `satchel code map` writes one"
    if age < -_SKEW:
        return "stale: it claims to have been written in the future"
    state = "fresh" if is_fresh(age, hours) else "old"
    return f"{state}: written {age:.1f} h ago, counts as fresh for {hours:g} h"


def _field(text: str, name: str) -> str:
    if not text.startswith("---\n"):
        return ""
    for line in text[4:].split("\n---", 1)[0].splitlines():
        key, colon, value = line.partition(":")
        if colon and key.strip() == name:
            return value.strip()
    return ""


def _own_text(old: str) -> str:
    """Return the hand-written text: between the marks, or all of a file that is not ours."""
    if BEGIN in old and END in old.split(BEGIN, 1)[1]:
        return old.split(BEGIN, 1)[1].split(END, 1)[0].strip("\n")
    if old.strip() and _MARK not in old:
        return old.replace(BEGIN, "").replace(END, "").strip("\n")
    return _INVITATION
