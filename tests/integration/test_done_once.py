"""A request with a key is done once, whichever machine is asked, and whoever dies meanwhile."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import psycopg
import pytest
from starlette.testclient import TestClient

from integration.test_postgresql_pooling import url_at
from integration.test_team_serving import contents, running
from integration.test_team_serving import repository as repository  # noqa: PLC0414 -- a fixture
from integration.two_machines import API, BODY, Two, new_token, two_machines
from pgbouncer import pgbouncer
from postgresql_server import Server
from satchel.core.clock import FixedClock
from satchel.core.errors import ConflictError, StoreAwayError
from satchel.core.ids import new_ulid
from satchel.features.access import shared_idempotency
from satchel.features.access.idempotency import IdempotencyStore, RequestName, StoredResponse
from satchel.features.access.shared_idempotency import SILENCE, SharedIdempotency
from satchel.features.memories import written_once
from satchel.features.memories.ledgers import append_to
from satchel.interfaces.http.server import project_pool
from satchel.project import team_store
from satchel.project.place import Place
from satchel.project.server_database import ServerDatabase
from satchel.project.server_documents import SharedDocuments
from satchel.testing import run_git

pytest_plugins = ["postgresql_fixtures"]
NAME = RequestName("one", "ann", "POST", "/memory", "key")
_MADE, _CONFLICT = 201, 409
_SECONDS = 30
_CLAIMED = "SELECT 1 FROM satchel.server_documents WHERE subject = 'answer' FOR UPDATE"
_WAITING = (
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() "
    "AND application_name = 'satchel' AND wait_event_type = 'Lock'"
)


@pytest.fixture
def two(
    postgresql_url: str, repository: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Two]:
    with two_machines(repository, tmp_path, postgresql_url, monkeypatch) as both:
        yield both


@pytest.fixture
def store(postgresql_url: str) -> Iterator[SharedIdempotency]:
    database = ServerDatabase(postgresql_url, 2.0)
    yield SharedIdempotency(lambda project: SharedDocuments(database, project, "answer", 60))
    database.close()


def repeated(two: Two) -> tuple[int, int]:
    """Write on A, and again on B; return how many ids were told and how many lines are there."""
    token = two.new_user()
    told = {one.post(token, "key")[1] for one in (two.a, two.b, two.a)}
    return len(told), two.written()


def test_what_is_repeated_on_another_machine_is_done_once(two: Two) -> None:
    assert repeated(two) == (1, 1)
    token = two.new_user("ben")
    assert two.a.post(token, "key")[0] == _MADE, "another user's key is another key"
    assert two.b.post(token, "key", "another body")[0] == _CONFLICT


def test_a_server_that_starts_asks_git_for_no_project(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its name on every machine is the first commit's: of 500 projects, each costs a process."""
    asked: list[Place] = []

    def team_project(place: Place) -> str:
        asked.append(place)
        return team_store.team_project(place)

    monkeypatch.setattr(project_pool, "team_project", team_project)
    served = two.a.served
    project_pool.PooledProject(
        served.projects[0]._root, served.projects[0]._home, project_pool.IdleWorkspaces()
    ).close()
    assert not asked
    assert two.a.post(two.new_user(), "key")[0] == _MADE
    assert asked


def test_answers_of_one_machine_are_found_out(
    postgresql_url: str, repository: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    clocks = iter((FixedClock(), FixedClock(FixedClock().now() + 5)))
    monkeypatch.setattr(
        project_pool,
        "idempotency_of",
        lambda store: IdempotencyStore(store.answers, next(clocks)),
    )
    with two_machines(repository, tmp_path, postgresql_url, monkeypatch) as two:
        assert repeated(two) == (2, 2)


def test_what_both_machines_are_asked_at_once_is_done_once(two: Two) -> None:
    token = two.new_user()
    for number in range(6):
        with ThreadPoolExecutor(2) as threads:
            both = [threads.submit(one.post, token, f"key {number}") for one in (two.a, two.b)]
        statuses = sorted(one.result()[0] for one in both)
        assert statuses in ([_MADE, _MADE], [_MADE, _CONFLICT])
        assert two.written() == number + 1


# Whoever dies before the answer is kept


def unanswered(two: Two, monkeypatch: pytest.MonkeyPatch) -> tuple[list[int], int]:
    """Let A write without keeping its answer; return what B says then and later, and the lines."""
    token = two.new_user()

    def away(*_: object) -> None:
        raise StoreAwayError

    with monkeypatch.context() as patched:
        patched.setattr(SharedDocuments, "keep", away)
        _, ident = two.a.post(token, "key")
    at_once, _ = two.b.post(token, "key")
    two.let_pass(SILENCE)
    later, again = two.b.post(token, "key")
    assert two.a.post(token, "key") == (later, again)
    assert again == ident or two.written() > 1
    return [at_once, later], two.written()


def test_what_was_written_and_not_answered_is_answered_by_another_machine(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert unanswered(two, monkeypatch) == ([_CONFLICT, _MADE], 1)


def test_an_id_that_is_not_made_of_the_key_is_found_out(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    monkeypatch.setattr(RequestName, "ident", lambda *_: new_ulid(int(time.time() * 1000)))
    assert unanswered(two, monkeypatch) == ([_CONFLICT, _MADE], 2)


def test_a_row_of_a_table_is_added_once(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    for one in two.a, two.b:
        with one.served.projects[0].opened() as work, work.tables as tables:
            tables.write_preset("foundation", only=("suppliers",))
    headers = {"authorization": f"Bearer {two.new_user()}", "idempotency-key": "key"}
    path, body = f"{API}/tables/suppliers/rows", {"values": {"name": "Acme"}}

    def add(client: TestClient) -> object:
        answer = client.post(path, headers=headers, json=body)
        assert answer.status_code == _MADE, answer.text
        return answer.json()["id"]

    with monkeypatch.context() as patched:
        patched.setattr(SharedDocuments, "keep", lambda *_: None)
        first = add(two.a.client)
    two.let_pass(SILENCE)
    assert add(two.b.client) == first
    assert two.written() == 1


def slow_not_dead(two: Two, monkeypatch: pytest.MonkeyPatch) -> int:
    """Take a request over while its first worker is about to write; return how many lines are there."""
    token = two.new_user()
    writing, go = threading.Event(), threading.Event()
    append = written_once.append_once

    def stalled(*given: object) -> object:
        if not writing.is_set():
            writing.set()
            assert go.wait(_SECONDS)
        return append(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(written_once, "append_once", stalled)
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(two.a.post, token, "key")
        assert writing.wait(_SECONDS)
        two.let_pass(SILENCE)
        second = two.b.post(token, "key")
        time.sleep(1.1)  # within one second the line would be the very same
        go.set()
        assert first.result()[0] == second[0] == _MADE
    return two.written()


def test_a_worker_that_was_only_slow_writes_nothing_beside_who_took_over(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert slow_not_dead(two, monkeypatch) == 1


def test_a_look_before_the_lock_alone_is_found_out(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    monkeypatch.setattr(
        written_once,
        "append_once",
        lambda ledgers, _i, _s, records: append_to(ledgers, records)[-1],
    )
    assert slow_not_dead(two, monkeypatch) == 2


@contextmanager
def held_before_its_answer(url: str, writes: object) -> Iterator[None]:
    """Let a server write, and hold it before it can keep its answer."""
    assert callable(writes)
    with psycopg.connect(url) as table, psycopg.connect(url) as row:
        table.execute("LOCK TABLE satchel.ledger_lines IN EXCLUSIVE MODE")
        writes()
        deadline = time.monotonic() + _SECONDS
        while not row.execute(_CLAIMED).fetchall():
            row.rollback()
            assert time.monotonic() < deadline
            time.sleep(0.01)
        table.rollback()
        while not table.execute(_WAITING).fetchall():
            table.rollback()
            assert time.monotonic() < deadline
            time.sleep(0.01)
        count = "SELECT COUNT(*) FROM satchel.ledger_lines WHERE project <> ''"
        assert table.execute(count).fetchone() == (1,)
        yield
        # Else the database would do what it was told by who is dead.
        table.execute("SELECT pg_terminate_backend(pid, 5000) FROM (" + _WAITING + ") w")


def test_a_server_that_is_killed_after_it_wrote_is_answered_for_by_another(
    postgresql_url: str, repository: str, tmp_path: Path
) -> None:
    clone = str(tmp_path / "clone")
    run_git(str(tmp_path), "clone", "--quiet", repository, clone)
    words = ("--team", "--database", postgresql_url)
    with (
        running(repository, str(tmp_path / "ada"), *words) as ada,
        running(clone, str(tmp_path / "bob"), *words) as bob,
    ):
        token = new_token(repository, str(tmp_path / "ada"))
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "key"}

        def post(server: object) -> httpx.Response:
            with server.client() as client:  # type: ignore[attr-defined]
                answer: httpx.Response = client.post(f"{API}/memory", headers=headers, json=BODY)
                return answer

        def doomed() -> None:
            with suppress(httpx.HTTPError):
                post(ada)

        thread = threading.Thread(target=doomed)
        with held_before_its_answer(postgresql_url, thread.start):
            os.kill(ada.process.pid, signal.SIGKILL)
        thread.join(_SECONDS)
        at_once = post(bob)
        assert (at_once.status_code, "being answered" in at_once.text) == (_CONFLICT, True)
        with psycopg.connect(postgresql_url) as clock:
            clock.execute(
                "UPDATE satchel.server_documents SET touched_at = now() - interval '16 s'"
            )
        later = post(bob)
        assert later.status_code == _MADE, later.text
        bob.headers = {"Authorization": headers["Authorization"]}
        with bob.client() as client:
            assert contents(client) == [BODY["content"]]


# The store by itself


def done_beside(store: SharedIdempotency, monkeypatch: pytest.MonkeyPatch) -> int:
    """Do a request that takes long, and ask for it again and again; return how often it was done."""
    monkeypatch.setattr(shared_idempotency, "SILENCE", 1.0)
    monkeypatch.setattr(shared_idempotency, "SIGN_EVERY", 0.1)
    done: list[str] = []

    def slowly(ident: str) -> StoredResponse:
        done.append(ident)
        time.sleep(2.5)
        return StoredResponse(201, {"text": "schön \ud800 \0"})

    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(store.once, NAME, "a", slowly)
        time.sleep(0.1)
        while not first.done():
            with suppress(ConflictError):
                store.once(NAME, "a", slowly)
            time.sleep(0.05)
    again = store.once(NAME, "a", slowly)
    assert (again.status, str(again.value["text"])[:5]) == (201, "schön")
    return len(done)


def test_what_takes_long_is_not_taken_over(
    store: SharedIdempotency, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert done_beside(store, monkeypatch) == 1


def test_a_worker_that_gives_no_sign_of_life_is_found_out(
    store: SharedIdempotency, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    monkeypatch.setattr(SharedDocuments, "renew", lambda *_: None)
    assert done_beside(store, monkeypatch) > 1


def test_what_failed_is_done_again_at_once_under_its_id(store: SharedIdempotency) -> None:
    told: list[str] = []

    def fails(ident: str) -> StoredResponse:
        told.append(ident)
        raise ZeroDivisionError

    for asked in ("a", "a", "b"):
        with pytest.raises(ZeroDivisionError):
            store.once(NAME, asked, fails)
    assert told[0] == told[1] != told[2]
    assert store.once(NAME, "b", lambda _: StoredResponse(201, 1)) == StoredResponse(201, 1)
    with pytest.raises(ConflictError, match="another request"):
        store.once(NAME, "a", fails)


def test_answers_end(store: SharedIdempotency, postgresql_url: str) -> None:
    assert store.once(NAME, "a", lambda _: StoredResponse(201, 1)).value == 1
    with psycopg.connect(postgresql_url) as other:
        other.execute("UPDATE satchel.server_documents SET expires_at = now()")
    assert store.once(NAME, "b", lambda _: StoredResponse(201, 2)).value == 2
    with psycopg.connect(postgresql_url) as other:
        other.execute("UPDATE satchel.server_documents SET expires_at = now()")
    store._kept.clear()
    store.once(NAME._replace(key="other"), "b", lambda _: StoredResponse(201, 3))
    with psycopg.connect(postgresql_url) as other:
        row = other.execute("SELECT COUNT(*) FROM satchel.server_documents").fetchone()
    assert row == (1,), "what has ended is swept"


def test_a_pooler_in_transaction_mode_changes_nothing(
    postgresql_server: Server,
    postgresql_url: str,
    repository: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with (
        pgbouncer(postgresql_server) as port,
        two_machines(repository, tmp_path, url_at(postgresql_url, port), monkeypatch) as two,
    ):
        assert repeated(two) == (1, 1)
