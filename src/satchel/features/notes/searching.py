"""Searches the indexes of notes: by words, vectors and the graph, fused by rank."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.errors import BadInputError
from satchel.core.values import NamedTuple
from satchel.engine.ranking.fusion import reciprocal_rank_fusion
from satchel.engine.search.catching_up import held_paths
from satchel.engine.search.documents import View
from satchel.engine.search.hybrid import HYBRID, KEYWORD, Query, Scored, search_documents
from satchel.engine.search.wordings import search_wordings
from satchel.features.notes.finding import (
    NoteMatch,
    NoteQuery,
    best_matches,
    each_once,
    later_first,
    reranked,
)
from satchel.features.notes.note_index import NoteIndex
from satchel.features.notes.note_indexes import NOTES, NoteIndexes
from satchel.features.notes.relevance import filter_relevant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from satchel.engine.search.contracts import DocumentVectors
    from satchel.features.notes.note_index import Progress
    from satchel.features.notes.relevance import Arm, Connected

#: Chunks to look at per requested file, and if files are filtered.
_CHUNKS, _FILTERED = 6, 60


class Findings(NamedTuple):
    """The result of a search.

    `mode` is the one that was used. `damaged` counts files that could not be read, `missing` those
    still found although out of sight; `waiting` texts have no vectors yet. `busy`: another process
    is indexing.
    """

    question: str
    mode: str
    items: tuple[NoteMatch, ...]
    damaged: int = 0
    missing: int = 0
    waiting: int = 0
    busy: bool = False


def search_notes(
    indexes: NoteIndexes,
    connect: Callable[[], Connected | None],
    asked: NoteQuery,
    progress: Progress | None = None,
) -> Findings:
    """Search the directories that a question names, in every index; see `NoteService`."""
    if not asked.question.strip():
        raise BadInputError("There is nothing to search for.", hint="Put the words in quotes.")
    by_path: dict[str, NoteMatch] = {}
    rankings: list[list[str]] = []
    findings = Findings(asked.question, asked.mode, ())
    for index in indexes.indexes():
        mine = [root.name for root in index.roots if root.name in asked.names]
        if not mine:
            continue
        updated = index.refresh_if_free(patience=indexes.patience, progress=progress)
        found, mode, waiting = _found(indexes, connect, index, asked, mine)
        by_path |= {one.path: one for one in found if one.path not in by_path}
        rankings.append([one.path for one in found])
        states = [state for state in index.status() if state.root.name in mine]
        # A file below two directories counts once.
        damaged = {one.path for state in states for one in state.damage}
        missing = {path for state in states for path in state.held}
        findings = findings._replace(
            mode=mode,
            damaged=findings.damaged + len(damaged),
            missing=findings.missing + len(missing),
            waiting=findings.waiting + waiting,
            busy=findings.busy or updated.busy,
        )
    # Ranks, not scores: those of two indexes cannot be compared.
    items = each_once(by_path, [path for path, _ in reciprocal_rank_fusion(rankings)])
    # Without vectors words answer alone.
    by_model = asked.rerank and findings.mode != KEYWORD
    rerank = indexes.models.reranking() if by_model else None
    if rerank is not None:
        items = reranked(asked.question, items, rerank)
    return findings._replace(items=tuple(later_first(items[: asked.limit])))


def _found(
    indexes: NoteIndexes,
    connect: Callable[[], Connected | None],
    index: NoteIndex,
    asked: NoteQuery,
    names: Sequence[str],
) -> tuple[list[NoteMatch], str, int]:
    chunks = asked.limit * (_FILTERED if asked.tags or asked.category else _CHUNKS)
    query = Query(asked.question, chunks, mode=asked.mode)

    def ask() -> tuple[list[Scored], DocumentVectors | None, Arm | None]:
        vectors = None if asked.mode == KEYWORD else indexes.vectors_of(index)
        view = View(index.sources(names), indexes.clock.now())
        arm = _arm(indexes, connect, index, asked, view)
        expand = None if arm is None else arm.expand
        others = None if vectors is None else indexes.models.expansion()

        def search(wording: str) -> list[Scored]:
            graph = expand if wording == asked.question else None
            said = query._replace(question=wording)
            return search_documents(index.index, view, said, vectors=vectors, expand=graph)

        return search_wordings(asked.question, others, search)[:chunks], vectors, arm

    scored, vectors, arm = index.retry_after_rebuild(ask)
    scored, ways = filter_relevant(
        asked.question, asked.mode, scored, vectors, arm, strict=asked.strict
    )
    found = best_matches(
        [(one.hit, one.score) for one in scored],
        held_paths(index.index.database),
        asked,
        indexes.project_name,
    )
    parts = {one.hit.path: one.parts for one in reversed(scored)}
    found = [one._replace(parts=parts[one.path], through=ways.get(one.path, ())) for one in found]
    if vectors is None:
        return found, KEYWORD, 0
    return found, asked.mode, vectors.waiting()


def _arm(
    indexes: NoteIndexes,
    connect: Callable[[], Connected | None],
    index: NoteIndex,
    asked: NoteQuery,
    view: View,
) -> Arm | None:
    """Return the graph's signal for a question; None without a graph."""
    connected = connect() if asked.mode == HYBRID and asked.names == NOTES else None
    if connected is None:
        return None
    directory = next((root.path for root in index.roots if root.name in NOTES), "")
    user = index is not indexes.indexes()[0]
    return connected.arm(index.index, asked.question, user=user, directory=directory, view=view)
