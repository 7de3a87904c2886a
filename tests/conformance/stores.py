"""The stores that one suite is run on, unchanged: files with SQLite, and PostgreSQL."""

import hashlib
from collections.abc import Sequence

import numpy as np

from satchel.core.clock import FixedClock
from satchel.engine.search.contracts import DocumentVectors, SearchIndex
from satchel.engine.search.index import Index
from satchel.engine.search.records import parse_line
from satchel.engine.search.team.index import TeamIndex
from satchel.engine.search.tokens import words_of
from satchel.engine.search.vector_scoring import Floats
from satchel.features.memories.contract import MemoryLedgers
from satchel.features.memories.ledgers import Ledgers
from satchel.features.memories.service import Limits, Memories
from satchel.features.memories.team_ledgers import TeamLedgers
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.storage.database.sqlite import SqliteDatabase
from satchel.storage.paths import UserHome

STORES = ("files", "postgresql")
DIMENSIONS = 384


class WordHashes:
    """An embedder without a model: every word has a direction, a text the mean of its words'."""

    identity = "test-word-hashes-384"
    dimensions = DIMENSIONS

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Floats:
        return np.array([self._one(text) for text in texts], np.float32)

    def _one(self, text: str) -> Floats:
        total = np.full(DIMENSIONS, 1e-3, np.float32)
        for word in words_of(text):
            seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4])
            total += np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)
        return total / np.linalg.norm(total)


class Store:
    """One kind of store; every client that opens a project sees the same memories."""

    def __init__(self, kind: str, folder: str, url: str) -> None:
        self.kind, self.folder, self.url = kind, folder, url
        self.clock = FixedClock()
        self._open: list[Memories] = []

    def open(self, project: str = "one") -> Memories:
        """Open a project as another process would."""
        state = UserHome(self.folder).project_state(project)
        if self.kind == "files":
            index: SearchIndex = Index(SqliteDatabase(state.index), parse_line)
            ledgers: MemoryLedgers = Ledgers(state, "", clock=self.clock)
        else:
            index = team = TeamIndex(PostgresDatabase(self.url, project), project, parse_line)
            ledgers = TeamLedgers(team, clock=self.clock, state=state)
        memories = Memories(ledgers, index, self.clock, Limits())
        self._open.append(memories)
        return memories

    def vectors(self, memories: Memories) -> DocumentVectors:
        """Vectors of every document, made by the deterministic embedder."""
        index, embedder = memories.index, WordHashes()
        vectors = index.vectors(embedder)
        while vectors.embed_waiting():
            pass
        return vectors

    def close(self) -> None:
        for memories in self._open:
            memories.ledgers.close()
            memories.index.database.close()


def fresh(memories: Memories) -> Memories:
    """Catch up, as whoever reads does. A store that is never behind does nothing."""
    memories.index.catch_up(memories.sources)
    return memories
