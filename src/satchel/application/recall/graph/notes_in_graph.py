"""Maps notes to the knowledge graph's ids, and its answers to findings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from satchel.core.hashing import digest
from satchel.engine.search.documents import Hit
from satchel.features.graph.ingest import NOTE
from satchel.features.graph.searching import GraphAnswer, GraphHit
from satchel.features.graph.values import Cluster
from satchel.features.notes.finding import NoteMatch, NoteQuery, best_matches
from satchel.features.notes.reading import documents_of, read_note
from satchel.storage.files import read_file

COMMUNITY = "community"
_EXCERPT = 600


def starting_points(
    found: Iterable[NoteMatch], directories: Sequence[str]
) -> list[tuple[str, float]]:
    """Return findings by their note's id in the graph, with scores."""
    points = []
    for one in found:
        for directory in directories:
            below = os.path.relpath(one.path, directory)
            if not below.startswith(".."):
                points.append((NOTE + below.replace(os.sep, "/"), one.score))
                break
    return points


def notes_from_answer(
    answer: GraphAnswer, directories: Sequence[str], asked: NoteQuery
) -> list[NoteMatch]:
    """Return the notes and communities of an answer, in order.

    `heading` names the entities that led there.
    """
    found: dict[str, NoteMatch] = {}
    for number, hit in enumerate(answer.hits):
        if hit.cluster is not None:
            if not asked.tags and not asked.category:
                found[f"{COMMUNITY} {number}"] = _community(hit.cluster, hit.score)
            continue
        path = _path_of(hit, directories)
        one = _note(path, hit.score, asked) if path else None
        if one is not None:
            # A note in two places has one id.
            found.setdefault(one.id or path, one._replace(heading=" > ".join(hit.path)))
    return list(found.values())


def _path_of(hit: GraphHit, directories: Sequence[str]) -> str:
    if hit.memory is None or not hit.memory.id.startswith(NOTE):
        return ""
    below = hit.memory.id.removeprefix(NOTE).split("/")
    candidates = (os.path.join(directory, *below) for directory in directories)
    return next((path for path in candidates if os.path.isfile(path)), "")


def _note(path: str, score: float, asked: NoteQuery) -> NoteMatch | None:
    raw = read_file(path)
    note = read_note(path, raw, strict=False)
    documents = [] if isinstance(note, str) else documents_of(note)
    if not documents:
        return None
    hit = Hit(documents[0], score, "graph", path)
    # No question: a story is quoted from its beginning.
    found = best_matches(
        [(hit, score)], {path: digest(raw).hex()}, asked._replace(question="", limit=1)
    )
    return found[0] if found else None


def _community(cluster: Cluster, score: float) -> NoteMatch:
    return NoteMatch(
        id="",
        docid="",
        title=cluster.title,
        path="",
        where="graph",
        kind=COMMUNITY,
        score=score,
        heading="",
        excerpt=cluster.report[:_EXCERPT],
        fields={},
    )
