"""The console of a large project: no page waits until all of it was read."""

import re
import threading
import time
from collections.abc import Iterator, Sequence

import pytest
from starlette.testclient import TestClient

from satchel.core.errors import StoreError
from satchel.engine.search.documents import Document
from satchel.features.access.secrets import hash_of
from satchel.features.graph.ingest import RECORD, ingest_record
from satchel.features.graph.rows import Text
from satchel.features.graph.service import Graph
from satchel.features.injections.injection_ledger import Injection
from satchel.features.memories.approvals import held
from satchel.interfaces.http.console import memory_list
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server import overview_cache
from satchel.interfaces.http.server.middleware import browser_of
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.storage.database.contract import Row, Value
from satchel.storage.database.sqlite import SqliteDatabase
from satchel.storage.ledger.lines import Line, decode
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.rewriting import rewrite
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

WAITING = "data-again"


@pytest.fixture
def project() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as workspace:
        yield workspace


@pytest.fixture(scope="module")
def large() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as workspace:
        grown(workspace)
        yield workspace


def grown(project: Workspace) -> None:
    """Write a ledger that is too large to be read within a page, and a line that is damaged."""
    words = "the cache needs a lock before the queue does, " * 24
    made = [Record("learned", f"{n} {words}", key=f"k{n}", trust="user") for n in range(1_200)]
    project.memories.own.append(made)
    damaged(project)


def damaged(project: Workspace) -> None:
    project.learn("one lesson")
    with open(project.memories.ledger("learned").path, "ab") as file:
        file.write(b'{"kind": "learned", "content": "cut o\n')


def home_of(project: Workspace) -> tuple[TestClient, ProjectPool, str]:
    root, home = project.project.place.root, project.owner().home.path
    served = ProjectPool([root], home, hosts=["testserver"])
    client = TestClient(application(served))
    client.headers["user-agent"] = "test"
    agent = {"user-agent": "test", "accept-language": ""}
    client.get("/console/login", params={"once": served.sessions.new_link(hash_of(served.token))})
    assert browser_of(agent)
    return client, served, f"/console/{project.project.key}/home"


def test_a_small_project_is_looked_at_for_its_first_page(project: Workspace) -> None:
    damaged(project)
    client, served, url = home_of(project)
    page = client.get(url).text
    assert WAITING not in page
    assert "Needs you" in page
    served.close()


def test_a_large_project_shows_what_is_there_and_then_the_rest(
    large: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, looks = threading.Event(), []
    whole = overview_cache.compute_overview

    def late(work: Workspace) -> overview_cache.ProjectOverview:
        looks.append(threading.current_thread().name)
        assert held.wait(20)
        return whole(work)

    monkeypatch.setattr(overview_cache, "compute_overview", late)
    client, served, url = home_of(large)  # signing in shows a page: that begins to look
    first = client.get(url)  # it would wait for ever if it waited
    assert first.status_code == 200
    assert WAITING in first.text
    assert WAITING in client.get(url).text
    held.set()
    until = time.monotonic() + 20
    while WAITING in (page := client.get(url).text) and time.monotonic() < until:
        time.sleep(0.05)
    assert WAITING not in page
    assert "Needs you" in page
    # One beside the requests; once that is known to be quick, pages look for themselves.
    assert sum("AnyIO" not in one for one in looks) == 1
    served.close()


def test_nothing_is_looked_at_once_the_server_has_ended(
    large: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended, late = threading.Event(), []
    monkeypatch.setattr(overview_cache, "compute_overview", lambda _: late.append(ended.is_set()))
    client, served, url = home_of(large)
    assert WAITING in client.get(url).text  # a look begins soon
    served.close()
    ended.set()
    served.projects[0].look()
    time.sleep(0.5)
    assert not any(late)


def test_who_asks_next_is_told_why_nobody_could_look(
    large: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, served, url = home_of(large)

    def fails(_: Workspace) -> overview_cache.ProjectOverview:
        raise StoreError("The disk is gone.")

    monkeypatch.setattr(overview_cache, "compute_overview", fails)
    until = time.monotonic() + 20
    while (answer := client.get(url)).status_code == 200 and time.monotonic() < until:
        time.sleep(0.05)
    assert answer.status_code == 507
    assert "The disk is gone." in answer.text
    served.close()


def test_filters_count_what_they_know_and_nothing_else(project: Workspace) -> None:
    def facets() -> dict[str, list[tuple[str, str, int]]]:
        counts = memory_list.kind_counts(project, memory_list.others_of(project))
        found = memory_list.facets_of(project, counts)
        return {one.name: one.values for one in found}

    made = [
        Record("learned", f"lesson {n}", key=f"k{n}", trust="user", agent="ann") for n in range(9)
    ]
    project.memories.own.append(made)
    project.refresh()
    assert facets()["author"] == [("ann", "ann", 9)]
    more = [
        Record("decision", f"so {n}", key=f"d{n}", trust="agent", agent="bob") for n in range(2_000)
    ]
    project.memories.own.append(more)
    project.refresh()
    now = facets()
    assert now["author"] == [("bob", "bob", -1)]
    assert now["trust"] == [("agent", "agent", -1)]
    assert {n for *_, n in now["age"]} == {2_009}
    assert ("decision", "decision", 2_000) in now["kind"]


def test_of_injections_only_those_that_are_new_are_read(
    project: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, served, url = home_of(project)
    reads: list[bytes] = []

    def counted(raw: bytes) -> Line:
        reads.append(raw)
        return decode(raw)

    monkeypatch.setattr("satchel.features.injections.injection_ledger.decode", counted)

    def sessions() -> str:
        found = re.search(r"memor(?:y|ies), (\d+) session", client.get(url).text)
        assert found
        return found[1]

    assert sessions() == "0"
    project.learn("a memory is no injection")
    assert (sessions(), reads) == ("0", [])  # signing in has led to Home already
    now = int(project.project.clock.now())
    for n in range(1, 4):
        project.injections.note(Injection(now, f"s-{n}", "SessionStart", "", 9, 9, 0, ()))
        assert (sessions(), len(reads)) == (str(n), n)
    # What is taken out of the file is gone, though the rest of it stays.
    rewrite(project.injections.ledger.path, lambda lines: lines[1:])
    assert (sessions(), len(reads)) == ("2", 5)
    served.close()


def test_a_memory_that_is_written_draws_itself_alone_into_the_graph(
    project: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def counted(document: Document) -> Text:
        drawn.append(document.identity)
        return ingest_record(document)

    monkeypatch.setattr("satchel.application.recall.graph.inputs.ingest_record", counted)

    def texts() -> set[str]:
        drawn.clear()
        with project.graph as graph:
            return set(graph.graph().store.hashes(RECORD))

    made = [project.learn(f"The `cache{n}` needs the `queue{n}`") for n in range(5)]
    assert texts() == {RECORD + one.identity for one in made}
    assert len(drawn) == 5
    one = project.learn("The `cart` needs the `gateway`")
    assert RECORD + one.identity in texts()
    assert drawn == [one.identity]
    project.memories.edit(one.id, "The `cart` needs the `worker`")
    texts()
    assert drawn == [one.identity]
    project.memories.remove(one.id)
    assert texts() == {RECORD + one.identity for one in made}
    assert drawn == []


def test_what_waits_for_approval_is_asked_of_an_index_of_its_own(project: Workspace) -> None:
    project.learn("one lesson")  # of an empty index nothing is asked
    own = project.memories.caught_up()
    plans: list[str] = []
    read = own.index.database.read

    def explained(sql: str, values: Sequence[Value] = ()) -> list[Row]:
        if "documents d" in sql:
            plans.extend(str(row[3]) for row in read("EXPLAIN QUERY PLAN " + sql, values))
        return read(sql, values)

    own.index.database.read = explained  # type: ignore[method-assign]
    assert held(project.memories) == []
    looked = [one for one in plans if "documents" in one]
    assert looked
    assert all("documents_distrusted" in one for one in looked)


def test_what_contradicts_itself_in_a_large_project_is_listed_until_it_is_decided(
    large: Workspace,
) -> None:
    rules = [
        large.remember(f"Use {one} for installing packages", kind="constraint")
        for one in ("npm", "pnpm")
    ]
    client, served, home = home_of(large)
    inbox = home.replace("home", "inbox")
    until = time.monotonic() + 20
    while "Which of the two holds?" not in client.get(inbox).text and time.monotonic() < until:
        time.sleep(0.1)
    assert "Which of the two holds?" in client.get(inbox).text
    large.memories.remove(rules[0].id)
    assert "Which of the two holds?" not in client.get(inbox).text
    large.memories.remove(rules[1].id)
    served.close()


def test_many_pairs_that_contradict_are_asked_for_at_once(
    large: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = [(f"tool{n}", f"ptool{n}") for n in range(12)]
    rules = [
        large.remember(f"{never} {one} for {other}", kind="constraint")
        for one, other in tools
        for never in ("Always use", "Never use")
    ]
    client, served, home = home_of(large)
    inbox = home.replace("home", "inbox?only=contradictions")
    until = time.monotonic() + 20
    while "ptool" not in client.get(inbox).text and time.monotonic() < until:
        time.sleep(0.1)
    asked: list[str] = []
    read = SqliteDatabase.read

    def counted(self: SqliteDatabase, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        asked.append(sql)
        return read(self, sql, values)

    monkeypatch.setattr(SqliteDatabase, "read", counted)
    text = client.get(inbox).text
    assert text.count("ptool") >= 12, text[:500]
    assert sum("d.id >= ?2" in sql for sql in asked) < len(tools)
    for one in rules:
        large.memories.remove(one.id)
    served.close()


def test_the_graph_of_a_large_project_is_drawn_beside_the_requests(large: Workspace) -> None:
    client, served, home = home_of(large)
    explore = home.replace("home", "explore") + "?focus=TollGate"
    client.get(explore)  # the first look draws whatever there is
    large.learn("`TollGate` uses `RoadLedger` for its prices")
    until = time.monotonic() + 60
    while "RoadLedger" not in client.get(explore).text and time.monotonic() < until:
        client.get(home)
        time.sleep(0.1)
    assert "RoadLedger" in client.get(explore).text
    served.close()


def test_a_page_of_a_large_project_does_not_draw(
    large: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, served, home = home_of(large)
    client.get(home)
    with large.graph as graph:
        graph.graph()
    monkeypatch.setattr(overview_cache, "compute_overview", _nothing)
    monkeypatch.setattr(Graph, "refresh", _refused)
    assert client.get(home.replace("home", "explore")).status_code == 200
    served.close()


def _nothing(work: Workspace) -> overview_cache.ProjectOverview:
    return overview_cache.ProjectOverview([], [], [], work.project.clock.now(), 0)


def _refused(*_: object, **__: object) -> int:
    # Beside the requests it may be drawn at any time.
    assert "AnyIO" not in threading.current_thread().name, "a page draws the graph"
    return 0
