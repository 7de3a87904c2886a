"""Embeds memories and calibrates their scores, now or in a background process."""

from __future__ import annotations

from satchel.core.errors import BusyError, NotWritableError
from satchel.core.kinds import kinds_with_prompt
from satchel.engine.search.documents import Filter
from satchel.engine.search.index import Index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from satchel.engine.models import EmbeddingReport, Models
    from satchel.features.memories.access import ProjectMemories
    from satchel.features.memories.service import Memories
    from satchel.features.memories.store import MemoryStores

    class HasMemories(Protocol):
        """An open project, as needed here."""

        @property
        def memories(self) -> ProjectMemories:
            """The memories."""


#: Seconds between two embedding processes.
_EVERY = 30.0


def embed(
    stores: MemoryStores,
    models: Models,
    *,
    patience: float = 0.0,
    progress: Callable[[int, int], None] | None = None,
) -> EmbeddingReport:
    """Embed memories without vectors; see `Models.embed`."""
    from satchel.engine.models import EmbeddingReport

    total = EmbeddingReport(0, 0)
    for store in stores.every():
        state = store.ledgers.state
        done = models.embed(store.index, state.lock("embed"), patience=patience, progress=progress)
        calibrate_anew(store, models)
        counts = (total.done + done.done, total.left + done.left)
        total = EmbeddingReport(*counts, total.busy or done.busy, total.why or done.why)
    return total


def calibrate_anew(store: Memories, models: Models) -> bool:
    """Measure the scores of unrelated prompts in a store that has changed much.

    Returns whether that was done. A team's store does not keep it, since hooks never query one.
    """
    from satchel.engine.search.calibration import calibrate, is_stale, keep

    if not isinstance(store.index, Index) or not is_stale(store.index.database):
        return False
    table = models.table()
    code = None if table is None else table.code
    try:
        learnt = calibrate(store.index, store.view(Filter(kinds=kinds_with_prompt())), code)
        keep(store.index.database, learnt)
    except (BusyError, NotWritableError):
        return False  # the next one does it
    return True


def embed_in_background(work: HasMemories) -> None:
    """Embed the rest in a background process, after one or two cheap checks."""
    stores = work.memories.stores
    project = stores.project
    if not project.settings.flag("embed.background"):
        return
    wanted = project.settings.text("model.embed") != "none"
    if any(_is_behind(store, wanted=wanted) for store in stores.every()):
        project.start_in_background("embed", project.state.lock("embed"), _EVERY)


def _is_behind(store: Memories, *, wanted: bool) -> bool:
    if wanted and store.index.waits_for_vectors():
        return True
    from satchel.engine.search.calibration import is_stale

    return isinstance(store.index, Index) and is_stale(store.index.database)
