"""Vectors of memories: made now, or left to a process of its own."""

from __future__ import annotations

from satchel.engine.models import EmbeddingReport

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from satchel.engine.models import Models
    from satchel.features.memories.store import MemoryStores

#: Seconds between two processes that make vectors.
_EVERY = 30.0


def embed(
    stores: MemoryStores,
    models: Models,
    *,
    patience: float = 0.0,
    progress: Callable[[int, int], None] | None = None,
) -> EmbeddingReport:
    """Embed the memories that have no vectors yet; see `Models.embed`."""
    total = EmbeddingReport(0, 0)
    for store in stores.every():
        state = store.ledgers.state
        done = models.embed(store.index, state.lock("embed"), patience=patience, progress=progress)
        counts = (total.done + done.done, total.left + done.left)
        total = EmbeddingReport(*counts, total.busy or done.busy, total.why or done.why)
    return total


def embed_in_background(stores: MemoryStores) -> None:
    """Leave vectors that are missing to a process of its own. It asks for little: one look."""
    project = stores.project
    none = project.settings.text("model.embed") == "none"
    if none or not project.settings.flag("embed.background"):
        return
    if any(store.index.waits_for_vectors() for store in stores.every()):
        project.start_in_background("embed", project.state.lock("embed"), _EVERY)
