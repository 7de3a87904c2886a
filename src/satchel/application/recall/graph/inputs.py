"""The inputs of the knowledge graph: notes with their sidecars, and long-lived records."""

from __future__ import annotations

import os
from collections.abc import Iterator

from satchel.core.errors import BadInputError, StoreError
from satchel.core.hashing import digest
from satchel.core.kinds import KINDS
from satchel.core.redaction.redactor import redact_each
from satchel.engine.markdown.sidecars import LARGEST, sidecar_of
from satchel.engine.search.documents import Filter
from satchel.engine.search.source_reader import LARGEST_FILE
from satchel.features.graph.ingest import NOTE, RECORD, IngestedNote, ingest_note, ingest_record
from satchel.features.graph.knowledge_graph import KnowledgeGraph
from satchel.features.graph.service import Changes, GraphInputs
from satchel.features.memories.service import Memories
from satchel.features.memories.store import MemoryStores
from satchel.project.person import PersonStore
from satchel.project.store import ProjectStore
from satchel.storage.files import file_stamp, read_file, stamp_text
from satchel.storage.home_paths import solutions_of

_MOST_NOTES = 50_000
#: Of the project's records, only those that others may see: older graphs are redrawn.
_SHAREABLE = "shareable"
#: Kinds to draw from: lasting ones. The state of a session says nothing about the world.
_KINDS = tuple(
    k.name for k in KINDS.values() if k.long_lived and k.name not in ("checkpoint", "next_step")
)
#: Most records to look up one by one.
_FEW = 500
#: Records to search for secrets at once.
_CLEANED = 50


def open_graph(
    project: ProjectStore, person: PersonStore | None, stores: MemoryStores, *, wait: float = 30.0
) -> KnowledgeGraph:
    """Open the graphs of a project and the user, fed by their notes and memories.

    `wait` is how long to wait for another process that is drawing, in seconds.
    """
    from satchel.features.graph.knowledge_graph import KnowledgeGraph

    def inputs(user: bool) -> GraphInputs:  # noqa: FBT001 -- whose: a callback of the graph
        return _inputs(project, person, stores, user=user)

    return KnowledgeGraph(project, person, inputs, wait=wait)


def _inputs(
    project: ProjectStore, person: PersonStore | None, stores: MemoryStores, *, user: bool
) -> GraphInputs:
    """Stat all inputs of a graph without opening any."""
    if not user:
        directory, memories, state = solutions_of(project.tracked), stores.own, project.state
    elif person is None or stores.person is None:
        raise BadInputError("A team's server has no personal graph.")
    else:
        directory = person.knowledge_base(project.settings)
        memories, state = stores.person, person.state
    stores.catch_up(memories)
    notes = dict(note_marks(directory))
    marks = [f"{path}={mark}" for path, mark in sorted(notes.items())]
    marks += [f"{source.path}={mark_of(source.path)}" for source in memories.sources]
    marks += [mark_of(state.ledger("graph")), "" if user else _SHAREABLE]
    fingerprint = digest("\n".join(marks).encode("utf-8", "surrogateescape")).hex()
    # Others read the project's graph file too, so nothing private is drawn in it.
    only = Filter(kinds=_KINDS, shareable=not user)
    return GraphInputs(fingerprint, lambda held: _changes(held, directory, notes, memories, only))


def mark_of(path: str) -> str:
    """Return a value that distinguishes versions of a file without opening it."""
    return stamp_text(file_stamp(path)) or "-"


def note_marks(directory: str) -> Iterator[tuple[str, str]]:
    """Return the marks of every Markdown file below a directory. Links are not followed."""
    left = _MOST_NOTES
    for root, names, files in os.walk(directory):
        names[:] = sorted(n for n in names if not n.startswith(".") and n.isprintable())
        for name in sorted(files):
            # As for notes: unprintable names are not read (docs/notes.md).
            if name.endswith(".md") and name.isprintable() and left > 0:
                path = os.path.join(root, name)
                if os.path.islink(path) or not os.path.isfile(path):
                    continue
                left -= 1
                yield path, f"{mark_of(path)}|{mark_of(sidecar_of(path))}"


def _changes(
    held: dict[str, str], directory: str, notes: dict[str, str], memories: Memories, only: Filter
) -> Changes:
    """Compare marks with the drawn ones; only differing files are read."""
    paths = {NOTE + os.path.relpath(path, directory).replace(os.sep, "/"): path for path in notes}
    marks = memories.index.marks(RECORD, memories.sources, only)
    marks |= {ident: notes[path] for ident, path in paths.items()}
    changed = sorted(ident for ident, _ in marks.items() - held.items())
    drawn = [
        *(
            (one, _drawn_note(paths[one], one.removeprefix(NOTE), marks[one]))
            for one in changed
            if one in paths
        ),
        *_drawn_records({one for one in changed if one not in paths}, memories, only),
    ]
    return Changes(drawn, held.keys() - marks.keys())


def _drawn_note(path: str, ident: str, mark: str) -> IngestedNote | None:
    sidecar = sidecar_of(path)
    told = None
    try:
        beside = os.path.isfile(sidecar) and not os.path.islink(sidecar)
        if beside and os.path.getsize(sidecar) <= LARGEST:
            told = read_file(sidecar)
        elif beside:
            told = b"#" * (LARGEST + 1)
        if not os.path.isfile(path) or os.path.getsize(path) > LARGEST_FILE:
            return None
        modified = int(os.stat(path).st_mtime)
        return ingest_note(ident, mark, read_file(path), told, sidecar, modified=modified)
    except (OSError, StoreError):
        return None  # an unreadable note is skipped; the others are read


def _drawn_records(
    changed: set[str], memories: Memories, only: Filter
) -> Iterator[tuple[str, IngestedNote]]:
    """Draw the latest records: a few are looked up, many are read in full."""
    if len(changed) <= _FEW:
        found = (
            memories.index.history(ident.removeprefix(RECORD), memories.sources)[:1]
            for ident in sorted(changed)
        )
        hits = [hit for versions in found for hit in versions]
    else:
        hits = memories.index.latest(memories.sources, only=only)
    drawn = [one.document for one in hits if RECORD + one.document.identity in changed]
    for start in range(0, len(drawn), _CLEANED):
        some = drawn[start : start + _CLEANED]
        texts = redact_each([text for one in some for text in (one.title, one.content)])
        for one, title, content in zip(some, texts[::2], texts[1::2], strict=True):
            cleaned = one._replace(title=title, content=content)
            yield RECORD + one.identity, IngestedNote(ingest_record(cleaned))
