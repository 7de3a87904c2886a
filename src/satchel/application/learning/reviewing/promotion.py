"""Promotes an approved soft rule to a note in the user's knowledge base."""

from __future__ import annotations

import os
import tempfile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services
    from satchel.features.instincts.learning_note import Draft
    from satchel.features.instincts.values import Instinct
    from satchel.features.notes.knowledge_base import AddedNote


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
