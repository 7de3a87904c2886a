"""The story of a note: how it came to be, what it names, and what names it."""

from __future__ import annotations

import os
import re

from satchel.application.outlet import Outlet
from satchel.application.thread.sessions import story_of
from satchel.application.thread.values import MemoryStory, NoteStory
from satchel.core.errors import BadInputError
from satchel.core.line_marks import is_telling
from satchel.features.notes.fetching import read_whole
from satchel.features.notes.reading import read_note, without_secrets
from satchel.features.thread.values import CERTAIN, CONFIDENCES, LIKELY, WROTE, Evidence, Link

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from satchel.application.services import Services
    from satchel.features.notes.values import LearningNote
    from satchel.features.thread.linking import Linker
    from satchel.storage.commits import Commit
    from satchel.storage.ledger.record import Record

#: Kinds of evidence: what a note says of itself; a memory that is made of it, anchored at it,
#: or names it.
NOTED, DERIVED, ANCHORED, NAMED = "noted", "derived", "anchored", "named"
#: Most memories of each sort, sessions, and lines of a note to look up.
_MOST, _SESSIONS, _LINES = 8, 3, 60
#: Ids of memories in a text, whole or as lists show them.
_MEMORY = re.compile(r"\b[0-9A-HJKMNP-TV-Z]{14,26}\b")


def read_story(work: Services, path: str) -> tuple[LearningNote, NoteStory]:
    """Read a note and its metadata, without secrets."""
    read = read_note(path, read_whole(path), strict=False)
    if isinstance(read, str):
        raise BadInputError(f"{path} cannot be read: {read}.")
    note = without_secrets(read)
    told = NoteStory(
        note.id,
        note.title,
        path,
        category=note.category,
        insight=note.key_insight,
        sure=note.confidence,
        created=note.text("created"),
        updated=note.text("updated"),
        author=note.text("author"),
        replaced_by=note.text("superseded_by"),
        unapproved=not Outlet(work).admits(path),
    )
    return note, told


def writers(linker: Linker, commit: Commit, path: str, links: Sequence[Link]) -> list[Link]:
    """Return the sessions that wrote a note's lines in the commit that added them, best first.

    Notes share headings and fields: a session that wrote less than half of the lines counts only if
    some of them are certainly its own, and then it is not certain for the whole note.
    """
    telling = [number for number, text in commit.added.get(path, ()) if is_telling(text)][:_LINES]
    wrote: dict[str, list[Link]] = {}
    for number in telling:
        for one in linker.origin(commit, path, number, links)[:1]:
            wrote.setdefault(one.session, []).append(one)
    found = []
    for lines in sorted(wrote.values(), key=len, reverse=True):
        best = min(lines, key=lambda one: CONFIDENCES.index(one.confidence))
        most = len(lines) * 2 >= len(telling)
        said = f"{len(lines)} of {len(telling)} lines of {path}"
        reasons = tuple(
            one._replace(detail=said) if one.kind == WROTE else one for one in best.evidence
        )
        if most or best.confidence == CERTAIN:
            sure = best.confidence if most else LIKELY
            found.append(best._replace(confidence=sure, evidence=reasons))
    return found[:_SESSIONS] or [*links[:_SESSIONS]]


def with_named_session(note: LearningNote, found: Sequence[Link]) -> tuple[Link, ...]:
    """Add the session that the note itself names; anyone who can write the note can write that."""
    provenance = note.fields.get("provenance")
    said = provenance.get("session") if isinstance(provenance, dict) else None
    session = str(said or note.fields.get("session") or "").strip()
    if not session:
        return tuple(found)
    own = Evidence(NOTED, os.path.basename(note.path))
    merged = [
        one._replace(evidence=(*one.evidence, own)) if one.session == session else one
        for one in found
    ]
    if any(one.session == session for one in found):
        return tuple(merged)
    return (*merged, Link(session, "", LIKELY, (own,)))


def text_of(note: LearningNote) -> str:
    """Return all of a note's text, including fields."""
    return f"{note.title}\n{note.fields}\n{note.body}"


def named_by(work: Services, note: LearningNote) -> tuple[MemoryStory, ...]:
    """Return the memories whose ids a note contains, in order."""
    idents = dict.fromkeys(_MEMORY.findall(text_of(note)))
    live = [*work.memories.own.live()] if idents else []
    found: dict[str, MemoryStory] = {}
    for ident in idents:
        for record in live:
            if record.id.startswith(ident):
                evidence = (Evidence(NAMED, os.path.basename(note.path)),)
                one = story_of(record)._replace(confidence=CERTAIN, evidence=evidence)
                found.setdefault(record.id, one)
    return tuple(found.values())[:_MOST]


def learnt_of(work: Services, note: LearningNote, told: Iterable[str]) -> tuple[MemoryStory, ...]:
    """Return live memories made from a note, anchored at it or naming it, newest last.

    Args:
        told: ids of memories to leave out.
    """
    known = set(told)
    found: list[tuple[Record, str, Evidence]] = []
    shown = path_inside(work, note.path) or note.path
    names = [re.compile(rf"(?<![\w/.-]){re.escape(one)}(?![\w-])") for one in (note.id, shown)]
    base = re.compile(rf"(?<![\w.-]){re.escape(os.path.basename(note.path))}(?![\w-])")
    for record in work.memories.own.live():
        why = None if record.id in known else _why(record, note, shown, names, base)
        if why is not None:
            found.append((record, *why))
    found.sort(key=lambda one: one[0].version)
    return tuple(
        story_of(record)._replace(confidence=confidence, evidence=(evidence,))
        for record, confidence, evidence in found[-_MOST:]
    )


def _why(
    record: Record,
    note: LearningNote,
    shown: str,
    names: Sequence[re.Pattern[str]],
    base: re.Pattern[str],
) -> tuple[str, Evidence] | None:
    """Return how certainly a memory is about a note, and the evidence; None if it is not."""
    if note.id in record.derived_from:
        return CERTAIN, Evidence(DERIVED, note.id)
    anchors = (record.data or {}).get("anchors")
    paths = [one.get("path") for one in anchors if isinstance(one, dict)] if anchors else []
    if shown in paths:
        return CERTAIN, Evidence(ANCHORED, shown)
    said = f"{record.title}\n{record.content}"
    for name in names:
        named = name.search(said)
        if named:
            return CERTAIN, Evidence(NAMED, named[0])
    # Files in different directories may have the same name.
    return (LIKELY, Evidence(NAMED, os.path.basename(note.path))) if base.search(said) else None


def path_inside(work: Services, path: str) -> str:
    """Return a note's path below the project's root; "" for one elsewhere."""
    root, full = os.path.realpath(work.project.place.root), os.path.realpath(path)
    return os.path.relpath(full, root) if full.startswith(root + os.sep) else ""
