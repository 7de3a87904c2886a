"""The files that an accepted suggestion changes: read, replaced, and changed back."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence

from satchel.core.errors import BadInputError, ConflictError
from satchel.features.instructions.saving import with_entry
from satchel.features.proposals.edits import Editor, edited, without_change
from satchel.features.proposals.values import TAKE_OUT, WITHDRAW, Edit
from satchel.storage.files import open_file, replace_file

_LARGEST = 4 << 20
_NEW = 0o644


def contents_of(path: str) -> bytes | None:
    """Return a file's bytes, or None if it is missing. Raises `BadInputError` if too large."""
    try:
        with open_file(path) as file:
            data = file.read(_LARGEST + 1)
    except FileNotFoundError:
        return None
    if len(data) > _LARGEST:
        raise BadInputError(f"{path} is larger than {_LARGEST:,} bytes.", hint="Split it first.")
    return data


def write_file(path: str, data: bytes) -> None:
    """Replace a file atomically, keeping its mode."""
    try:
        mode = stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        mode = _NEW
    if contents_of(path) != data:
        replace_file(path, data, mode=mode)


def encoded(text: str | None) -> bytes | None:
    """Return the bytes of a text made by `decoded`."""
    return None if text is None else text.encode("utf-8", "surrogateescape")


def decoded(data: bytes | None) -> str | None:
    """Return bytes as a text that JSON can hold, whatever they are."""
    return None if data is None else data.decode("utf-8", "surrogateescape")


def with_list_item(before: bytes | None, edit: Edit) -> bytes:
    """Return a Markdown file with an edit's text as an item below its heading, if not there yet."""
    line = f"- {edit.text}".encode("utf-8", "surrogateescape")
    if before and any(one.rstrip(b"\r") == line for one in before.split(b"\n")):
        return before
    return with_entry(before or b"", edit.text, edit.section)


def without_edits(
    path: str, old: bytes | None, now: bytes, edits: Sequence[Edit], editors: Mapping[str, Editor]
) -> bytes:
    """Return a file without the changes of these edits, keeping others' later changes.

    Args:
        path: the file's path, for messages.
        old: its text before the edits; None if missing.
        now: its current text.
        edits: those of this file.
        editors: of structured files.

    Raises `ConflictError` if the changes cannot be separated.
    """
    after = old
    for edit in edits:
        if not _is_back(edit, old or b"", now, editors):
            after = edited(after, edit, editors)
    left = None if old is None or after is None else without_change(old, after, now)
    if left is None:
        raise ConflictError(
            f"{path} has been changed since; nothing was taken back.",
            hint="Remove the lines by hand, or use git.",
        )
    return left


def _is_back(edit: Edit, old: bytes, now: bytes, editors: Mapping[str, Editor]) -> bool:
    """Return whether somebody restored by hand what an edit removed."""
    if edit.section == WITHDRAW:
        return edited(now, edit, editors) != now
    if edit.operation != TAKE_OUT:
        return False
    before, today = old.splitlines(), now.splitlines()
    lines = edit.text.encode("utf-8", "surrogateescape").splitlines()
    return all(today.count(line) >= before.count(line) for line in lines)
