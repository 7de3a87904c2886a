"""The servers of several machines have one state: users, sessions, the audit log are in the database."""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from integration.test_partial_answers import closed
from integration.test_postgresql_moving import satchel
from integration.test_postgresql_pooling import url_at
from integration.test_team_serving import repository as repository  # noqa: PLC0414 -- a fixture
from integration.test_team_serving import running
from integration.two_machines import API, BODY, PAGE, Two, machine, two_machines
from pgbouncer import pgbouncer
from postgresql_server import Server
from satchel.features.access import users
from satchel.features.access.audit import AuditLog
from satchel.features.access.users import ANY, HELD_SECONDS, ROLES
from satchel.features.memories.store import MemoryStores
from satchel.interfaces.http.server.middleware import RequestGuard
from satchel.project.server import ServerStore
from satchel.project.server_documents import HomeDocuments
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.team import TeamLedger

pytest_plugins = ["postgresql_fixtures"]
_OK, _CREATED, _SEE_OTHER, _UNKNOWN, _FORBIDDEN, _AWAY = 200, 201, 303, 401, 403, 503


@pytest.fixture
def two(
    postgresql_url: str, repository: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Two]:
    with two_machines(repository, tmp_path, postgresql_url, monkeypatch) as both:
        yield both


def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seed the bug that this is about: each machine keeps its own."""
    monkeypatch.setattr(ServerStore, "ledger", ServerStore.home_ledger)
    monkeypatch.setattr(
        ServerStore,
        "browser_sessions",
        lambda self, seconds: HomeDocuments(self.state.derived("s"), self.clock, seconds),
    )


# Users


def comes_in_on_the_other(two: Two) -> list[int]:
    token = two.new_user()
    return [one.ask(token) for one in (two.b, two.a)]


def test_a_user_made_on_one_machine_comes_in_on_the_other_at_once(two: Two) -> None:
    assert comes_in_on_the_other(two) == [_OK, _OK]
    assert list(two.b.served.book.users()) == ["ann"]


def test_users_of_one_machine_are_found_out(
    postgresql_url: str, repository: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    at_home(monkeypatch)
    with two_machines(repository, tmp_path, postgresql_url, monkeypatch) as two:
        assert comes_in_on_the_other(two) == [_UNKNOWN, _OK]


def refused_after(two: Two) -> list[int]:
    """Revoke a token on A that B has just let in; return what B says after a second."""
    token = two.new_user()
    assert two.b.ask(token) == _OK
    two.a.served.book.remove("ann")
    here = two.a.ask(token)
    time.sleep(min(HELD_SECONDS, 1))
    return [here, two.b.ask(token)]


def test_a_token_revoked_on_one_machine_is_refused_on_the_other_within_a_second(two: Two) -> None:
    assert refused_after(two) == [_UNKNOWN, _UNKNOWN]


def test_users_that_are_held_for_too_long_are_found_out(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    monkeypatch.setattr(users, "HELD_SECONDS", 60.0)
    assert refused_after(two) == [_UNKNOWN, _OK]


def test_a_role_that_is_taken_away_is_taken_away_everywhere(two: Two) -> None:
    token = two.new_user()
    headers = {"authorization": f"Bearer {token}"}
    assert two.b.client.post(f"{API}/memory", headers=headers, json=BODY).status_code == 201
    two.a.served.book.add("ann", "reader", ANY)
    time.sleep(HELD_SECONDS)
    assert two.b.client.post(f"{API}/memory", headers=headers, json=BODY).status_code == 403


def written_by_a_reader(two: Two, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Let a reader write where nothing in the application checks roles: the answer, what is there."""
    token = two.new_user(role=ROLES[0])
    assert two.a.post(token, "a")[0] == _FORBIDDEN
    monkeypatch.setattr(RequestGuard, "_may", lambda *_: None)
    assert [two.a.post(two.new_user("bob"), "b")[0], two.written()] == [_CREATED, 1]
    status, _ = two.a.post(token, "c", "The quay is swept at noon")
    assert two.a.ask(token) == _OK
    return status, two.written()


def test_a_reader_whom_nothing_checks_is_refused_by_the_database(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, written = written_by_a_reader(two, monkeypatch)
    assert status >= _AWAY
    assert written == 1


def test_a_database_that_is_not_told_the_role_is_found_out(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    monkeypatch.setattr(MemoryStores, "let_write", lambda *_, **__: None)
    assert written_by_a_reader(two, monkeypatch) == (_CREATED, 2)


def test_without_the_database_nobody_is_let_in_by_what_was_known(two: Two) -> None:
    token = two.new_user()
    assert two.b.ask(token) == _OK
    with closed(two.url):
        time.sleep(HELD_SECONDS)
        headers = {"authorization": f"Bearer {token}"}
        answer = two.b.client.get(f"{API}/memory", headers=headers)
        assert (answer.status_code, answer.headers["retry-after"]) == (_AWAY, "1")
        assert "host" not in answer.text
        began = time.monotonic()
        assert two.b.ask(token) == _AWAY
        assert time.monotonic() - began < 1, "it was away a moment ago"
        assert two.b.client.get("/healthz").status_code == _OK
        assert two.b.ask(two.b.served.token, path="/api/projects") == _OK, "the owner's is here"
    time.sleep(0.6)
    assert two.b.ask(token) == _OK


def test_a_server_that_keeps_only_its_users_there_is_not_ready_without_the_database(
    two: Two, repository: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATCHEL_STORE_PROJECTS", "another")
    with machine(repository, str(tmp_path / "eve")) as eve:
        assert eve.ask(two.new_user(), path="/api/projects") == _OK
        assert eve.client.get("/readyz").status_code == _OK
        with closed(two.url):
            assert eve.client.get("/readyz").status_code == _AWAY
            assert eve.client.get("/healthz").status_code == _OK


# Sessions


def stays_signed_in(two: Two, token: str = "") -> list[str]:
    """Sign in on A, and out on B; return where a page leads on each before and after."""
    token = token or two.new_user()
    answer = two.a.client.post("/console/login", headers=PAGE, data={"token": token})
    cookie = answer.headers["set-cookie"].partition(";")[0]
    two.a.client.cookies.clear()

    def leads() -> list[str]:
        asked = {**PAGE, "cookie": cookie}
        return [
            str(one.client.get("/console/", headers=asked).headers["location"]).partition("?")[0]
            for one in (two.a, two.b)
        ]

    before = leads()
    assert two.b.client.post("/console/logout", headers={**PAGE, "cookie": cookie}).is_redirect
    return [one.rpartition("/")[2] for one in before + leads()]


def test_who_signed_in_on_one_machine_is_signed_in_on_both_until_they_sign_out(two: Two) -> None:
    assert stays_signed_in(two) == ["home", "home", "login", "login"]


def test_so_is_the_owner_where_both_machines_have_the_same_token(two: Two) -> None:
    token = two.a.served.token
    assert stays_signed_in(two, token) == ["home", "login", "login", "login"]
    shutil.copy(two.a.served.store.token, two.b.served.store.token)
    assert stays_signed_in(two, token) == ["home", "home", "login", "login"]


def test_sessions_of_one_machine_are_found_out(
    postgresql_url: str, repository: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    at_home(monkeypatch)
    with two_machines(repository, tmp_path, postgresql_url, monkeypatch) as two:
        assert stays_signed_in(two) == ["home", "login", "home", "login"]


def test_a_link_signs_in_once_on_whichever_machine(two: Two) -> None:
    link = two.a.served.sessions.new_link("hash")
    assert two.b.served.sessions.follow_link(link) == "hash"
    assert two.a.served.sessions.follow_link(link) == ""


# Short-lived memories


def seen_on_the_other(two: Two) -> list[str]:
    """Let an agent note on A what holds for an hour; return what B lists, and finds."""
    headers = {"authorization": f"Bearer {two.new_user()}"}
    body = {"kind": "insight", "content": "The canary takes a tenth of the traffic", "title": "now"}
    assert two.a.client.post(f"{API}/memory", headers=headers, json=body).status_code == 201
    listed = two.b.client.get(f"{API}/memory", headers=headers).json()["memories"]
    question = f"{API}/search?q=traffic of the canary"
    found = two.b.client.get(question, headers=headers).text
    return [one["kind"] for one in listed] + ["found"] * ("a tenth" in found)


def test_what_holds_for_an_hour_is_known_on_every_machine(two: Two) -> None:
    assert seen_on_the_other(two) == ["insight", "found"]


def test_what_holds_for_an_hour_on_one_machine_is_found_out(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    monkeypatch.setattr(MemoryStores, "home_of", lambda self, *_: self.own)
    assert seen_on_the_other(two) == []


# The audit log


def audited(two: Two) -> tuple[int, list[int]]:
    """Write on both at once; return how many entries A reads, and which are not chained."""
    token = two.new_user()
    before = len(two.a.served.audit.entries(1000))

    def write(number: int) -> int:
        return (two.a, two.b)[number % 2].post(token, f"key {number}", f"number {number}")[0]

    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(write, range(12))) == {201}
    log = AuditLog(two.a.served.store.ledger("audit"))
    return len(log.entries(1000)) - before, log.broken()


def test_what_was_changed_on_any_machine_is_in_one_chained_log(two: Two) -> None:
    assert audited(two) == (12, [])
    taken = two.sql(
        "DELETE FROM satchel.ledger_lines WHERE project = '' AND ledger = 'audit' AND place = 5 "
        "RETURNING place"
    )
    assert AuditLog(two.b.served.store.ledger("audit")).broken() == [taken]


def test_a_log_that_is_chained_to_what_this_worker_wrote_is_found_out(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug: it shows where two write at once, which not every attempt brings about."""

    def not_under_the_lock(
        ledger: TeamLedger, make: Callable[[Record | None], list[Record]]
    ) -> list[Record]:
        return ledger.append(make(([line.record for line in ledger.read()] or [None])[-1]))

    monkeypatch.setattr(TeamLedger, "append_after", not_under_the_lock)
    assert any(audited(two)[1] for _ in range(10))


# How it gets there


def test_the_users_of_a_home_move_to_an_empty_database_once(
    empty_postgresql_url: str, repository: str, tmp_path: Path
) -> None:
    ada, bob = str(tmp_path / "ada"), str(tmp_path / "bob")
    for home, name in ((ada, "ann"), (bob, "ben")):
        assert satchel(repository, home, "serve", "user", "add", name)[0] == 0
    _, token = satchel(repository, ada, "serve", "user", "token", "ann", "--json")
    with running(repository, ada, "--team", "--database", empty_postgresql_url) as server:
        server.headers = {"Authorization": f"Bearer {json.loads(token)['token']}"}
        with server.client() as client:
            assert client.get(f"{API}/memory").status_code == _OK
        assert server.process.stdout is not None
        assert "users of this home" in server.process.stdout.readline()
    words = ("serve", "--database", empty_postgresql_url, "user", "list", "--json")
    for home in (bob, ada):
        code, text = satchel(repository, home, *words)
        assert code == 0, text
        assert list(json.loads(text)["users"]) == ["ann"], "bob's came second"
    assert len(json.loads(text)["tokens"]) == 1
    code, text = satchel(repository, bob, "serve", "user", "list")
    assert text.startswith("ben: "), "without a database, everything is as it was"


def test_a_command_that_is_not_told_of_the_database_asks_the_one_of_the_server(
    postgresql_url: str, repository: str, tmp_path: Path
) -> None:
    home = str(tmp_path / "ada")
    with running(repository, home, "--team", "--database", postgresql_url) as server:
        assert satchel(repository, home, "serve", "user", "add", "ann")[0] == 0
        code, text = satchel(repository, home, "serve", "user", "token", "ann", "--json")
        assert code == 0, text
        server.headers = {"Authorization": f"Bearer {json.loads(text)['token']}"}
        with server.client() as client:
            assert client.get(f"{API}/memory").status_code == _OK
            assert client.post(f"{API}/memory", json=BODY).status_code == 403
        code, text = satchel(repository, home, "serve", "audit")
        assert " 403  ann " in text
    with running(repository, home):
        assert satchel(repository, home, "serve", "user", "list")[1].startswith("No users")


# A pooler


def test_a_pooler_in_transaction_mode_changes_nothing(
    postgresql_server: Server,
    postgresql_url: str,
    repository: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pgbouncer(postgresql_server) as port:
        url = url_at(postgresql_url, port)
        with two_machines(repository, tmp_path, url, monkeypatch) as two:
            assert refused_after(two) == [_UNKNOWN, _UNKNOWN]
            assert audited(two) == (12, [])
            assert stays_signed_in(two) == ["home", "home", "login", "login"]
