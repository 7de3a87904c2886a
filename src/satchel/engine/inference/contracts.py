"""The interfaces of models. For type checkers only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

#: float32 rows.
Rows = npt.NDArray[np.float32]


class Encoded(NamedTuple):
    """An encoded text: its unit vector, its tokens' unit vectors, and their ids."""

    vector: Rows
    tokens: Rows
    pieces: tuple[int, ...]


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def identity(self) -> str:
        """Model, version and dimensions: vectors of different identities are not comparable."""

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        """Return unit vectors, float32 [texts, dimensions], in the order of the texts.

        Args:
            texts: what to embed; longer ones are truncated at the model's limit.
            query: whether the texts are questions, which some models want marked.

        Raises:
            ModelUnavailableError: the model is unreachable or answers wrongly.
        """


class Reranker(Protocol):
    """Scores how well texts answer a query."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return a score per text, higher is better; comparable only within one call.

        Raises:
            ModelUnavailableError: as with `Embedder.embed`.
        """


class Generator(Protocol):
    """Generates text."""

    def generate(self, prompt: str, *, max_tokens: int) -> str:
        """Return what the model generates for a prompt, up to a number of tokens.

        Raises:
            ModelUnavailableError: as with `Embedder.embed`.
        """
