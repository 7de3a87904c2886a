"""A skill in a client's folder: its SKILL.md and accompanying files."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from satchel.clients.settings_files import skills
from satchel.clients.settings_files.owned_parts import without_parts
from satchel.clients.settings_files.plan import FileChange, Plan, notes_on_link, read_or_none
from satchel.storage.safe_open import is_within


class Draft:
    """Collected edits of files; several edits of a file become one change."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._files: dict[str, tuple[bytes | None, bytes | None, list[str], list[str]]] = {}

    def edit(self, path: str, part: str, why: str, change: Callable[[bytes], bytes | None]) -> bool:
        """Edit a file's bytes (empty if it is new); return whether they changed.

        Raises:
            ConflictError: it cannot be changed safely.
        """
        known = self._files.get(path)
        before = known[0] if known else read_or_none(path)
        now = known[1] if known else before
        after = change(now or b"")
        if after == now or (now is None and after == b""):
            return False
        parts, reasons = (known[2], known[3]) if known else ([], [])
        self._files[path] = (before, after, [*parts, part], [*reasons, why])
        if not known:
            self.notes += notes_on_link(path)
        return True

    def add(self, plan: Plan) -> None:
        """Add another plan's changes, which concern other files."""
        for change in plan.changes:
            parts = list(change.parts)
            self._files[change.path] = (change.before, change.after, parts, [change.why])
        self.notes += plan.notes

    def plan(self) -> Plan:
        """Return all changes as a plan."""
        changes = [
            FileChange(
                path, before, after, "; ".join(dict.fromkeys(why)), tuple(dict.fromkeys(parts))
            )
            for path, (before, after, parts, why) in self._files.items()
            if before != after
        ]
        return Plan(tuple(changes), tuple(dict.fromkeys(self.notes)))


def put_skill(
    draft: Draft, client: str, path: str, wanted: bytes, files: Mapping[str, bytes]
) -> None:
    """Install or update a skill and its files, keeping edited ones."""
    standing: dict[str, str] = {}
    stays = False

    def change(raw: bytes) -> bytes:
        nonlocal standing, stays
        state = skills.state_of(raw, wanted) if raw else skills.STALE
        stays = state in (skills.FOREIGN, skills.EDITED)
        if state == skills.FOREIGN:
            draft.notes.append(f"{path} is another skill of that name; it stays")
        if state == skills.EDITED:
            draft.notes.append(f"{path} was edited by hand; it stays")
        standing = skills.files_of(raw)
        return raw if stays else wanted

    draft.edit(path, "skill", f"skill for {client}", change)
    if stays:
        return
    for below in dict.fromkeys((*files, *standing)):
        known, content = standing.get(below), files.get(below)
        _put_file(draft, client, path, below, known=known, wanted=content)


def remove_skill(draft: Draft, client: str, path: str) -> None:
    """Remove a skill and its files, keeping edited ones."""
    standing: dict[str, str] = {}

    def change(raw: bytes) -> bytes | None:
        nonlocal standing
        if raw and skills.state_of(raw) == skills.EDITED:
            draft.notes.append(f"{path} was edited by hand; it stays")
        left = without_parts(raw, path, ["skill"])
        standing = skills.files_of(raw) if left is None else {}
        return left

    draft.edit(path, "skill", f"no skill for {client}", change)
    for below, known in standing.items():
        _put_file(draft, client, path, below, known=known, wanted=None)


def _put_file(
    draft: Draft, client: str, skill: str, below: str, *, known: str | None, wanted: bytes | None
) -> None:
    """Write or remove a skill's file, unless it was edited."""
    folder = os.path.dirname(skill)
    path = os.path.join(folder, *below.split("/"))
    if not is_within(os.path.realpath(path), os.path.realpath(folder)):
        draft.notes.append(f"{path} leads out of its skill; it stays")
        return

    def change(raw: bytes) -> bytes | None:
        if raw in (wanted, b""):
            return wanted if wanted is not None else raw
        if skills.file_digest(raw) != known:
            draft.notes.append(f"{path} is not as it came with its skill; it stays")
            return raw
        return wanted

    draft.edit(path, "whole", f"skill for {client}", change)
