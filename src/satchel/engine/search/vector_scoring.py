"""Scoring by vectors, independent of storage: encodes questions, reads documents' tokens."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from math import log
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from satchel.core.errors import NotReadableError
from satchel.engine.inference.contracts import Encoded
from satchel.engine.ranking.extreme_value import greatest_by_chance
from satchel.engine.search.passages import PARTS, passages, question_parts

if TYPE_CHECKING:
    from satchel.engine.inference.contracts import Embedder
    from satchel.storage.database.contract import Row, Value

Floats = NDArray[np.float32]

#: Cosines of unrelated texts: mean and spread with small sentence encoders, so that 9 of 10 nearest
#: neighbors of foreign questions stay below (docs/decisions/0013-search.md).
_MEAN, _SPREAD = 0.12, 0.09
#: Characters of preceding context that the model reads with a passage.
_CONTEXT = 240


@runtime_checkable
class _WithTokens(Protocol):
    def encode(self, texts: Sequence[str], *, contexts: Sequence[str] = ()) -> list[Encoded]: ...


class QueryVectors(NamedTuple):
    """A question: its unit vector, its tokens' unit vectors, and token weights."""

    vector: Floats
    tokens: Floats
    weights: Floats


class VectorScoring(ABC):
    """The computations shared by all vector stores, on the counts and codes they read."""

    embedder: Embedder
    #: Called with the reason if a question could not be embedded.
    tell: Callable[[str], None] | None = None

    @abstractmethod
    def _piece_counts(self, pieces: Sequence[int]) -> dict[int, int]:
        """The number of passages with each of some word pieces."""

    @abstractmethod
    def _passage_count(self) -> int:
        """The number of passages with vectors of this model."""

    @abstractmethod
    def _token_rows(self, vector: Floats, rows: list[int]) -> list[Row]:
        """Token codes of the best passages of some documents: row * PARTS + part, signs."""

    def _encode(self, texts: Sequence[str], contexts: Sequence[str]) -> list[Encoded]:
        if not texts:
            return []
        if isinstance(self.embedder, _WithTokens):
            return self.embedder.encode(texts, contexts=contexts)
        none = np.empty((0, 0), np.float32)
        return [Encoded(vector, none, ()) for vector in self.embedder.embed(texts)]

    def encode_query(self, question: str) -> QueryVectors:
        """Encode a question: rare pieces of it count more in late interaction."""
        if not isinstance(self.embedder, _WithTokens):
            parts = self.embedder.embed(question_parts(question), query=True)
            vector = parts.mean(axis=0) / max(float(np.linalg.norm(parts.mean(axis=0))), 1e-12)
            return QueryVectors(vector, np.empty((0, 0), np.float32), np.empty(0, np.float32))
        encoded, *others = self.embedder.encode(question_parts(question))
        vector = encoded.vector
        if others:
            vector = np.mean([vector, *(other.vector for other in others)], axis=0)
            vector /= max(float(np.linalg.norm(vector)), 1e-12)
            encoded = self.embedder.encode([question])[0]
        held = self._piece_counts(encoded.pieces)
        count = max(self._passage_count(), *held.values(), 1) if held else 1
        weights = np.array(
            [log(1 + count / (1 + held.get(piece, 0))) for piece in encoded.pieces], np.float32
        )
        total = float(weights.sum())
        return QueryVectors(vector, encoded.tokens, weights / total if total else weights)

    def least_cosine(self) -> float:
        """Cosine from which the nearest passage is more than chance; it grows with the store."""
        return greatest_by_chance(self._passage_count(), _MEAN, _SPREAD)

    def late_interaction(self, asked: QueryVectors, rows: Iterable[int]) -> dict[int, float]:
        """MaxSim of a question with some documents, by row.

        The weighted mean over the question's tokens of the best match among the document's tokens
        (Khattab and Zaharia, SIGIR 2020), the latter reduced to the signs of their vectors. Only
        the passages of a long document nearest to the question are read.
        """
        found = self._token_rows(asked.vector, list(rows)) if len(asked.tokens) else []
        if not found:
            return {}
        blobs = [value_bytes(row[1]) for row in found]
        dimensions = asked.tokens.shape[1]
        lengths = [len(blob) * 8 // dimensions for blob in blobs]
        if not all(lengths) or any(len(blob) * 8 % dimensions for blob in blobs):
            raise damaged()
        packed = np.frombuffer(b"".join(blobs), np.uint8).reshape(-1, dimensions // 8)
        # Bits stand for -1 and +1: a dot product is twice that of the bits minus the sum.
        bits = np.unpackbits(packed, axis=1).astype(np.float32)
        similarity = 2.0 * (bits @ asked.tokens.T) - asked.tokens.sum(axis=1)
        ends = np.concatenate(([0], np.cumsum(lengths)[:-1]))
        best = np.maximum.reduceat(similarity, ends, axis=0) @ asked.weights
        scores: dict[int, float] = {}
        for row, score in zip(found, (best / np.sqrt(dimensions)).tolist(), strict=True):
            doc_id = int(row[0] or 0) // PARTS
            scores[doc_id] = max(score, scores.get(doc_id, -1.0))
        return scores


class PassageBatch:
    """Passages of some documents, each with its preceding context."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.whole: list[str] = []
        self.numbers: list[int] = []
        self.texts: list[str] = []
        self.contexts: list[str] = []

    def add(self, doc_id: int, title: str, text: str, before: str) -> None:
        """Add a document; `before` is the preceding text in its thread."""
        self.rows.append(doc_id)
        self.whole.append(f"{title}\n{text}")
        for part, passage in enumerate(passages(title, text)):
            self.numbers.append(doc_id * PARTS + part)
            self.texts.append(passage)
            self.contexts.append(before[-_CONTEXT:])
            before = passage


def value_bytes(value: Value) -> bytes:
    """Return a value of a row that must be bytes; raise `NotReadableError` otherwise."""
    if not isinstance(value, bytes):
        raise damaged()
    return value


def damaged() -> NotReadableError:
    """Return the error for an impossible value: database pages have no checksums."""
    return NotReadableError("A vector of the index is damaged.")
