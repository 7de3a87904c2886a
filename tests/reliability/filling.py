"""Many memories at once, and quick stand-ins for models."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hashed_words import HashedEmbedder
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace

if TYPE_CHECKING:
    from satchel.engine.inference.contracts import Encoded


def fill(workspace: Workspace, contents: Sequence[str]) -> None:
    """Write many memories with one append: one for each would take most of a test."""
    ledger = workspace.memories.stores.ledgers.private("learned")
    ledger.append([Record(kind="learned", key=f"k{n}-{hash(text) & 0xFFFFFF:x}", content=text)
                   for n, text in enumerate(contents)])  # fmt: skip
    workspace.refresh()


class OtherModel(HashedEmbedder):
    """The same words with every vector turned round: far from those of the first model.

    Args:
        name: what its vectors are kept under.
    """

    def __init__(self, name: str = "another model") -> None:
        super().__init__()
        self.identity = name

    def encode(self, texts: Sequence[str], *, contexts: Sequence[str] = ()) -> "list[Encoded]":
        """Return vectors of texts and of their words."""
        found = super().encode(texts, contexts=contexts)
        return [one._replace(vector=-one.vector, tokens=-one.tokens) for one in found]


def use_model(workspace: Workspace, embedder: HashedEmbedder | None = None) -> None:
    """Let a quick stand-in take the place of the model that settings choose."""
    models = workspace.models
    models._embedder, models._opened = embedder or HashedEmbedder(), True
    models._vectors.clear()
