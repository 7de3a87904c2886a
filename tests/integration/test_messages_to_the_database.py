"""What a write sends to a team's database, and how soon a dead network is told from a slow write."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from integration.test_partitioned_server import wired
from integration.test_postgresql_moving import satchel
from integration.test_postgresql_pooling import open_memories, url_at
from integration.test_team_serving import repository as repository  # noqa: PLC0414 -- a fixture
from postgresql_server import Server
from satchel.core.clock import FixedClock
from satchel.core.errors import NotWritableError
from satchel.engine.search.documents import Filter, View
from satchel.features.access.audit import AuditEntry, AuditLog
from satchel.project.server_database import ServerDatabase
from satchel.project.server_ledgers import SharedLedger
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.storage.database.postgresql_pool import Connection
from satchel.workspace import Workspace

pytest_plugins = ["postgresql_fixtures"]
_ASKED = AuditEntry("ann", "POST", "/api/projects/one/memory", 201, "one")
#: Seconds of a write that waits for another's, longer than a dead network is given.
_SLOW = 3.0


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Collect the messages that are sent: a pipeline is one, and so is a statement outside of it."""
    sent: list[str] = []
    pipeline, execute = Connection.pipeline, Connection.execute

    def noted(connection: Connection) -> Any:
        sent.append("")
        return pipeline(connection)

    def noted_if_alone(connection: Connection, query: Any, *given: Any, **more: Any) -> Any:
        if not connection.pgconn.pipeline_status:
            sent.append(str(query))
        return execute(connection, query, *given, **more)

    with monkeypatch.context() as patched:
        patched.setattr(Connection, "pipeline", noted)
        patched.setattr(Connection, "execute", noted_if_alone)
        yield sent


def test_a_memory_takes_three_messages_and_its_audit_entry_two(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memories, servers = open_memories(postgresql_url, str(tmp_path)), ServerDatabase(postgresql_url)
    log = AuditLog(SharedLedger(servers, "audit", FixedClock()))
    memories.remember("The quay is swept at noon.", kind="learned")
    log.note(_ASKED)
    with counted(monkeypatch) as sent:
        memories.remember("The crane is greased on Mondays.", kind="learned")
        # What it may be a version of, the lock, the lines with the commit.
        assert len(sent) == 3, sent
        log.note(_ASKED)
        # The lock with the entry before, the entry with the commit.
        assert len(sent) == 5, sent
    assert len(memories.live()) == 2
    assert (len(log.entries()), log.broken()) == (2, [])
    memories.index.database.close()
    servers.close()


def test_a_version_of_what_is_there_is_one_document(postgresql_url: str, tmp_path: Path) -> None:
    """The same line again, under the id that it has, is looked for among the documents."""
    memories = open_memories(postgresql_url, str(tmp_path))
    made = memories.remember("The quay is swept at noon.", kind="learned")
    edited = memories.edit(made.id, "The quay is swept at one.")
    assert [one.record.rev for one in memories.history(made.id)] == [edited.rev, made.rev]
    assert memories.index.problems() == []
    memories.index.database.close()


def write(url: str) -> list[bool]:
    """Lock the project and read in a transaction; return for each try whether it was another."""
    database, tries = PostgresDatabase(url, "one", patience=2), []

    def work(again: bool) -> None:  # noqa: FBT001
        tries.append(again)
        database.read("SELECT 1 FROM project_heads WHERE project = 'one' FOR UPDATE")

    try:
        database.read("SELECT 1")  # from now on its connection is fresh
        database.attempt(work)
    finally:
        database.close()
    return tries


def test_a_network_that_dies_right_after_an_answer_is_found_out_by_the_next_write(
    postgresql_server: Server, postgresql_url: str
) -> None:
    with wired(postgresql_server) as wire:
        database = PostgresDatabase(url_at(postgresql_url, wire.port), "one", patience=2)
        assert database.read("SELECT 1") == [(1,)]
        wire.cut.set()
        began = time.monotonic()
        with pytest.raises(NotWritableError):
            database.attempt(lambda _: database.read("SELECT 1"))
        assert time.monotonic() - began < 8, "a statement would be given 35 s"
        database.close()


def test_a_write_that_waits_for_another_is_not_taken_for_a_dead_network(
    postgresql_url: str, tmp_path: Path
) -> None:
    memories = open_memories(postgresql_url, str(tmp_path))
    memories.remember("The quay is swept at noon.", kind="learned")
    memories.index.database.close()
    with psycopg.connect(postgresql_url) as other, ThreadPoolExecutor(1) as beside:
        other.execute("SELECT 1 FROM satchel.project_heads WHERE project = 'one' FOR UPDATE")
        waiting = beside.submit(write, postgresql_url)
        time.sleep(_SLOW)
        other.rollback()
        assert waiting.result() == [False]


def test_a_search_that_does_not_see_a_ledger_finds_what_the_others_hold(
    postgresql_url: str, tmp_path: Path
) -> None:
    """The condition that is quick to plan holds for whoever sees every ledger, and only then."""
    memories = open_memories(postgresql_url, str(tmp_path))
    memories.remember("The quay is swept at noon.", kind="learned")
    index, every = memories.index, memories.view()
    some = View([one for one in every.sources if one.path.endswith("/knowledge")], every.now)

    def found(view: View) -> list[str]:
        return [hit.document.kind for hit in index.search("quay", view)]

    assert found(some) == found(every) == ["learned"], "nothing is hidden yet"
    memories.remember("The quay is wet.", kind="insight")
    assert found(some) == ["learned"]
    assert sorted(found(every)) == ["insight", "learned"]
    assert found(every._replace(only=Filter(kinds=("insight",)))) == ["insight"]
    index.database.close()


def test_a_search_is_one_message(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memories = open_memories(postgresql_url, str(tmp_path))
    memories.remember("The quay is swept at noon.", kind="learned")
    with counted(monkeypatch) as sent:
        assert memories.index.search("quay", memories.view())
    assert len(sent) == 1, sent
    memories.index.database.close()


def test_a_recall_on_a_server_is_two_messages_and_a_third_once_a_second(
    postgresql_url: str, repository: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = str(tmp_path / "home")
    assert satchel(repository, home, "team", "init", postgresql_url)[0] == 0
    servers = ServerDatabase(postgresql_url)
    with Workspace.open_for_others(repository, home=home, servers=servers) as work:
        work.remember("The quay is swept at noon.", kind="learned")

        def messages() -> int:
            with counted(monkeypatch) as sent:
                assert "noon" in work.ask("when is the quay swept").pieces[0].text
            return len(sent)

        messages()
        assert messages() == 2, "the search, and what took the place of what it found"
        time.sleep(1.1)
        assert messages() == 4, "whether the connection answers, and the look"
        assert messages() == 2
    servers.close()
