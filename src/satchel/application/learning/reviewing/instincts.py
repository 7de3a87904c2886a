"""Soft rules in a review: what accepting one does to the file and its history, and promotion."""

from __future__ import annotations

import os
import tempfile

from satchel.features.instincts.editing import added, promoted, pruned
from satchel.features.instincts.instinct_file import REVIEW, record
from satchel.features.instincts.values import CATEGORIES, SCOPES, Edit, NewInstinct
from satchel.features.proposals.values import REINFORCE, WITHDRAW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from satchel.application.services import Services
    from satchel.features.instincts.learning_note import Draft
    from satchel.features.instincts.service import ProjectInstincts
    from satchel.features.instincts.values import Instinct
    from satchel.features.notes.knowledge_base import AddedNote
    from satchel.features.proposals.edits import Change, Editor
    from satchel.features.proposals.values import Edit as Proposed

#: Names of the editors of structured files that `proposals` knows.
INSTINCT, PROMOTE = "instinct", "promote"


def editors_of(instincts: ProjectInstincts) -> dict[str, Editor]:
    """Return the file's editors: repeating a rule reinforces it instead of adding another."""

    def with_instinct(before: bytes | None, edit: Proposed) -> bytes:
        text = (before or b"").decode("utf-8", "surrogateescape")
        known = [one.rule for one in instincts.file.read(text).instincts]
        if edit.section == INSTINCT and edit.text in known:
            return before or b""  # made already
        made = _made(instincts, text, edit)
        return made.text.encode("utf-8", "surrogateescape")

    def with_promoted(before: bytes | None, edit: Proposed) -> bytes:
        text = (before or b"").decode("utf-8", "surrogateescape")
        ident, note = str((edit.data or {}).get("id")), edit.text
        if any(one.promoted == note for one in instincts.file.read(text).instincts):
            return before or b""  # made already
        return promoted(text, ident, note).text.encode("utf-8", "surrogateescape")

    def without_instinct(before: bytes | None, edit: Proposed) -> bytes:
        text = (before or b"").decode("utf-8", "surrogateescape")
        return _without(instincts, text, edit).text.encode("utf-8", "surrogateescape")

    return {
        INSTINCT: with_instinct,
        REINFORCE: with_instinct,
        WITHDRAW: without_instinct,
        PROMOTE: with_promoted,
    }


def note_history(instincts: ProjectInstincts, changes: Sequence[Change]) -> None:
    """Record how the accepted changes affected each soft rule."""
    for change in changes:
        if change.edit.section in (INSTINCT, REINFORCE, WITHDRAW):
            text = (change.before or b"").decode("utf-8", "surrogateescape")
            make = _without if change.edit.section == WITHDRAW else _made
            made = make(instincts, text, change.edit)
            instincts.file.ledger.append([record(one, source=REVIEW) for one in made.changes])


def _made(instincts: ProjectInstincts, text: str, edit: Proposed) -> Edit:
    data = edit.data or {}
    confidence = data.get("confidence")
    return added(
        text,
        NewInstinct(
            edit.text,
            confidence=float(confidence) if isinstance(confidence, int | float) else None,
            scope=_one_of(data.get("scope"), SCOPES, "project"),
            category=_one_of(data.get("category"), CATEGORIES, "convention"),
            source=str(data.get("source") or "")[:200],
        ),
        today=instincts.today,
    )


def _without(instincts: ProjectInstincts, text: str, edit: Proposed) -> Edit:
    """Remove a rule by its words, if it is still there."""
    shelf = instincts.file.read(text)
    said = [one.id for one in shelf.instincts if one.rule == edit.text]
    return pruned(text, said, today=instincts.today, good=True)


def _one_of(said: object, allowed: tuple[str, ...], otherwise: str) -> str:
    return str(said) if said in allowed else otherwise


def promote(work: Services, instinct: Instinct, draft: Draft, *, force: bool = False) -> AddedNote:
    """Write the approved note to the knowledge base, and mark the soft rule."""
    with tempfile.TemporaryDirectory(prefix="satchel-note-") as directory:
        note = os.path.join(directory, "note.md")
        sidecar = os.path.join(directory, "note.entities.yaml")
        for path, text in ((note, draft.note), (sidecar, draft.sidecar)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        with work.notes as notes:
            added = notes.add(note, sidecar=sidecar, force=force)
    work.instincts.note_promoted(instinct, added.id)
    return added
