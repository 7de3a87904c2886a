"""Models run by sentence-transformers or fastembed, if these packages are installed."""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Callable, Sequence
from typing import Any

from satchel.engine.inference.contracts import Rows
from satchel.engine.inference.failures import ModelUnavailableError

SENTENCE_TRANSFORMERS, FASTEMBED = "sentence-transformers", "fastembed"


def is_installed(package: str) -> bool:
    """Return whether the package is installed, without importing it (and torch)."""
    return importlib.util.find_spec(package.replace("-", "_")) is not None


def _open(package: str, name: str, load: Callable[[Any], Any]) -> Any:
    """Load a model with its package, which downloads it if needed."""
    try:
        module = importlib.import_module(package.replace("-", "_"))
    except ImportError:
        raise ModelUnavailableError(
            f"The package {package} is not installed.",
            hint=f"pip install {package}, or set `model.embed` to built-in.",
        ) from None
    try:
        return load(module)
    except (OSError, ValueError) as error:
        raise ModelUnavailableError(
            f"{package} could not load {name}: {error}",
            hint="Check the name, and that its files are here or can be downloaded.",
        ) from error


class SentenceTransformersEmbedder:
    """Embeds with a sentence-transformers model, loaded on first use.

    Args:
        model: a name on the Hugging Face hub, or a folder.
        query_prefix: prepended to texts that ask.
        document_prefix: prepended to texts that answer.
        dimensions: truncate vectors to this length; 0 keeps them whole.
    """

    package = SENTENCE_TRANSFORMERS

    def __init__(
        self, model: str, *, query_prefix: str = "", document_prefix: str = "", dimensions: int = 0
    ) -> None:
        self._name = model
        self._prefixes = {True: query_prefix, False: document_prefix}
        self._dimensions = dimensions
        self._opened: Any = None

    @property
    def identity(self) -> str:
        """Model, prefixes and dimensions."""
        marks = "".join(f"|{prefix}" for prefix in self._prefixes.values() if prefix)
        return f"{self.package}:{self._name}/{self.dimensions}{marks}"

    @property
    def dimensions(self) -> int:
        """Length of a vector; the first use loads the model."""
        return self._dimensions or int(self._model.get_sentence_embedding_dimension())

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        """Return unit vectors, float32 [texts, dimensions]."""
        import numpy as np

        rows = np.zeros((len(texts), self.dimensions), np.float32)
        prefix = self._prefixes[query]
        for place, row in enumerate(self._encoded([prefix + text for text in texts])):
            rows[place] = row
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        return rows

    def _encoded(self, texts: list[str]) -> Any:
        return self._model.encode(texts, batch_size=32, show_progress_bar=False)

    @property
    def _model(self) -> Any:
        if self._opened is None:
            self._opened = _open(self.package, self._name, self._load)
        return self._opened

    def _load(self, module: Any) -> Any:
        return module.SentenceTransformer(self._name, truncate_dim=self._dimensions or None)


class FastembedEmbedder(SentenceTransformersEmbedder):
    """Embeds with a model that fastembed lists."""

    package = FASTEMBED

    def __init__(self, model: str, *, threads: int = 0, **prefixes: str) -> None:
        super().__init__(model, **prefixes)  # type: ignore[arg-type]
        self._threads = threads
        os.putenv("ORT_DISABLE_TELEMETRY", "1")  # see built_in.py

    @property
    def dimensions(self) -> int:
        """Length of a vector; the first use loads the model."""
        if not self._dimensions:
            self._dimensions = len(next(iter(self._encoded(["satchel"]))))
        return self._dimensions

    def _encoded(self, texts: list[str]) -> Any:
        return self._model.embed(texts)

    def _load(self, module: Any) -> Any:
        return module.TextEmbedding(self._name, threads=self._threads or None)


class CrossEncoderReranker:
    """Reranks with a sentence-transformers cross-encoder, loaded on first use."""

    def __init__(self, model: str) -> None:
        self._name = model
        self._opened: Any = None

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the score per text."""
        if self._opened is None:
            self._opened = _open(
                SENTENCE_TRANSFORMERS, self._name, lambda module: module.CrossEncoder(self._name)
            )
        pairs = [(query, text) for text in texts]
        return [float(score) for score in self._opened.predict(pairs)] if pairs else []
