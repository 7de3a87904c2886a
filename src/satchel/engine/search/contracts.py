"""The interfaces of an index and its vectors, in files and on a server. For type checkers only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from satchel.engine.inference.contracts import Embedder
from satchel.engine.search.catching_up import CatchUpReport
from satchel.engine.search.documents import EVERYTHING, CodedHits, Damage, Filter, Hit, Source, View
from satchel.engine.search.vector_scoring import Floats, QueryVectors
from satchel.storage.database.contract import Database

#: Makes codes of texts, for cold searches.
Static = Callable[[Sequence[str]], list[bytes]]


class DocumentVectors(Protocol):
    """One index's vectors of one model."""

    #: Called with the reason if a question could not be embedded.
    tell: Callable[[str], None] | None

    def waiting(self) -> int:
        """How many documents wait for their vectors."""

    def embed_waiting(self, *, most: int = 64) -> int:
        """Embed the next documents; return how many, 0 if none is waiting for this model."""

    def held(self) -> tuple[int, int]:
        """The number of documents with vectors of this model, and the vectors' bytes."""

    def encode_query(self, question: str) -> QueryVectors:
        """Encode a question: rare pieces of it count more in late interaction."""

    def least_cosine(self) -> float:
        """Cosine from which the nearest passage is more than chance; it grows with the store."""

    def nearest(
        self, vector: Floats, count: int, allowed: Sequence[int] | None = None
    ) -> dict[int, float]:
        """Cosines of the documents nearest to a unit vector [dimensions], by row."""

    def cosines(self, vector: Floats, rows: Iterable[int]) -> dict[int, float]:
        """Cosines of some documents with a unit vector, by row."""

    def near_duplicates(self, rows: Sequence[int], alike: float) -> set[int]:
        """Rows whose first passage has at least this cosine with that of an earlier row."""

    def late_interaction(self, asked: QueryVectors, rows: Iterable[int]) -> dict[int, float]:
        """MaxSim of a question with some documents, by row."""


class SearchIndex(Protocol):
    """Documents of some sources, searched by words. Only the given sources are visible."""

    @property
    def database(self) -> Database:
        """What holds the documents."""

    def changed(self, sources: Sequence[Source]) -> list[str]:
        """Sources that changed since they were indexed."""

    def catch_up(self, sources: Sequence[Source]) -> CatchUpReport:
        """Index whatever changed in the sources since last time."""

    def reindex(self, sources: Sequence[Source]) -> CatchUpReport:
        """Read all sources again, in one transaction: readers never see less."""

    def search(self, question: str, view: View, *, limit: int = 10) -> list[Hit]:
        """Find live documents with words of the question, best first (BM25)."""

    def search_near(
        self, question: str, code: bytes, view: View, *, limit: int, nearest: int
    ) -> CodedHits:
        """Search by words, and for the documents nearest to a code; one round trip on a server."""

    def documents_in_rows(self, numbers: Sequence[int], view: View) -> list[Hit]:
        """The live and visible ones of the documents in these rows, unordered."""

    def sees_all(self, sources: Sequence[Source]) -> bool:
        """Return whether no other source has documents."""

    def live_numbers(self, view: View) -> list[int]:
        """Rows of all live and visible documents."""

    def neighbours(
        self, numbers: Sequence[int], view: View, *, reach: int = 1
    ) -> list[tuple[int, int, Hit]]:
        """Documents within `reach` places of others in their thread: row, distance, neighbor."""

    def live(self, view: View, *, limit: int = EVERYTHING, start: int = 0) -> list[Hit]:
        """Live documents, newest first, skipping the first `start`."""

    def latest(
        self, sources: Sequence[Source], *, limit: int = EVERYTHING, only: Filter | None = None
    ) -> list[Hit]:
        """Return the newest version of everything, including deleted and expired."""

    def marks(self, prefix: str, sources: Sequence[Source], only: Filter) -> dict[str, str]:
        """Hash of everything not deleted, by identity after a prefix."""

    def history(self, identity: str, sources: Sequence[Source]) -> list[Hit]:
        """Every version of one thing, newest first."""

    def with_id(self, prefix: str, sources: Sequence[Source], *, limit: int = 20) -> list[Hit]:
        """Newest versions whose ids begin with `prefix`, live or not."""

    def versions_with_id(self, prefix: str, sources: Sequence[Source]) -> list[Hit]:
        """All versions whose ids begin with `prefix`, including replaced ones, newest first."""

    def replacing(self, ids: Sequence[str], view: View) -> list[Hit]:
        """Live documents whose `supersedes` field names one of these ids, oldest first."""

    def counts(self, view: View) -> dict[str, int]:
        """Live documents by kind."""

    def size(self) -> int:
        """The number of documents, counting every version, of any ledger."""

    def count_unshared(self, shared: Sequence[Source], view: View) -> int:
        """Count live documents, not marked private, that `shared` lacks in this version."""

    def vectors(self, embedder: Embedder, static: Static | None = None) -> DocumentVectors:
        """Open this index's vectors of a model."""

    def nearest_codes(self, code: bytes, count: int) -> dict[int, float]:
        """Share of equal bits of the nearest documents, by row."""

    def code_likeness(self, code: bytes, rows: list[int]) -> dict[int, float]:
        """Share of equal bits of some documents, by row."""

    def waits_for_vectors(self) -> bool:
        """Return whether any document has no vector yet."""

    def vector_counts(self) -> tuple[int, dict[str, int]]:
        """The number of documents waiting for vectors, and of vectors by model."""

    def damage(self) -> list[Damage]:
        """Every line that does not parse."""

    def hashes(self) -> dict[str, set[str]]:
        """Hashes of indexed documents by source path, for comparing with ledgers."""

    def problems(self) -> list[str]:
        """Errors found by the engine, and by comparing the word index with its documents."""

    def compact(self) -> None:
        """Remove deleted content from the file as well, if the engine keeps it."""
