"""Vectors of hashed words, without a model, for tests and measurements.

Every word has a fixed random vector, and a text's vector is their sum: texts that share words
are near each other, and nothing is known of meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

if TYPE_CHECKING:
    from satchel.engine.inference.contracts import Encoded, Rows


class HashedEmbedder:
    """A deterministic stand-in for a model.

    Args:
        dimensions: length of a vector.
    """

    def __init__(self, dimensions: int = 384) -> None:
        self.dimensions = dimensions
        self.identity = f"hashed words, {dimensions}"
        self._words: dict[str, tuple[int, Rows]] = {}

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        """Return unit vectors [texts, dimensions]."""
        del query
        return np.stack([one.vector for one in self.encode(texts)])

    def encode(self, texts: Sequence[str], *, contexts: Sequence[str] = ()) -> list[Encoded]:
        """Return vectors of texts and of their words."""
        from satchel.engine.inference.contracts import Encoded

        del contexts
        found = []
        for text in texts:
            words = [self._word(word) for word in text.lower().split()] or [self._word("")]
            tokens = np.stack([vector for _, vector in words])
            total = tokens.sum(axis=0)
            vector = total / max(float(np.linalg.norm(total)), 1e-12)
            found.append(Encoded(vector, tokens, tuple(number for number, _ in words)))
        return found

    def _word(self, word: str) -> tuple[int, Rows]:
        if word not in self._words:
            number = crc32(word.encode("utf-8", "replace"))
            vector = np.random.default_rng(number).standard_normal(self.dimensions)
            unit = (vector / np.linalg.norm(vector)).astype(np.float32)
            self._words[word] = (number >> 1, unit)
        return self._words[word]
