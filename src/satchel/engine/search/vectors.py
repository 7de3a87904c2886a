"""Vectors of documents under one model: kept as int8, found by their signs, scored exactly.

A row holds the vector of one passage. Questions are first compared with the signs of all vectors
(one XOR and a bit count each), then with the int8 values of the nearest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from satchel.engine.search.passages import PARTS
from satchel.engine.search.vector_scoring import (
    Floats,
    PassageBatch,
    VectorScoring,
    damaged,
    value_bytes,
)
from satchel.storage.database.queries import load_queries

if TYPE_CHECKING:
    from satchel.engine.inference.contracts import Embedder, Encoded
    from satchel.storage.database.contract import Database, Row, Value

#: How many vectors with the nearest signs to score exactly, per result wanted.
_RESCORED = 8
_PAGE = 20_000
_BATCH = 64
#: Most passages of one document to read in late interaction.
_READ_AGAIN = 2
#: A packed vector begins with its scale: the greatest value, at most 1, divided by 127.
_SCALE_BYTES = 4
_GREATEST_SCALE = 0.008


class Vectors(VectorScoring):
    """One index's vectors of one model.

    Args:
        database: the index's.
        embedder: makes vectors; its `identity` separates those of different models.
        static: makes codes of texts, for cold searches; None for no codes.
    """

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        static: Callable[[Sequence[str]], list[bytes]] | None = None,
    ) -> None:
        self.database = database
        self.embedder = embedder
        self._static = static
        self._sql = load_queries(__file__, "vectors.sql")
        self._model_id = self._known_model()
        self._numbers: NDArray[np.int64] = np.empty(0, np.int64)
        self._signs: NDArray[np.uint64] = np.empty((0, 0), np.uint64)

    def _known_model(self) -> int:
        identity = self.embedder.identity
        rows = self.database.read(self._sql["model_id"], (identity,))
        if rows and self.database.read(self._sql["model_in_use"]) == [(identity,)]:
            return _whole(rows[0][0])
        with self.database.transaction():
            rows = self.database.read(self._sql["model_id"], (identity,))
            number = (
                _whole(rows[0][0])
                if rows
                else self.database.write(self._sql["put_model"], (identity,))
            )
            # Another model than the last one, perhaps one of long ago: whatever it has no vectors
            # of waits for them.
            self.database.write(self._sql["use_model"], (identity,))
            for name in ("wait_no_more", "wait_again", "forget_pieces"):
                self.database.write(self._sql[name], (number,))
            return number

    # Embedding

    def waiting(self) -> int:
        """How many documents wait for their vectors."""
        return int(self.database.read(self._sql["waiting"])[0][0] or 0)

    def embed_waiting(self, *, most: int = _BATCH) -> int:
        """Embed the next documents; return how many, 0 if none is waiting for this model.

        The model runs outside of the transaction: nobody waits for it.
        """
        rows = self.database.read(self._sql["next_waiting"], (most,))
        if not rows:
            self._drop_others()
            return 0
        batch = PassageBatch()
        for doc_id, title, content, tags, deleted, before in rows:
            if not deleted:
                text = " ".join((str(content), str(tags))).strip()
                batch.add(int(doc_id or 0), str(title), text, str(before or ""))
        encoded = self._encode(batch.texts, batch.contexts)
        codes = self._static(batch.whole) if self._static else []
        with self.database.transaction():
            if self.database.read(self._sql["model_in_use"]) != [(self.embedder.identity,)]:
                return 0  # while the model ran, documents began to wait for another one
            for number, one in zip(batch.numbers, encoded, strict=True):
                vector = (number, self._model_id, pack(one.vector))
                self.database.write(self._sql["put_vector"], vector)
                if len(one.tokens):
                    signs = np.packbits(one.tokens > 0, axis=1).tobytes()
                    self.database.write(self._sql["put_tokens"], (number, self._model_id, signs))
            self._count_pieces(encoded)
            for doc_id, code in zip(batch.rows, codes, strict=False):
                self.database.write(self._sql["put_code"], (doc_id, code))
            self.database.write_many(self._sql["done_waiting"], [(row[0],) for row in rows])
        return len(rows)

    def _count_pieces(self, encoded: Sequence[Encoded]) -> None:
        counts = Counter(piece for one in encoded for piece in set(one.pieces))
        rows = [(self._model_id, piece, count) for piece, count in counts.items()]
        self.database.write_many(self._sql["count_piece"], rows)

    def _piece_counts(self, pieces: Sequence[int]) -> dict[int, int]:
        """The number of passages with each of some word pieces."""
        rows = self.database.read(self._sql["piece_counts"], (self._model_id, _json(pieces)))
        return {_whole(row[0]): _whole(row[1]) for row in rows}

    def _drop_others(self) -> None:
        """Remove vectors of earlier models, a few at a time: a big delete would hold the lock.

        Not if another process has switched models meanwhile: its vectors, perhaps old ones, are in
        use now, and nothing would rebuild them.
        """
        with self.database.transaction():
            if self.database.read(self._sql["model_in_use"]) == [(self.embedder.identity,)]:
                for name in ("drop_others", "drop_other_tokens"):
                    self.database.write(self._sql[name], (self._model_id, 5 * _PAGE))

    def held(self) -> tuple[int, int]:
        """The number of documents with vectors of this model, and the vectors' bytes."""
        row = self.database.read(self._sql["vector_count"], (self._model_id,))[0]
        return int(row[0] or 0), int(row[1] or 0)

    # Searching

    def _passage_count(self) -> int:
        self._load()
        return len(self._numbers)

    def nearest(
        self, vector: Floats, count: int, allowed: Sequence[int] | None = None
    ) -> dict[int, float]:
        """Cosines of the documents nearest to a unit vector [dimensions], by row.

        A document counts as its best passage. `allowed`: rows to choose from; None for all.
        """
        self._load()
        if not len(self._numbers) or count <= 0:
            return {}
        differ = np.bitwise_count(self._signs ^ _sign_words(vector[None]))
        distances = differ.sum(axis=1, dtype=np.int32)
        numbers = self._numbers
        if allowed is not None:
            mask = np.isin(numbers // PARTS, np.asarray(allowed, np.int64))
            distances, numbers = distances[mask], numbers[mask]
        wanted = min(len(numbers), count * _RESCORED)
        if wanted < len(numbers):
            numbers = numbers[np.argpartition(distances, wanted - 1)[:wanted]]
        scores = self._scored("vectors_of", vector, numbers.tolist())
        best = sorted(scores.items(), key=lambda pair: -pair[1])
        return dict(best[:count])

    def cosines(self, vector: Floats, rows: Iterable[int]) -> dict[int, float]:
        """Cosines of some documents with a unit vector, by row."""
        return self._scored("parts_of", vector, list(rows))

    def near_duplicates(self, rows: Sequence[int], alike: float) -> set[int]:
        """Rows whose first passage has at least this cosine with that of an earlier row."""
        numbers = [row * PARTS for row in rows]
        found = self.database.read(self._sql["vectors_of"], (self._model_id, _json(numbers)))
        if not found:
            return set()
        values, scales = unpack([value_bytes(row[1]) for row in found])
        unit = values.astype(np.float32) * scales[:, None]
        place = {row: n for n, row in enumerate(rows)}
        order = np.argsort([place[int(row[0] or 0) // PARTS] for row in found])
        near = np.triu(unit[order] @ unit[order].T >= alike, k=1).any(axis=0)
        return {int(found[order[n]][0] or 0) // PARTS for n in np.flatnonzero(near).tolist()}

    def _token_rows(self, vector: Floats, rows: list[int]) -> list[Row]:
        """Token codes of the best passages of some documents: row * PARTS + part, signs."""
        numbers = self._best_passages(vector, rows)
        return self.database.read(self._sql["tokens_of"], (self._model_id, _json(numbers)))

    def _scored(self, query: str, vector: Floats, numbers: list[int]) -> dict[int, float]:
        scores: dict[int, float] = {}
        for number, cosine in self._passages(query, vector, numbers):
            doc_id = number // PARTS
            scores[doc_id] = max(cosine, scores.get(doc_id, -1.0))
        return scores

    def _passages(
        self, query: str, vector: Floats, numbers: list[int]
    ) -> Iterator[tuple[int, float]]:
        """Cosines of single passages, by their number."""
        rows = self.database.read(self._sql[query], (self._model_id, _json(numbers)))
        if not rows:
            return iter(())
        values, scales = unpack([value_bytes(row[1]) for row in rows])
        if values.shape[1] != len(vector):
            raise damaged()
        cosines = (values.astype(np.float32) @ vector) * scales
        return zip((int(row[0] or 0) for row in rows), cosines.tolist(), strict=True)

    def _best_passages(self, vector: Floats, rows: list[int]) -> list[int]:
        """The numbers of each document's passages that late interaction reads."""
        ordered = sorted(self._passages("parts_of", vector, rows), key=lambda pair: -pair[1])
        taken: Counter[int] = Counter()
        chosen = []
        for number, _ in ordered:
            taken[number // PARTS] += 1
            if taken[number // PARTS] <= _READ_AGAIN:
                chosen.append(number)
        return sorted(chosen)

    def _load(self) -> None:
        """Read the signs of vectors added since the last time. Numbers only grow."""
        after = int(self._numbers[-1]) if len(self._numbers) else -1
        numbers, signs = [self._numbers], [self._signs]
        while True:
            rows = self.database.read(self._sql["vectors_after"], (self._model_id, after, _PAGE))
            if not rows:
                break
            values, _ = unpack([value_bytes(row[1]) for row in rows])
            page = np.array([row[0] for row in rows], np.int64)
            # A damaged table can lead back to rows that were read: they would never end.
            if not (np.diff(page, prepend=after) > 0).all():
                raise damaged()
            numbers.append(page)
            signs.append(_sign_words(values))
            after = int(page[-1])
        if len(numbers) > 1:
            self._numbers = np.concatenate(numbers)
            self._signs = np.concatenate([part for part in signs if len(part)])


def pack(vector: Floats) -> bytes:
    """Convert a vector to its scale (float32) and int8 values, 1 byte per dimension."""
    scale = max(float(np.abs(vector).max()), 1e-12) / 127.0
    values = np.clip(np.rint(vector / scale), -127, 127).astype(np.int8)
    return bytes(np.float32(scale).tobytes()) + bytes(values.tobytes())


def unpack(blobs: Sequence[bytes]) -> tuple[NDArray[np.int8], Floats]:
    """Return int8 values [n, dimensions] and scales [n] of packed vectors.

    Raises:
        NotReadableError: a disk or another program has changed them.
    """
    sizes = set(map(len, blobs))
    if len(sizes) != 1 or min(sizes) <= _SCALE_BYTES:
        raise damaged()
    raw = np.frombuffer(b"".join(blobs), np.uint8).reshape(len(blobs), -1)
    scales = raw[:, :_SCALE_BYTES].copy().view(np.float32)[:, 0]
    # No value of a unit vector is above 1. A comparison with NaN is false.
    if not ((scales > 0) & (scales < _GREATEST_SCALE)).all():
        raise damaged()
    return raw[:, _SCALE_BYTES:].view(np.int8), scales


def _whole(value: Value) -> int:
    if not isinstance(value, int):
        raise damaged()
    return value


def _sign_words(vectors: NDArray[np.int8] | Floats) -> NDArray[np.uint64]:
    """Signs of vectors [n, dimensions], 64 to a word; the last word is padded with zeros."""
    signs = np.packbits(vectors > 0, axis=1)
    return np.pad(signs, ((0, 0), (0, -signs.shape[1] % 8))).view(np.uint64)


def _json(numbers: Iterable[int]) -> str:
    return f"[{','.join(map(str, numbers))}]"
