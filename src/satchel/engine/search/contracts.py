"""What an index and its vectors must answer, in files and on a server. For type checkers only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from satchel.engine.inference.contracts import Embedder
from satchel.engine.search.catching_up import CatchUpReport
from satchel.engine.search.documents import CodedHits, Damage, Filter, Hit, Source
from satchel.engine.search.vector_scoring import Floats, QueryVectors
from satchel.storage.database.contract import Database

#: Makes codes for cold searches out of texts.
Static = Callable[[Sequence[str]], list[bytes]]


class DocumentVectors(Protocol):
    """The vectors that one index holds of one model."""

    #: Is told why a question could not be asked by its vector.
    tell: Callable[[str], None] | None

    def waiting(self) -> int:
        """How many documents wait for their vectors."""

    def embed_waiting(self, *, most: int = 64) -> int:
        """Embed the next documents; return how many, 0 when none waits for this model."""

    def held(self) -> tuple[int, int]:
        """Documents that have vectors of this model, and bytes of those vectors."""

    def encode_query(self, question: str) -> QueryVectors:
        """Encode a question: rare pieces of it count more in late interaction."""

    def least_cosine(self) -> float:
        """Cosine from which the nearest passage is more than chance; it grows with the store."""

    def nearest(
        self, vector: Floats, count: int, allowed: Sequence[int] | None = None
    ) -> dict[int, float]:
        """Cosine of the documents nearest to a unit vector [dimensions], by row."""

    def cosines(self, vector: Floats, rows: Iterable[int]) -> dict[int, float]:
        """Cosine of some documents to a unit vector, by row."""

    def near_duplicates(self, rows: Sequence[int], alike: float) -> set[int]:
        """Rows whose first passage is at least so alike (cosine) to that of an earlier row."""

    def late_interaction(self, asked: QueryVectors, rows: Iterable[int]) -> dict[int, float]:
        """MaxSim of a question with some documents, by row."""


class SearchIndex(Protocol):
    """Documents of some sources, searched by words. Only those of the given sources are seen."""

    @property
    def database(self) -> Database:
        """What holds the documents."""

    def changed(self, sources: Sequence[Source]) -> list[str]:
        """Sources that are not indexed as they stand."""

    def catch_up(self, sources: Sequence[Source]) -> CatchUpReport:
        """Index whatever changed in the sources since last time."""

    def reindex(self, sources: Sequence[Source]) -> CatchUpReport:
        """Read all sources again, in one transaction: nobody sees less."""

    def search(
        self,
        question: str,
        sources: Sequence[Source],
        *,
        now: float,
        limit: int = 10,
        only: Filter | None = None,
    ) -> list[Hit]:
        """Find live documents that hold words of the question, best first (BM25)."""

    def search_near(
        self,
        question: str,
        code: bytes,
        sources: Sequence[Source],
        *,
        now: float,
        limit: int,
        nearest: int,
        only: Filter,
    ) -> CodedHits:
        """Search by words, and for so many documents nearest to a code; a server is asked once."""

    def documents_in_rows(
        self,
        numbers: Sequence[int],
        sources: Sequence[Source],
        *,
        now: float,
        only: Filter | None = None,
    ) -> list[Hit]:
        """Those of the documents in these rows that are live and visible, in no order."""

    def sees_all(self, sources: Sequence[Source]) -> bool:
        """Return whether these sources are all that hold anything."""

    def live_numbers(
        self, sources: Sequence[Source], *, now: float, only: Filter | None = None
    ) -> list[int]:
        """Rows of all live and visible documents."""

    def neighbours(
        self,
        numbers: Sequence[int],
        sources: Sequence[Source],
        *,
        now: float,
        reach: int = 1,
        only: Filter | None = None,
    ) -> list[tuple[int, int, Hit]]:
        """Documents within `reach` places of others in their thread: row, distance, neighbour."""

    def live(
        self,
        sources: Sequence[Source],
        *,
        now: float,
        limit: int = 1000,
        only: Filter | None = None,
        start: int = 0,
    ) -> list[Hit]:
        """Live documents, newest first; `start` of them are passed over."""

    def latest(
        self, sources: Sequence[Source], *, limit: int = 1000, only: Filter | None = None
    ) -> list[Hit]:
        """Return the newest version of everything, deleted and expired things too."""

    def marks(self, prefix: str, sources: Sequence[Source], only: Filter) -> dict[str, str]:
        """Hash of everything that was not deleted, by its identity behind a prefix."""

    def history(self, identity: str, sources: Sequence[Source]) -> list[Hit]:
        """Every version of one thing, newest first."""

    def with_id(self, prefix: str, sources: Sequence[Source], *, limit: int = 20) -> list[Hit]:
        """Newest versions whose id begins with `prefix`, live or not."""

    def versions_with_id(self, prefix: str, sources: Sequence[Source]) -> list[Hit]:
        """Every version whose id begins with `prefix`, replaced ones too, newest first."""

    def replacing(self, ids: Sequence[str], sources: Sequence[Source], *, now: float) -> list[Hit]:
        """Live documents whose field `supersedes` names one of these ids, oldest first."""

    def counts(
        self, sources: Sequence[Source], *, now: float, only: Filter | None = None
    ) -> dict[str, int]:
        """Live documents by kind."""

    def size(self) -> int:
        """How many documents there are, in every version, of any ledger."""

    def count_unshared(
        self, shared: Sequence[Source], sources: Sequence[Source], *, now: float, only: Filter
    ) -> int:
        """Count live documents, not marked private, that `shared` does not hold as they are."""

    def vectors(self, embedder: Embedder, static: Static | None = None) -> DocumentVectors:
        """Open the vectors that this index holds of a model."""

    def nearest_codes(self, code: bytes, count: int) -> dict[int, float]:
        """Share of equal bits of the nearest documents by row."""

    def code_likeness(self, code: bytes, rows: list[int]) -> dict[int, float]:
        """Share of equal bits of some documents, by row."""

    def waits_for_vectors(self) -> bool:
        """Return whether any document has no vector yet."""

    def vector_counts(self) -> tuple[int, dict[str, int]]:
        """How many documents wait for vectors, and how many vectors there are of each model."""

    def damage(self) -> list[Damage]:
        """Every line that does not parse."""

    def hashes(self) -> dict[str, set[str]]:
        """Hashes of indexed documents by path of their source, for comparing with ledgers."""

    def problems(self) -> list[str]:
        """What the engine, and the word index against its documents, find wrong."""

    def compact(self) -> None:
        """Take what is gone out of the file as well, where the engine keeps it."""
