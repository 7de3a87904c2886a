"""What servers know of a project is the same on every machine: sessions, suggestions, injections."""

import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import psycopg
import pytest
from starlette.testclient import TestClient

from integration.test_partial_answers import closed
from integration.test_postgresql_moving import satchel as command
from integration.test_server_state import two as two  # noqa: PLC0414 -- a fixture
from integration.test_team_serving import repository as repository  # noqa: PLC0414 -- a fixture
from integration.two_machines import API, Machine, Two, machine, two_machines
from satchel.application.learning.reviewing.review import Review
from satchel.features.access.users import READER
from satchel.features.injections.injection_ledger import Injection
from satchel.features.injections.outcomes import USED, outcomes_of
from satchel.features.proposals.values import CREATE, KNOWLEDGE, PROJECT, Edit, Proposal
from satchel.features.sessions.files import META
from satchel.features.sessions.shared import SharedSessions
from satchel.storage.database.contract import Row, Value
from satchel.storage.database.postgresql_pool import MOST
from satchel.workspace import Workspace

pytest_plugins = ["postgresql_fixtures"]
SAID = "The zq7kx9wm relay answers on port 9000"


class Asking:
    """A user who asks one machine."""

    def __init__(self, one: Machine, token: str) -> None:
        self._client: TestClient = one.client
        self._headers = {"authorization": f"Bearer {token}"}

    def get(self, path: str, **params: str) -> Any:
        answer = self._client.get(f"{API}/{path}", headers=self._headers, params=params)
        return answer.json() if answer.is_success else answer.status_code

    def send(self, method: str, path: str, key: str = "", **body: Any) -> Any:
        headers = {**self._headers, **({"idempotency-key": key} if key else {})}
        answer = self._client.request(method, f"{API}/{path}", headers=headers, json=body)
        return answer.json() if answer.is_success else answer.status_code


@pytest.fixture
def both(two: Two) -> tuple[Asking, Asking]:
    token = two.new_user()
    return Asking(two.a, token), Asking(two.b, token)


def test_a_session_goes_on_on_another_machine(both: tuple[Asking, Asking]) -> None:
    a, b = both
    made = a.send("POST", "sessions", title="Move the relay", start=True)
    b.send("POST", f"chat/{made['id']}", message=SAID)
    a.send("POST", f"chat/{made['id']}", message="Then drain it first")
    told = b.get(f"sessions/{made['id']}")
    assert [one["content"] for one in told["messages"]] == [SAID, "Then drain it first"]
    assert b.send("PATCH", f"sessions/{made['id']}", title="Moved")["title"] == "Moved"
    assert a.send("DELETE", f"sessions/{made['id']}")["status"] == "closed"
    assert b.send("POST", f"chat/{made['id']}", message="too late") == 409
    for one in both:
        (listed,) = one.get("sessions")["sessions"]
        assert (listed["title"], listed["status"], listed["metrics"]["messageCount"]) == (
            *("Moved", "closed"),
            2,
        )


def test_what_was_said_on_one_machine_is_found_on_the_other(both: tuple[Asking, Asking]) -> None:
    a, b = both
    made = a.send("POST", "sessions", title="Move the relay", start=True)
    a.send("POST", f"chat/{made['id']}", message=SAID)
    for one in (b, a):
        assert "zq7kx9wm" in str(one.get("search", q="zq7kx9wm relay", tier="archive"))
    a.send("POST", f"chat/{made['id']}", message="The heronry is drained at dusk")
    assert "dusk" in str(b.get("search", q="heronry drained", tier="archive"))


class Slow(SharedSessions):
    """Sessions whose copies are made slowly: `meanwhile` is done once it is known what changed."""

    meanwhile: Callable[[], object]

    def _ask(self, query: str, *values: Value) -> list[Row]:
        rows = super()._ask(query, *values)
        if query == "stamps":
            self.meanwhile()
        return rows


def test_searches_at_once_leave_each_other_their_copies(
    two: Two, both: tuple[Asking, Asking]
) -> None:
    with two.a.served.projects[0].opened() as workspace, ThreadPoolExecutor(1) as other:
        state, here = workspace.project.shared_state, workspace.project.state.sessions
        assert state is not None
        copied: list[Future[list[str]]] = []

        def another_search() -> None:
            both[1].send("POST", "sessions", title="Move the relay")
            copied.append(other.submit(SharedSessions(state, here).sources))
            wait(copied, 1)

        slow = Slow(state, here)
        slow.meanwhile = another_search
        assert slow.sources() == []
        (path,) = copied[0].result()
        assert os.path.exists(path)


def test_many_sessions_are_copied_with_few_questions(two: Two, both: tuple[Asking, Asking]) -> None:
    """A machine that searches for the first time copies all; then what has changed."""

    class Counted(SharedSessions):
        asked = 0

        def _ask(self, query: str, *values: Value) -> list[Row]:
            self.asked += 1
            return super()._ask(query, *values)

    made = [both[0].send("POST", "sessions", title=f"No. {n}", start=True)["id"] for n in range(12)]
    for ident in made:
        both[0].send("POST", f"chat/{ident}", message=f"{SAID} for {ident}")
        both[0].send("POST", f"chat/{ident}", message="And then?")
    with two.b.served.projects[0].opened() as workspace:
        state, here = workspace.project.shared_state, workspace.project.state.sessions
        assert state is not None
        sessions = Counted(state, here)
        paths = sessions.sources()
        assert sessions.asked == 2
        texts = [Path(path).read_bytes() for path in paths]
        assert texts == [sessions.messages(ident) for ident in sorted(made)]
        metas = [Path(path).with_name(META).read_bytes() for path in paths]
        assert metas == [sessions.meta(ident) for ident in sorted(made)]
        both[1].send("POST", f"chat/{made[5]}", message="On 9001 now")
        sessions.asked = 0
        assert "On 9001 now" in "".join(Path(path).read_text() for path in sessions.sources())
        assert sessions.asked == 2


def test_both_machines_may_write_one_session_at_once(both: tuple[Asking, Asking]) -> None:
    made = both[0].send("POST", "sessions", start=True)
    with ThreadPoolExecutor(4) as threads:
        sent = [
            threads.submit(both[n % 2].send, "POST", f"chat/{made['id']}", message=f"no {n}")
            for n in range(24)
        ]
    assert all(isinstance(one.result(), dict) for one in sent)
    told = both[0].get(f"sessions/{made['id']}")
    assert sorted(one["content"] for one in told["messages"]) == sorted(
        f"no {n}" for n in range(24)
    )
    assert told["metrics"]["messageCount"] == 24


def test_more_sessions_than_there_are_connections_may_be_closed_at_once(
    both: tuple[Asking, Asking],
) -> None:
    """Closing one holds a connection, and needs a second to write the checkpoint."""
    made = [both[0].send("POST", "sessions", start=True)["id"] for _ in range(MOST + 4)]
    for ident in made:
        both[0].send("POST", f"chat/{ident}", message=f"Said in {ident}")
    with ThreadPoolExecutor(len(made)) as threads:
        closed_ones = list(
            threads.map(lambda ident: both[0].send("DELETE", f"sessions/{ident}"), made)
        )
    assert [isinstance(one, int) or one["status"] for one in closed_ones] == ["closed"] * len(made)


def test_a_session_begun_with_a_key_is_begun_once(both: tuple[Asking, Asking]) -> None:
    told = {one.send("POST", "sessions", "key", title="once")["id"] for one in (*both, both[0])}
    assert len(told) == 1
    assert both[1].get("sessions")["total"] == 1


def test_a_reader_neither_changes_a_session_nor_has_it_answered(
    two: Two, both: tuple[Asking, Asking]
) -> None:
    ident = both[0].send("POST", "sessions", title="Move the relay", start=True)["id"]
    both[0].send("POST", f"chat/{ident}", message=SAID)
    before = both[1].get(f"sessions/{ident}")
    token = two.new_user("eve", READER)
    for reader in (Asking(two.a, token), Asking(two.b, token)):
        assert reader.get(f"sessions/{ident}")["id"] == ident
        assert reader.get(f"chat/{ident}/stream") == 403
        for method, path, body in (
            ("POST", "sessions", {"title": "mine"}),
            ("POST", f"chat/{ident}", {"message": "mine"}),
            ("PATCH", f"sessions/{ident}", {"title": "mine"}),
            ("DELETE", f"sessions/{ident}", {}),
        ):
            assert reader.send(method, path, **body) == 403, path
    assert both[1].get(f"sessions/{ident}") == before
    assert both[0].get("sessions")["total"] == 1


def _suggested(workspace: Workspace, name: str) -> None:
    edit = Edit(CREATE, PROJECT, f"{name}.md", "Drain the relay first.\n")
    with Review(workspace) as review:
        review.queue.propose([Proposal("memory", KNOWLEDGE, name, "", "high", (edit,), name)])


def test_a_suggestion_is_decided_once_for_all_machines(
    two: Two, both: tuple[Asking, Asking]
) -> None:
    with two.a.served.projects[0].opened() as workspace:
        _suggested(workspace, "heron")
    a, b = both
    (waiting,) = b.get("proposals")["proposals"]
    assert waiting["title"] == "heron"
    assert b.send("POST", f"proposals/{waiting['id']}", decision="reject")["state"] == "rejected"
    assert a.get("proposals")["total"] == 0
    assert a.send("POST", f"proposals/{waiting['id']}", decision="accept") == 409


def test_what_agents_were_shown_is_known_on_every_machine(
    two: Two, both: tuple[Asking, Asking]
) -> None:
    with two.a.served.projects[0].opened() as workspace:
        workspace.injections.note(Injection(0, "s1", "recall", "bot", 12, 100, 0, ()))
        outcomes_of(workspace.project).note("s1", {"learned:x": (USED, 12)})
    told = both[1].get("injections", sessionId="s1")
    assert [one["tokens"] for one in told["injections"]] == [12]
    assert both[1].get("injections", sessionId="s2")["total"] == 0
    with two.b.served.projects[0].opened() as workspace:
        assert outcomes_of(workspace.project).of("learned:x") == {"s1": USED}


def test_a_restarted_server_with_a_new_home_knows_all_of_it(
    two: Two, both: tuple[Asking, Asking], repository: str, tmp_path: Path
) -> None:
    made = both[0].send("POST", "sessions", title="Move the relay")
    with machine(repository, str(tmp_path / "cleo")) as third:
        assert (
            Asking(third, two.new_user("cleo")).get("sessions")["sessions"][0]["id"] == made["id"]
        )


def told_to(folder: Path, *words: str) -> str:
    """Run a command as somebody with a home of their own; return what it prints."""
    code, said = command(str(folder / "clone"), str(folder / "dora"), *words)
    assert code == 0, said
    return said


def test_none_of_it_meets_the_memories(
    two: Two, both: tuple[Asking, Asking], tmp_path: Path
) -> None:
    both[0].send("POST", "sessions", title="Move the relay")
    with two.a.served.projects[0].opened() as workspace:
        _suggested(workspace, "heron")
    two.a.post(two.new_user("ben"), "key")
    for words in (("team", "init", two.url), ("team", "pull"), ("team", "rebuild")):
        told_to(tmp_path, *words)
    listed = told_to(tmp_path, "list", "--json")
    assert "tunnel" in listed
    assert "heron" not in listed
    assert two.sql("SELECT string_agg(memories::text, ',') FROM satchel.projects") == "1"


def test_what_is_forgotten_is_gone_from_what_servers_know(
    two: Two, both: tuple[Asking, Asking], tmp_path: Path
) -> None:
    a, b = both
    status, ident = two.a.post(two.new_user("ben"), "key", SAID)
    assert status == 201
    made = a.send("POST", "sessions", title=SAID, start=True)
    for words in (SAID, "Unrelated herons"):
        a.send("POST", f"chat/{made['id']}", message=words)
    b.get("search", q="zq7kx9wm", tier="archive")
    with two.b.served.projects[0].opened() as workspace:
        edit = Edit(CREATE, PROJECT, "relay.md", SAID)
        with Review(workspace) as review:
            review.queue.propose([Proposal("memory", KNOWLEDGE, SAID, "", "high", (edit,), "r")])
    told_to(tmp_path, "team", "init", two.url)
    assert "zq7kx9wm" not in told_to(tmp_path, "forget", ident, "--yes")
    rows = (
        "SELECT COUNT(*) FROM satchel.ledger_lines WHERE position('zq7kx9wm' in encode(line, 'escape')) > 0",
        "SELECT COUNT(*) FROM satchel.server_documents WHERE position('zq7kx9wm' in encode(body, 'escape')) > 0",
    )
    assert [two.sql(one) for one in rows] == [0, 0]
    for one in both:
        assert "zq7kx9wm" not in str(one.get(f"sessions/{made['id']}"))
        assert "Unrelated herons" in str(one.get(f"sessions/{made['id']}"))
        assert one.get("search", q="zq7kx9wm relay", tier="archive")["items"] == []


def test_a_session_is_forgotten_by_its_id_and_every_page_notices(
    two: Two, both: tuple[Asking, Asking], tmp_path: Path
) -> None:
    a, b = both
    old, new = [a.send("POST", "sessions", title=f"{SAID} {n}", start=True)["id"] for n in "12"]
    for ident in (old, new):
        a.send("POST", f"chat/{ident}", message=f"Herons of {ident}")
    assert len(b.get("search", q="herons", tier="archive")["items"]) == len((old, new))
    told_to(tmp_path, "team", "init", two.url)
    with two.b.served.projects[0].opened() as workspace:
        assert workspace.project.shared_state is not None
        before = workspace.project.shared_state.stamp()
        assert "2 lines on the team's server" in told_to(
            tmp_path, "forget", "--session", old, "--dry-run"
        )
        assert workspace.project.shared_state.stamp() == before
        told_to(tmp_path, "forget", "--session", old, "--yes")
        assert workspace.project.shared_state.stamp() != before
    for one in both:
        assert [listed["id"] for listed in one.get("sessions")["sessions"]] == [new]
        assert old not in str(one.get("search", q="herons", tier="archive"))
        assert new in str(one.get("search", q="herons", tier="archive"))


def test_what_a_server_changes_meanwhile_outlives_forgetting(
    two: Two, both: tuple[Asking, Asking], tmp_path: Path
) -> None:
    _, memory = two.a.post(two.new_user("ben"), "key", SAID)
    ident = both[0].send("POST", "sessions", title=SAID)["id"]
    told_to(tmp_path, "team", "init", two.url)
    waits = "SELECT COUNT(*) FROM pg_locks WHERE NOT granted"
    with ThreadPoolExecutor(1) as other, two.a.served.projects[0].opened() as workspace:
        with workspace.sessions as sessions, sessions.store.lock:
            sessions.store.tag(ident, add=["moved"])
            forgetting = other.submit(told_to, tmp_path, "forget", memory, "--yes")
            until = time.monotonic() + 4
            while not two.sql(waits):
                assert time.monotonic() < until
                time.sleep(0.01)
        forgetting.result()
    told = both[1].get(f"sessions/{ident}")
    assert (told["title"], told["tags"]) == ("[forgotten]", ["moved"])


def test_without_the_database_nothing_is_told_as_if_it_were_all(
    two: Two, both: tuple[Asking, Asking]
) -> None:
    made = both[0].send("POST", "sessions", start=True)
    with closed(two.url):
        for path in ("sessions", "proposals", "injections"):
            assert both[1].get(path) == 503, path
        assert both[1].send("POST", f"chat/{made['id']}", message="lost?") == 503
    time.sleep(1)  # a database that was away is tried again after a moment
    assert both[1].send("POST", f"chat/{made['id']}", message="there again")["content"]


def test_a_stuck_session_keeps_nothing_else_from_being_done_and_noted(
    two: Two, both: tuple[Asking, Asking]
) -> None:
    made = both[0].send("POST", "sessions", title="Move the relay")
    ben = two.new_user("ben")
    name = str(two.sql("SELECT project FROM satchel.server_documents WHERE subject = 'session'"))
    with psycopg.connect(two.url) as machine_that_stopped:
        machine_that_stopped.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (name,)
        )
        assert both[0].send("PATCH", f"sessions/{made['id']}", title="Moved") == 503
        assert two.a.post(ben, "key")[0] == 201
    changes = [entry.path for _, entry in two.a.served.audit.entries() if entry.user == "ben"]
    assert changes == [f"{API}/memory"]
    assert both[0].send("PATCH", f"sessions/{made['id']}", title="Moved")["title"] == "Moved"


def test_state_of_one_machine_is_found_out(
    postgresql_url: str, repository: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug: each machine keeps its own."""
    opened = Workspace.open_for_others
    monkeypatch.setattr(
        Workspace,
        "open_for_others",
        lambda start, *, home, servers: opened(start, home=home),  # noqa: ARG005
    )
    with two_machines(repository, tmp_path, postgresql_url, monkeypatch) as two:
        token = two.new_user()
        a, b = Asking(two.a, token), Asking(two.b, token)
        a.send("POST", "sessions", title="Move the relay")
        assert (a.get("sessions")["total"], b.get("sessions")["total"]) == (1, 0)
