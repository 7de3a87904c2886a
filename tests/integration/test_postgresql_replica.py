"""A streaming replica answers questions through the same code, and never takes a write."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.stores import Store, WordHashes, fresh
from postgresql_server import Server, a_replica, a_server
from satchel.application.exchange.team import TeamExchange
from satchel.core.clock import FixedClock
from satchel.core.errors import NotWritableError
from satchel.engine.search.documents import View
from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.migrating import migrate
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.storage.ledger.record import Record
from satchel.testing import run_git
from satchel.workspace import Workspace


class Pair:
    """A server, the replica that follows it, and a database on both."""

    def __init__(self, primary: Server, replica: Server) -> None:
        self.primary, self.replica = primary, replica
        self.url = primary.database()
        database = PostgresDatabase(self.url, MAINTENANCE)
        migrate(database)
        database.close()

    @property
    def replica_url(self) -> str:
        return self.url.replace(self.primary.folder, self.replica.folder)

    def followed(self) -> float:
        """Wait until the replica has what the server has; return the seconds it took."""
        began = time.monotonic()
        primary, replica = (
            PostgresDatabase(self.url, MAINTENANCE),
            PostgresDatabase(self.replica_url, MAINTENANCE),
        )
        lsn = str(primary.read("SELECT pg_current_wal_lsn()::text")[0][0])
        sql = "SELECT pg_last_wal_replay_lsn() >= ?1::pg_lsn"
        while replica.read(sql, (lsn,)) != [(True,)]:
            assert time.monotonic() - began < 30, "the replica does not follow"
            time.sleep(0.01)
        primary.close()
        replica.close()
        return time.monotonic() - began


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[Server, Server]]:
    with a_server() as primary, a_replica(primary) as replica:
        yield primary, replica


@pytest.fixture
def pair(servers: tuple[Server, Server]) -> Pair:
    return Pair(*servers)


def test_a_replica_answers_what_the_server_answers(pair: Pair, tmp_path: Path) -> None:
    primary = Store("postgresql", str(tmp_path), pair.url)
    replica = Store("postgresql", str(tmp_path), pair.replica_url)
    writer = primary.open()
    for text in ("redis was dropped", "the queue moved to postgres", "lint before pushing"):
        writer.remember(text, kind="decision")
    vectors = primary.vectors(writer)
    assert pair.followed() < 10
    reader, now = fresh(replica.open()), primary.clock.now()
    seen = reader.index.vectors(WordHashes())
    for question in ("why redis", "pushing lint", "queue"):
        asked = vectors.encode_query(question).vector
        hits = [m.index.search(question, View(m.sources, now)) for m in (writer, reader)]
        assert [h.document for h in hits[0]] == [h.document for h in hits[1]]
        assert vectors.nearest(asked, 3) == seen.nearest(asked, 3)
    assert "a replica" in reader.index.database.engine()
    assert reader.index.problems() == []
    with pytest.raises(NotWritableError):
        reader.append([Record(kind="decision", content="not here")])
    primary.close()
    replica.close()


def test_a_workspace_reads_from_the_replica_and_writes_to_the_server(
    pair: Pair, tmp_path: Path
) -> None:
    root, home = str(tmp_path / "repo"), str(tmp_path / "home")
    os.makedirs(os.path.join(root, ".satchel"))
    os.makedirs(home)
    Path(root, ".satchel", "project.toml").write_text('[project]\nid = "01REPLICA"\n')
    for words in (("init", "-q"), ("add", "--all"), ("commit", "-q", "-m", "first")):
        run_git(root, *words)
    Path(home, "config.toml").write_text(
        f'[store]\nurl = "{pair.url}"\nreplica_url = "{pair.replica_url}"\nprojects = "*"\n'
    )
    with Workspace.open(root, home=home, clock=FixedClock()) as workspace:
        team = workspace.memories.stores.team
        assert team is not None
        assert team.reader.index.database is team.store.replica
        record = workspace.remember("the pump is primed by hand", kind="decision")
        pair.followed()
        found = workspace.recall("how is the pump primed").items
        assert [(one.record.id, one.source) for one in found] == [(record.id, "team")]
        workspace.memories.delete(record.id)
        pair.followed()
        assert workspace.recall("how is the pump primed").items == ()
        assert "a replica" in TeamExchange(workspace, team).status().replica


def test_while_the_server_is_down_the_replica_still_answers(pair: Pair, tmp_path: Path) -> None:
    primary = Store("postgresql", str(tmp_path), pair.url)
    primary.open().remember("known to both", kind="decision")
    pair.followed()
    primary.close()
    pair.primary.stop()
    try:
        reader = Store("postgresql", str(tmp_path), pair.replica_url)
        memories = fresh(reader.open())
        hits = memories.index.search("known", memories.view())
        assert [hit.document.content for hit in hits] == ["known to both"]
        reader.close()
    finally:
        pair.primary.start()
