"""Asking one open project: of what was remembered, or of the tier that a question belongs to."""

from __future__ import annotations

from satchel.application.recall.later_first import later_first
from satchel.application.recall.questions import (
    FAST,
    HYBRID,
    METHODS,
    SEMANTIC,
    Method,
    RecallRequest,
)
from satchel.application.recall.search import recall
from satchel.core.errors import BadInputError, BusyError
from satchel.engine.search.documents import Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.recall.answers import Answer
    from satchel.application.services import Services
    from satchel.features.memories.service import Memories

#: Characters of a question that its code is made of: more would take longer than the search.
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
) -> Answer:
    """Answer a question from everything remembered here and by the person.

    Args:
        work: the open project.
        question: any text.
        limit: how many items; 0 for the setting.
        only: which memories to consider.
        task: prefer memories of this task.
        method: keyword, fast, hybrid or semantic; "" for the setting `recall.method`.
        weak: give matches too that only seem to answer.
        unapproved: from what the repository brings and nobody approved, too; it says so.
    """
    work.refresh()
    stores = work.memories.stores
    asking = RecallRequest(
        question,
        limit or work.project.settings.integer("recall.limit"),
        only or Filter(),
        work.scope(task),
        work.pending(),
        method_for(work, question, method),
        weak,
    )
    try:
        return stores.retry_after_rebuild(
            lambda: later_first(
                recall(asking, [*stores.every(), *(_held(work) if unapproved else ())]),
                stores.every(),
                asking.limit,
            )
        )
    except BusyError:
        if stores.team is None:
            raise
        return stores.retry_after_rebuild(lambda: recall(asking, stores.on_this_machine()))


def _held(work: Services) -> list[Memories]:
    held = work.memories.own.held
    return [held] if held.index.counts(held.sources, now=held.clock.now()) else []


def method_for(work: Services, question: str, name: str = "") -> Method:
    """Return how a question is asked, with the code or the vectors that it takes."""
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
