"""A skill in a client's folder: its SKILL.md and accompanying files."""

import os
from collections.abc import Mapping

from satchel.clients.settings_files import skills
from satchel.clients.settings_files.owned_parts import without_parts
from satchel.clients.setup.draft import Draft
from satchel.storage.safe_open import is_within


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
