"""Undoes an accepted suggestion's changes in a file's text. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satchel.core.errors import ConflictError
from satchel.features.proposals.edits import Editor, edited, without_change
from satchel.features.proposals.values import TAKE_OUT, WITHDRAW, Edit


def without_edits(
    path: str,
    old: bytes | None,
    now: bytes,
    edits: Sequence[Edit],
    editors: Mapping[str, Editor],
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
