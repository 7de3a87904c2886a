"""Converts memories and notes to results of their tiers."""

from __future__ import annotations

import os

from satchel.application.recall.results import STRUCTURED, WARM, Result
from satchel.core.kinds import STRUCTURED as STRUCTURED_USE
from satchel.core.kinds import kinds_for
from satchel.core.trust import REPO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from satchel.application.recall.results import RecallHit
    from satchel.application.services import Services
    from satchel.features.notes.finding import NoteMatch

#: Kinds that The Foundation keeps in its structured tier.
STRUCTURED_KINDS = kinds_for(STRUCTURED_USE)
_TITLE = 160


def size_of(directory: str) -> int:
    """Return the size of a directory's files in bytes; 0 if it is missing."""
    try:
        with os.scandir(directory) as entries:
            return sum(entry.stat().st_size for entry in entries)
    except OSError:
        return 0


def note_path(below: str, directories: Sequence[str]) -> str:
    """Return the path of a note that the graph names relative to one of these directories."""
    paths = [os.path.join(directory, *below.split("/")) for directory in directories]
    return next((path for path in paths if os.path.isfile(path)), below)


def note_result(note: NoteMatch) -> Result:
    """Return a note, or a collection's file, as a result."""
    from satchel.features.notes.values import EPISODE

    later = note.fields.get("superseded_by")
    told = f"Superseded by {later}." if later else ""
    text = "\n".join(part for part in (told, note.key_insight, note.excerpt) if part)
    line = note.fields.get("line")
    place = f"{note.path}:{line}" if isinstance(line, int) else note.path
    return Result(
        WARM,
        note.where,
        note.title,
        text,
        place,
        score=note.score,
        parts=dict(note.parts),
        identity=note.path,
        story_of=str(note.fields.get("session") or "") if note.kind == EPISODE else "",
    )


def as_decided(work: Services, results: list[Result]) -> list[Result]:
    """Return notes, the episodes among them without what the person rejected since."""
    if not any(one.story_of for one in results):
        return results
    from satchel.features.proposals.queue import Queue
    from satchel.features.proposals.rejected import without_rejected_lessons
    from satchel.features.proposals.waiting import LEDGER

    if not work.project.has_log(LEDGER):
        return results
    every = Queue(work.project.log(LEDGER)).all()
    told = [
        one._replace(text=without_rejected_lessons(one.text, every)) if one.story_of else one
        for one in results
    ]
    # An episode that was found by nothing else says nothing.
    return [one for one in told if one.text or not one.story_of]


def memory_results(found: Iterable[RecallHit]) -> list[Result]:
    """Return memories as results of their tiers.

    A colleague's memory may have the key of one that this person never shared: both are results.
    """
    results: dict[str, Result] = {}
    for one in map(memory_result, found):
        name = f"{one.identity} {REPO}" if one.identity in results else one.identity
        results[name] = one._replace(identity=name)
    return list(results.values())


def memory_result(found: RecallHit) -> Result:
    """Return a memory as a result of its tier."""
    record = found.record
    tier = STRUCTURED if record.kind in STRUCTURED_KINDS else WARM
    return Result(
        tier,
        found.source,
        record.title or record.content[:_TITLE],
        text=record.content,
        place=record.id,
        at=record.when,
        score=found.score,
        parts=found.parts,
        identity=record.identity,
        story_of=record.session if record.kind == "checkpoint" else "",
        found=found,
    )
