"""Vectors of a team's store: half floats beside their documents, found by pgvector.

Implements `contracts.DocumentVectors`. With a model of 384 dimensions an HNSW index finds the
nearest; cosines are computed on the server, so that no vector is transferred.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from satchel.core.errors import StoreError
from satchel.engine.inference.contracts import Encoded
from satchel.engine.search.documents import Document
from satchel.engine.search.passages import PARTS
from satchel.engine.search.team.rows import array_of_numbers
from satchel.engine.search.vector_scoring import Floats, PassageBatch, VectorScoring
from satchel.storage.database.queries import load_queries

if TYPE_CHECKING:
    from satchel.engine.inference.contracts import Embedder
    from satchel.engine.search.source_reader import Parse
    from satchel.storage.database.contract import Row, TeamDatabase

_BATCH = 64
#: The dimensions of the HNSW index.
_INDEXED = 384
#: Up to this many documents of a project are compared one by one: exact, and faster than the index,
#: which covers other projects too.
EXACT = 20_000
#: Parts to fetch per document wanted: a document counts as its best part.
_PARTS_EACH = 2
_LEAST_EF, _MOST_EF = 100, 1000


class TeamVectors(VectorScoring):
    """One team project's vectors of one model.

    Args:
        database: the server.
        project: whose documents.
        parse: turns a line into a Document.
        embedder: makes vectors. Members may use different models: each has its own vectors.
        static: makes codes of texts, for cold searches; None for no codes.
        primary: the server for writes, if `database` is a replica.
    """

    database: TeamDatabase

    def __init__(
        self,
        database: TeamDatabase,
        project: str,
        parse: Parse,
        embedder: Embedder,
        static: Callable[[Sequence[str]], list[bytes]] | None = None,
        *,
        primary: TeamDatabase | None = None,
    ) -> None:
        self.primary = primary or database
        self.database = database
        self.project = project
        self.embedder = embedder
        self._static = static
        self._parse = parse
        self._sql = load_queries(__file__, "vectors.sql")
        self._size: int | None = None
        self._model_id = self._known_model()

    def _known_model(self) -> int:
        rows = self.database.read(self._sql["model_id"], (self.embedder.identity,))
        for _ in range(3):
            if rows:
                return int(rows[0][0] or 0)
            self.primary.write(self._sql["put_model"], (self.embedder.identity,))
            rows = self.primary.read(self._sql["model_id"], (self.embedder.identity,))
        raise StoreError("The team's store could not register another model.")

    # Embedding

    def waiting(self) -> int:
        """The number of documents waiting for vectors of this model."""
        return int(self.primary.read(self._sql["waiting"], self._mine)[0][0] or 0)

    def embed_waiting(self, *, most: int = _BATCH) -> int:
        """Embed the next documents; return how many, 0 if none is waiting.

        The model runs outside of the transaction: nobody waits for it.
        """
        rows = self.primary.read(self._sql["next_waiting"], (*self._mine, most))
        if not rows:
            return 0
        batch = PassageBatch()
        for number, raw, before in rows:
            document = self._parse(raw if isinstance(raw, bytes) else b"")
            if not isinstance(document, Document):
                document = Document("", "", "", ts=0, id="", rev=0, title="", content="", tags="")
            text = f"{document.content} {document.tags}".strip()
            batch.add(int(number or 0), document.title, text, str(before or ""))
        encoded = self._encode(batch.texts, batch.contexts)
        codes = self._static(batch.whole) if self._static else []

        def work(_: bool) -> int:  # noqa: FBT001
            self.primary.write_many(
                self._sql["put_vector"],
                [self._row(n, one) for n, one in zip(batch.numbers, encoded, strict=True)],
            )
            self._count_pieces(encoded)
            coded = [(row, f"x{code.hex()}") for row, code in zip(batch.rows, codes, strict=False)]
            self.primary.write_rows(self._sql["put_code"], coded, (self.project,))
            return len(rows)

        return self.primary.attempt(work)

    def _row(self, number: int, one: Encoded) -> tuple[str | int | bytes | None, ...]:
        doc, part = divmod(number, PARTS)
        signs = np.packbits(one.tokens > 0, axis=1).tobytes() if len(one.tokens) else None
        return (*self._mine, doc, part, len(one.vector), _spelled(one.vector), signs)

    def _count_pieces(self, encoded: Sequence[Encoded]) -> None:
        counts = Counter(piece for one in encoded for piece in set(one.pieces))
        # In order, so that two clients that count the same pieces do not deadlock.
        rows = [(*self._mine, int(piece), n) for piece, n in sorted(counts.items())]
        self.primary.write_many(self._sql["count_piece"], rows)

    def _piece_counts(self, pieces: Sequence[int]) -> dict[int, int]:
        rows = self.database.read(
            self._sql["piece_counts"], (*self._mine, array_of_numbers(pieces))
        )
        return {int(row[0] or 0): int(row[1] or 0) for row in rows}

    def _passage_count(self) -> int:
        return int(self.database.read(self._sql["passages"], self._mine)[0][0] or 0)

    def held(self) -> tuple[int, int]:
        """The number of documents with vectors of this model, and the vectors' bytes."""
        row = self.database.read(self._sql["vector_count"], self._mine)[0]
        return int(row[0] or 0), int(row[1] or 0)

    # Searching

    def nearest(
        self, vector: Floats, count: int, allowed: Sequence[int] | None = None
    ) -> dict[int, float]:
        """Cosines of the documents nearest to a unit vector [dimensions], by row.

        A document counts as its best part. `allowed`: rows to choose from; None for all.
        """
        if count <= 0 or (allowed is not None and not len(allowed)):
            return {}
        if allowed is not None:
            scores = self._among(vector, allowed)
            return dict(sorted(scores.items(), key=lambda pair: -pair[1])[:count])
        wanted = count * _PARTS_EACH
        asked = (*self._mine, _spelled(vector), wanted)
        if len(vector) == _INDEXED and self._is_large():
            ef = min(_MOST_EF, max(_LEAST_EF, wanted))
            rows = self.database.read(self._sql["near"], (*asked, str(ef)))
        else:
            rows = self.database.read(self._sql["near_any"], asked)
        return dict(list(_best(rows).items())[:count])

    def _is_large(self) -> bool:
        """Return whether the index is faster; decided once, as a project grows slowly."""
        if self._size is None:
            rows = self.database.read(self._sql["size"], (self.project,))
            self._size = int(rows[0][0] or 0) if rows else 0
        return self._size > EXACT

    def cosines(self, vector: Floats, rows: Iterable[int]) -> dict[int, float]:
        """Cosines of some documents with a unit vector, by row."""
        return self._among(vector, list(rows))

    def near_duplicates(self, rows: Sequence[int], alike: float) -> set[int]:
        """Rows whose first passage has at least this cosine with that of an earlier row."""
        found = self.database.read(
            self._sql["echoes"], (*self._mine, array_of_numbers(rows), alike)
        )
        return {int(row[0] or 0) for row in found}

    def _token_rows(self, vector: Floats, rows: list[int]) -> list[Row]:
        del vector
        found = self.database.read(self._sql["tokens_of"], (*self._mine, array_of_numbers(rows)))
        return [(int(number or 0) * PARTS, tokens) for number, tokens in found]

    def _among(self, vector: Floats, rows: Sequence[int]) -> dict[int, float]:
        values = (*self._mine, _spelled(vector), array_of_numbers(rows))
        return _best(self.database.read(self._sql["near_among"], values)) if rows else {}

    @property
    def _mine(self) -> tuple[str, int]:
        return (self.project, self._model_id)


def _best(rows: Sequence[Row]) -> dict[int, float]:
    scores: dict[int, float] = {}
    for row in rows:
        number, cosine = int(row[0] or 0), float(row[1] or 0.0)
        scores[number] = max(cosine, scores.get(number, -1.0))
    return scores


def _spelled(vector: Floats) -> str:
    return "[" + ",".join(format(float(value), ".5g") for value in vector) + "]"
