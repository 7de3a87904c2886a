"""A team's store that fails: no face gives an answer without it as if that were all there is."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from starlette.testclient import TestClient

from integration.test_postgresql_moving import satchel
from integration.test_team_members import HOST
from integration.test_team_serving import repository as repository  # noqa: PLC0414 -- a fixture
from satchel.features.memories.store import MemoryStores
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.interfaces.mcp.calls import Project, ToolFailure
from satchel.interfaces.mcp.profiles import tools_of
from satchel.project import team_store
from satchel.storage.database.postgresql_pool import MOST, leave, shared_pool

pytest_plugins = ["postgresql_fixtures"]
API = "/api/projects/current"
QUESTION = "port of the tunnel"
PATHS = (
    f"{API}/search?q={QUESTION}",
    f"{API}/search?q={QUESTION}&tier=structured",
    f"{API}/search?q=what are my preferences&tier=hot/preferences",
    f"{API}/memory?q={QUESTION}",
    f"{API}/memory",
    f"{API}/memory/scoped",
    f"{API}/stats",
    "/console/{key}/memory",
    "/console/{key}/memory?q=" + QUESTION,
)
_BUSY = 6


@contextmanager
def locked(url: str) -> Iterator[None]:
    """Somebody holds the table for longer than a question waits."""
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE satchel.documents IN ACCESS EXCLUSIVE MODE")
        yield


@contextmanager
def closed(url: str) -> Iterator[None]:
    """The database takes nobody in, and throws everybody out."""
    name = url.partition("@/")[2].partition("?")[0]
    with psycopg.connect(url.replace(name, "postgres"), autocommit=True) as other:
        other.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        other.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s",
            (name,),
        )
        try:
            yield
        finally:
            other.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")


@contextmanager
def exhausted(url: str) -> Iterator[None]:
    """All connections of this process are in use."""
    pool = shared_pool(url)
    lent = [pool.lend(1, 2) for _ in range(MOST)]
    try:
        yield
    finally:
        for one in lent:
            pool.give_back(*one)
        leave(pool)


FAILURES = {"locked": locked, "closed": closed, "exhausted": exhausted}


@pytest.fixture
def at_home(
    postgresql_url: str, repository: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str]:
    """A project with one memory in the team's store and none here."""
    home = str(tmp_path / "ada")
    assert satchel(repository, home, "team", "init", postgresql_url)[0] == 0
    told = satchel(repository, home, "remember", "--kind", "decision", "The tunnel is on port 5433")
    assert told[0] == 0, told
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SATCHEL_STORE_WAIT_S", "1")
    monkeypatch.setattr(team_store, "GLANCE", 0.5)
    return repository, home


def silent_pages(at_home: tuple[str, str], url: str, failure: str) -> list[str]:
    """Ask over HTTP while the store fails; return what was answered as if nothing were wrong."""
    root, home = at_home
    served = ProjectPool([root], home, team=True, hosts=[HOST])
    bearer = {"authorization": f"Bearer {served.token}"}
    key = served.projects[0].key
    silent = []
    with TestClient(application(served), headers=bearer, follow_redirects=False) as client:
        paths = [path.replace("{key}", key) for path in PATHS]
        assert [client.get(path).status_code for path in paths] == [200] * len(paths)
        with FAILURES[failure](url):
            for path in paths:
                answer = client.get(path)
                said = answer.status_code == 503 and answer.headers.get("retry-after")
                if not said or "team" not in answer.text:
                    silent.append(f"{path}: {answer.status_code} {answer.text[:200]}")
        assert "5433" in client.get(paths[0]).text
    served.close()
    return silent


@pytest.mark.parametrize("failure", FAILURES)
def test_over_http_an_answer_without_the_team_is_refused(
    at_home: tuple[str, str], postgresql_url: str, failure: str
) -> None:
    assert silent_pages(at_home, postgresql_url, failure) == []


def test_an_answer_that_leaves_the_team_out_is_found_out(
    at_home: tuple[str, str], postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    monkeypatch.setattr(MemoryStores, "every", MemoryStores.reachable)
    assert len(silent_pages(at_home, postgresql_url, "closed")) > 2


def test_the_command_line_says_that_the_store_is_slow(
    at_home: tuple[str, str], postgresql_url: str
) -> None:
    root, home = at_home
    with locked(postgresql_url):
        code, text = satchel(root, home, "recall", QUESTION, "--json")
        assert code == _BUSY, text
        assert "took too long" in json.loads(text[: text.rindex("}") + 1])["problem"]


def test_the_command_line_says_that_it_is_a_part(
    at_home: tuple[str, str], postgresql_url: str
) -> None:
    root, home = at_home
    satchel(root, home, "remember", "--kind", "insight", "the port of the old tunnel was 22")
    with closed(postgresql_url):
        code, text = satchel(root, home, "recall", QUESTION, "--json")
        assert code == _BUSY, text
        told = json.loads(text[: text.rindex("}") + 1])
        assert "The team's memories are missing" in told["problem"]
        assert "port of the old tunnel" in str(told["items"]), "what is here is shown all the same"
        for words in (
            (QUESTION,),
            (QUESTION, "--memories", "--json"),
            (QUESTION, "--tier", "warm"),
        ):
            code, text = satchel(root, home, "recall", *words)
            assert code == _BUSY, (words, text)
            assert "team" in text
        code, text = satchel(root, home, "list")
        assert (code, "5433" in text) == (_BUSY, False), text
        for brief in (("brief",), ("prime",), ("brief", "memory")):
            code, text = satchel(root, home, *brief)
            assert (code, "The team's memories are missing" in text) == (0, True), (brief, text)
        assert "The team's memories are missing" in satchel(root, home, "status")[1]
        for asked in (("memory", "scoped"), ("memory", "facts"), ("stats", "--json")):
            code, text = satchel(root, home, *asked)
            assert code == _BUSY, (asked, text)
            assert "team's memories are missing" in text, (asked, text)
    code, text = satchel(root, home, "recall", QUESTION, "--json")
    assert (code, json.loads(text)["problem"]) == (0, ""), text
    assert "5433" in text


def test_an_agent_is_told_by_mcp(
    at_home: tuple[str, str], postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, home = at_home
    monkeypatch.setenv("SATCHEL_HOME", home)
    (tool,) = [one for one in tools_of("default") if one.name == "recall"]

    def ask() -> str | ToolFailure:
        return Project(root).call(tool, {"question": QUESTION}, "", lambda *_: None)

    with closed(postgresql_url):
        refused = ask()
        assert isinstance(refused, ToolFailure)
        assert "team's memories are missing" in refused.text
        satchel(root, home, "remember", "--kind", "insight", "the port of the old tunnel was 22")
        part = ask()
        assert isinstance(part, str)
        assert "old tunnel" in part
        assert "Partial answer" in part
    whole = ask()
    assert isinstance(whole, str)
    assert "5433" in whole


def test_what_is_told_of_a_task_and_in_figures_has_the_team_s_memories(
    at_home: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root, home = at_home
    monkeypatch.setenv("SATCHEL_HOME", home)
    rule = ("remember", "--kind", "constraint", "Never open the tunnel at night")
    assert satchel(root, home, *rule)[0] == 0
    known = json.loads(satchel(root, home, "status", "--json")[1])
    assert known["memories"] == {"constraint": 1, "decision": 1}
    told = [("brief",), ("prime",), ("brief", "memory"), ("memory", "scoped", "--json")]
    for words in told:
        assert "at night" in satchel(root, home, *words)[1], words
    (tool,) = [one for one in tools_of("default") if one.name == "brief"]
    asked = Project(root).call(tool, {"kind": "memory"}, "", lambda *_: None)
    assert "at night" in str(asked)
    served = ProjectPool([root], home, team=True, hosts=[HOST])
    bearer = {"authorization": f"Bearer {served.token}"}
    with TestClient(application(served), headers=bearer) as client:
        scoped = client.get(f"{API}/memory/scoped").json()
        assert [one["content"] for one in scoped["projectConstraints"]] == [rule[-1]]
        figures = client.get(f"{API}/stats").json()
    served.close()
    assert figures["by_kind"] == {"constraint": 1, "decision": 1}
    assert satchel(root, home, "team", "pull")[0] == 0
    fact = ("remember", "--kind", "fact", "tunnel | has length | 40 m")
    assert satchel(root, home, *fact)[0] == 0
    assert "has length" in satchel(root, home, "memory", "facts")[1]
    code, text = satchel(root, home, "stats", "--json")
    assert code == 0
    assert json.loads(text)["by_kind"] == {"constraint": 1, "decision": 1, "fact": 1}
    brief = satchel(root, home, "brief", "memory")[1]
    assert brief.count("at night") == 1, "a copy here and the team's are one"
