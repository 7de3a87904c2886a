"""Queries an open project: its memories, or the tier a question belongs to."""

from __future__ import annotations

from satchel.application.recall.questions import (
    FAST,
    HYBRID,
    METHODS,
    SEMANTIC,
    Method,
    RecallRequest,
)
from satchel.application.recall.quoting import answers_little, stories_behind
from satchel.application.recall.search.every_store import recall
from satchel.core.errors import BadInputError, StoreAwayError
from satchel.engine.search.documents import Filter
from satchel.engine.search.records import StoredMemory
from satchel.features.memories.replacing import replacements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from satchel.application.recall.results import Answer, RecallHit
    from satchel.application.services import Services
    from satchel.features.memories.service import Memories

#: How much of a question its code is made from, in characters: more would take longer than the
#: search.
_CODED = 4000


def recall_memories(
    work: Services,
    question: str,
    *,
    limit: int = 0,
    only: Filter | None = None,
    task: str = "",
    method: str = "",
    weak: bool = False,
    unapproved: bool = False,
    partial: bool = False,
    rerank: bool = True,
) -> Answer:
    """Answer a question from all memories of the project and the user.

    Args:
        question: any text.
        limit: the most items; 0 for the setting.
        only: which memories to consider.
        task: prefer memories of this task.
        method: keyword, fast, hybrid or semantic; "" for the setting `recall.method`.
        weak: also return weak matches.
        unapproved: also search the repository's unapproved content, which is marked.
        partial: answer from this machine if the team's store does not; `missing` says so.
        rerank: rerank the results with the chosen reranker; False if the caller does.

    Raises `StoreAwayError` if the team's store does not answer and a partial answer is not
    accepted.
    """
    work.refresh()
    stores = work.memories.stores
    way = method_for(work, question, method)
    asking = RecallRequest(
        question,
        limit or work.project.settings.integer("recall.limit"),
        only or Filter(),
        scope=work.scope(task),
        pending=work.pending(),
        method=way if rerank else way._replace(rerank=None),
        weak=weak,
    )
    held = _held(work) if unapproved else []
    try:
        asked = stores.reachable() if partial else stores.every()
        answer = stores.retry_after_rebuild(lambda: _answered(asking, asked, held))
    except StoreAwayError as error:
        if not partial:
            raise
        here = stores.team_is_away(error)
        answer = stores.retry_after_rebuild(lambda: _answered(asking, here, held))
    states = work.branches.states([one.record for one in answer.items], wait=True)
    items = tuple(one._replace(branch=states.get(one.record.id)) for one in answer.items)
    return answer._replace(items=items, missing=stores.missing)


def _answered(asking: RecallRequest, stores: list[Memories], held: list[Memories]) -> Answer:
    answer = _later_first(recall(asking, [*stores, *held]), stores, asking.limit)
    items = stories_behind(answer.items, _is_checkpoint, _text_of)
    return answer._replace(items=tuple(items))


def _is_checkpoint(one: RecallHit) -> bool:
    return one.record.kind == "checkpoint"


def _text_of(one: RecallHit) -> str:
    return f"{one.record.title} {one.record.content}"


def _later_first(answer: Answer, stores: Sequence[Memories], limit: int) -> Answer:
    """Put replacements before the memories they replace, even if they did not match."""
    remembered = [StoredMemory(one.record, one.source) for one in answer.items]
    later: dict[str, StoredMemory] = {}
    for store in stores:
        later |= replacements(store, remembered)
    if not later:
        return answer._replace(items=_aside_last(answer.items))
    by_id = {one.record.id: one for one in answer.items}
    items: dict[str, RecallHit] = {}
    for one in answer.items:
        newer = later.get(one.record.id)
        if newer is not None:
            found = by_id.get(newer.record.id, one)
            taken = found._replace(record=newer.record, source=newer.source)
            items.setdefault(newer.record.id, taken)
            one = one._replace(replaced_by=newer.record.id)  # noqa: PLW2901 -- the same one, marked
        items.setdefault(one.record.id, one)
    return answer._replace(items=_aside_last(items.values())[:limit])


def _aside_last(items: Iterable[RecallHit]) -> tuple[RecallHit, ...]:
    """Put memories that the user took back, and bare requests, behind the others."""
    return tuple(sorted(items, key=lambda one: answers_little(one.record)))


def _held(work: Services) -> list[Memories]:
    held = work.memories.own.held
    return [held] if held.index.counts(held.view()) else []


def method_for(work: Services, question: str, name: str = "") -> Method:
    """Return the search method, with the code or vectors that it needs."""
    settings = work.project.settings
    name = name or settings.text("recall.method")
    if name not in METHODS:
        raise BadInputError(
            f"There is no method {name!r}.", hint=f"Methods are {', '.join(METHODS)}."
        )
    if name == FAST:
        table = work.models.table()
        return Method(name, b"" if table is None else table.code(question[:_CODED]))
    if name in (HYBRID, SEMANTIC):
        models = work.models
        return Method(
            name,
            vectors_of=models.vectors,
            expand=models.expansion(),
            rerank=models.reranking(),
            late=settings.text("model.rerank") != "none",
        )
    return Method(name)
