"""Models run by fastembed, if it is installed."""

from __future__ import annotations

import importlib
import importlib.util
import os

from satchel.engine.inference.failures import ModelUnavailableError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from satchel.engine.inference.contracts import Rows

PACKAGE = "fastembed"


def installed() -> bool:
    """Return whether the package is installed, without importing it."""
    return importlib.util.find_spec(PACKAGE) is not None


class FastembedEmbedder:
    """Embeds with a fastembed model, loaded (and downloaded if needed) on first use.

    Args:
        model: a name that fastembed lists.
        query_prefix: prepended to texts that ask.
        document_prefix: prepended to texts that answer.
        threads: how many it may use; 0 lets it choose.
    """

    def __init__(
        self, model: str, *, query_prefix: str = "", document_prefix: str = "", threads: int = 0
    ) -> None:
        self._name = model
        self._prefixes = {True: query_prefix, False: document_prefix}
        self._threads = threads
        os.putenv("ORT_DISABLE_TELEMETRY", "1")  # see built_in.py
        self._loaded: Any = None
        self._dimensions = 0

    @property
    def identity(self) -> str:
        """Model, prefixes and dimensions."""
        marks = "".join(f"|{prefix}" for prefix in self._prefixes.values() if prefix)
        return f"fastembed:{self._name}/{self.dimensions}{marks}"

    @property
    def dimensions(self) -> int:
        """Length of a vector; the first use loads the model."""
        if not self._dimensions:
            self._dimensions = len(next(iter(self._model().embed(["satchel"]))))
        return self._dimensions

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        """Return unit vectors, float32 [texts, dimensions]."""
        import numpy as np

        prefix = self._prefixes[query]
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        marked = [prefix + text for text in texts]
        for place, row in enumerate(self._model().embed(marked)):
            rows[place] = row
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        return rows

    def _model(self) -> Any:
        if self._loaded is None:
            try:
                package = importlib.import_module(PACKAGE)
            except ImportError:
                raise ModelUnavailableError(
                    "The package fastembed is not installed.",
                    hint="pip install fastembed, or set `model.embed` to built-in.",
                ) from None
            try:
                self._loaded = package.TextEmbedding(self._name, threads=self._threads or None)
            except (OSError, ValueError) as error:
                raise ModelUnavailableError(
                    f"fastembed could not load {self._name}: {error}",
                    hint="Check the name, and that its files are here or can be downloaded.",
                ) from error
        return self._loaded
