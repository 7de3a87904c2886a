"""Every statement of a project reads one partition: asked of the server's plans, statement by statement."""

import re
from collections.abc import Sequence
from pathlib import Path

import psycopg
import pytest

from conformance.stores import WordHashes
from integration.test_postgresql_pooling import open_memories
from satchel.core.clock import FixedClock
from satchel.engine.search.documents import Filter
from satchel.engine.search.team_index import TeamIndex
from satchel.features.access.audit import AuditEntry, AuditLog
from satchel.features.access.browser_sessions import BrowserSessions
from satchel.features.access.idempotency import RequestName, StoredResponse
from satchel.features.access.secrets import hash_of
from satchel.features.access.shared_idempotency import SharedIdempotency
from satchel.features.access.users import ANY, READER, UserStore
from satchel.project.server_database import SERVER, ServerDatabase
from satchel.project.server_documents import SharedDocuments
from satchel.project.server_ledgers import SharedLedger
from satchel.storage.database.contract import Row, Statement
from satchel.storage.database.postgresql import PostgresDatabase

pytest_plugins = ["postgresql_fixtures"]
#: How a plan names a partition of a table; its indexes are named so too.
_PARTITION = re.compile(r" on (\w+_p\d)\b")
_PLANNED = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")


class Planned(PostgresDatabase):
    """A database that remembers which partitions its statements are planned over."""

    seen: dict[str, set[str]]

    def _answers(self, asked: Sequence[Statement]) -> list[list[Row]]:
        for sql, values in asked:
            self._plan(sql, values)
        return super()._answers(asked)

    def _plan(self, sql: str, values: Sequence[object]) -> None:
        bare = "\n".join(line for line in sql.splitlines() if not line.startswith("--")).strip()
        if bare.startswith(_PLANNED):
            with psycopg.connect(self.url, cursor_factory=psycopg.RawCursor) as other:
                other.execute("SET search_path = satchel, public")
                plan = other.execute("EXPLAIN " + bare.replace("?", "$"), list(values)).fetchall()
                other.rollback()
            parts = {name[-2:] for line in plan for name in _PARTITION.findall(str(line[0]))}
            self.seen[" ".join(sql.split())[:200]] = parts


def planned(url: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    """Do what a project does in its life; return the partitions that each statement reads."""
    monkeypatch.setattr("integration.test_postgresql_pooling.PostgresDatabase", Planned)
    monkeypatch.setattr(Planned, "seen", {}, raising=False)
    memories = open_memories(url, str(folder))
    index, now = memories.index, memories.clock.now()
    assert isinstance(index, TeamIndex)
    made = [memories.remember(f"the quay {n} is swept", kind="decision") for n in range(4)]
    memories.edit(made[0].id, "the quay is swept at noon")
    memories.delete(made[1].id)
    vectors = index.vectors(WordHashes(), lambda texts: [b"\1" * 48] * len(texts))
    while vectors.embed_waiting():
        pass
    sources, only = memories.sources, Filter(kinds=("decision",), since=1)
    for question in ("quay swept", '"is swept" qua*'):
        assert index.search(question, sources, now=now, only=only)
    for few in (sources, sources[:1]):
        index.search("quay", few, now=now)
        index.live(few, now=now)
        index.counts(few, now=now)
    for text, count in (("at noon", 1), ("quay", 3), ("100%", 0)):
        assert len(index.live(sources, now=now, only=Filter(naming=text))) == count
    index.latest(sources)
    index.with_id(made[0].id[:6], sources)
    index.versions_with_id(made[0].id[:6], sources)
    index.history(made[0].identity, sources)
    index.replacing([made[0].id], sources, now=now)
    index.nearest_codes(b"\1" * 48, 5)
    index.code_likeness(b"\1" * 48, [1, 2])
    index.search_near("quay", b"\1" * 48, sources, now=now, limit=5, nearest=5, only=only)
    vectors.nearest(WordHashes().embed(["quay"])[0], 3)
    index.waits_for_vectors()
    index.vector_counts()
    index.hashes()
    index.damage()
    ledger = memories.ledgers.private("decision")
    ledger.look()  # type: ignore[attr-defined]
    raws = list(ledger.raws())  # type: ignore[attr-defined]
    ledger.append_lines(raws)  # type: ignore[attr-defined]
    index.rebuild()
    index.problems()
    index.database.close()
    serve(url, monkeypatch)
    return Planned.seen


def serve(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do what servers do for themselves."""
    monkeypatch.setattr("satchel.project.server_database.connect", lambda at, _: Planned(at))
    database, clock = ServerDatabase(url), FixedClock()
    book = UserStore(SharedLedger(database, "access", clock))
    book.add("ann", READER, ANY)
    assert book.with_hash(hash_of(book.issue("ann")))
    AuditLog(SharedLedger(database, "audit", clock)).note(AuditEntry("ann", "GET", "/", 200))
    sessions = BrowserSessions(SharedDocuments(database, SERVER, "session", 60))
    session = sessions.begin("token", "browser")
    assert sessions.token_of(session, "browser") == "token"
    sessions.end(session)
    answers = SharedDocuments(database, "one", "answer", 60)
    once = SharedIdempotency(lambda _: answers).once
    name = RequestName("one", "ann", "POST", "/memory", "key")
    for _ in range(2):
        assert once(name, "a", lambda _: StoredResponse(201, 1)).value == 1
    answers.renew("name", "me")
    answers.release("name", "me")
    answers.touch("name")
    database.close()


def test_every_statement_of_a_project_reads_one_partition(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = planned(postgresql_url, tmp_path, monkeypatch)
    assert sum(bool(parts) for parts in seen.values()) > 30
    assert {sql: parts for sql, parts in seen.items() if len(parts) > 1} == {}


def test_a_join_that_does_not_name_the_project_is_found_out(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    part = TeamIndex._part
    monkeypatch.setattr(
        TeamIndex,
        "_part",
        lambda self, name: part(self, name).replace("p.project = ?1", "p.project = d.project"),
    )
    seen = planned(postgresql_url, tmp_path, monkeypatch)
    assert [parts for parts in seen.values() if len(parts) > 1]
