"""Models run by sentence-transformers, if it is installed."""

from __future__ import annotations

import importlib
import importlib.util

from satchel.engine.inference.failures import ModelUnavailableError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from satchel.engine.inference.contracts import Rows

PACKAGE = "sentence_transformers"


def installed() -> bool:
    """Return whether the package is installed, without importing it (and torch)."""
    return importlib.util.find_spec(PACKAGE) is not None


class SentenceTransformersEmbedder:
    """Embeds with a sentence-transformers model, loaded on first use.

    Args:
        model: a name of the Hugging Face hub, or a folder.
        query_prefix: prepended to texts that ask.
        document_prefix: prepended to texts that answer.
        dimensions: cut vectors to so many; 0 keeps them all.
    """

    def __init__(
        self,
        model: str,
        *,
        query_prefix: str = "",
        document_prefix: str = "",
        dimensions: int = 0,
    ) -> None:
        self._name = model
        self._prefixes = {True: query_prefix, False: document_prefix}
        self._cut = dimensions
        self._loaded: Any = None

    @property
    def identity(self) -> str:
        """Model, prefixes and dimensions."""
        marks = "".join(f"|{prefix}" for prefix in self._prefixes.values() if prefix)
        return f"sentence-transformers:{self._name}/{self.dimensions}{marks}"

    @property
    def dimensions(self) -> int:
        """Length of a vector; the first use loads the model."""
        return self._cut or int(self._model().get_sentence_embedding_dimension())

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        """Return unit vectors, float32 [texts, dimensions]."""
        import numpy as np

        prefix = self._prefixes[query]
        rows = self._model().encode(
            [prefix + text for text in texts],
            batch_size=32,
            show_progress_bar=False,
            normalize_embeddings=True,
        )
        return np.asarray(rows, np.float32).reshape(len(texts), self.dimensions)

    def _model(self) -> Any:
        if self._loaded is None:
            package = _package()
            try:
                self._loaded = package.SentenceTransformer(
                    self._name, truncate_dim=self._cut or None
                )
            except (OSError, ValueError) as error:
                raise _not_loaded(self._name, error) from error
        return self._loaded


class CrossEncoderReranker:
    """Reranks with a sentence-transformers cross-encoder, loaded on first use."""

    def __init__(self, model: str) -> None:
        self._name = model
        self._loaded: Any = None

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the score per text."""
        if self._loaded is None:
            package = _package()
            try:
                self._loaded = package.CrossEncoder(self._name)
            except (OSError, ValueError) as error:
                raise _not_loaded(self._name, error) from error
        pairs = [(query, text) for text in texts]
        return [float(score) for score in self._loaded.predict(pairs)] if pairs else []


def _package() -> Any:
    try:
        return importlib.import_module(PACKAGE)
    except ImportError:
        raise ModelUnavailableError(
            "The package sentence-transformers is not installed.",
            hint="pip install sentence-transformers, or set `model.embed` to built-in.",
        ) from None


def _not_loaded(name: str, error: Exception) -> ModelUnavailableError:
    return ModelUnavailableError(
        f"sentence-transformers could not load {name}: {error}",
        hint="Check the name, and that its files are here or the hub can be reached.",
    )
