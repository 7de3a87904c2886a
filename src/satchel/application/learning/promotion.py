"""Promoting a soft rule to a note of the person's knowledge base, once a person approved it."""

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
    """Write the note that was approved into the knowledge base, and mark the instinct."""
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
