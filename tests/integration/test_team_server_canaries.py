"""Nobody who asks a team's server is told a word of what belongs to the person who runs it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from integration.canaries_made import EVERY, EVERYWHERE, PUBLIC, TASK, VARIABLES, World, leaks
from integration.canary_questions import asked_over_http, asked_over_mcp, composed, routes_of
from integration.chat_server import chat_server
from satchel.features.access.limits import RateLimit
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server.path_cleaning import PathCleaner
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.workspace import Workspace

API = "/api/projects/current"
#: So many are there at least: an enumeration that finds fewer has overlooked some.
_ROUTES, _ANSWERS, _MCP = 60, 350, 450
#: What no answer quotes, not even to the owner: it only steers what is answered.
_SAID_TO_NOBODY = {"routing", "clientagent"}


def live_at(at: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(at))
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, Path]:
    """A world, made once, and a copy of it as it was then."""
    at = tmp_path_factory.mktemp("world") / "person"
    at.mkdir()
    with pytest.MonkeyPatch.context() as monkeypatch:
        live_at(at, monkeypatch)
        world = World(at)
    kept = at.with_name("kept")
    shutil.copytree(at, kept, symlinks=True)
    return world, kept


@pytest.fixture
def world(made: tuple[World, Path], monkeypatch: pytest.MonkeyPatch) -> World:
    """The world as it was made, whatever the test before did to it."""
    world, kept = made
    shutil.rmtree(world.at)
    shutil.copytree(kept, world.at, symlinks=True)
    live_at(world.at, monkeypatch)
    return world


@contextmanager
def serving(world: World, role: str) -> Iterator[tuple[TestClient, list[Any]]]:
    """Serve for a team and ask as one of it; with the role "" for the owner alone."""
    served = ProjectPool([str(world.root)], str(world.home), team=bool(role), hosts=["testserver"])
    served.limit = RateLimit(10**9, 1e9)
    served.stopping.set()  # streams begin, and end there
    token = served.token
    if role:
        served.book.add("kim", role, world.key)
        token = served.book.issue("kim")
    gate = application(served)
    with TestClient(gate, headers={"authorization": f"Bearer {token}"}) as client:
        yield client, routes_of(gate.app)  # type: ignore[arg-type]


def test_a_team_is_told_nothing_of_its_server_s_owner_or_its_paths(world: World) -> None:
    with serving(world, "reader") as (client, routes):
        assert len(routes) >= _ROUTES
        told = list(asked_over_http(client, world, routes, writes=False))
        told.append(failed_page(client))
    assert len(told) > _ANSWERS
    assert sum(PUBLIC in text for _, text in told) > 50
    assert (leaks(told), paths_in(world, told)) == ({}, [])
    with serving(world, "writer") as (client, routes):
        for writes in (True, False):
            told = list(asked_over_http(client, world, routes, writes=writes))
            assert (leaks(told), paths_in(world, told)) == ({}, [])
        assert paths_in(world, [failed_page(client)]) == []


def test_agents_are_told_nothing_where_a_project_is_opened_for_others(world: World) -> None:
    with Workspace.open_for_others(str(world.root), home=str(world.home)) as work:
        assert leaks(composed(work)) == {}
        told = list(asked_over_mcp(work, world))
        assert len(told) >= _MCP
        assert leaks(told) == {}


def test_a_model_that_answers_in_a_chat_is_sent_nothing_of_the_owner(world: World) -> None:
    with chat_server() as (url, manners):
        with (world.home / "config.toml").open("a") as file:
            file.write(f'provider = "openai"\nurl = "{url}"\n')
        with serving(world, "writer") as (client, _):
            begun = client.post(f"{API}/sessions", json={"title": "t", "beadId": TASK}).json()
            say = {"message": f"what of {EVERYWHERE}?"}
            assert client.post(f"{API}/chat/{begun['id']}", json=say).status_code == 202
            answer = client.get(f"{API}/chat/{begun['id']}/stream").text
        (sent,) = [body for _, _, body in manners.asked]
    assert "tunnel" in answer
    assert PUBLIC in str(sent["messages"])
    assert leaks([("answer", answer), ("sent", str(sent["messages"]))]) == {}


def test_the_owner_is_told_all_of_it(world: World) -> None:
    with serving(world, "") as (client, routes):
        told = list(asked_over_http(client, world, routes, writes=False))
    with Workspace.open(str(world.root), home=str(world.home)) as work:
        told += [*composed(work), *asked_over_mcp(work, world)]
    assert set(EVERY) - set(leaks(told)) == _SAID_TO_NOBODY


def test_a_server_that_opens_the_person_s_own_for_a_team_is_found_out(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        Workspace,
        "open_for_others",
        lambda start, *, home, **_: Workspace.open(start, home=home),
    )
    with serving(world, "reader") as (client, routes):
        found: set[str] = set()
        for told in asked_over_http(client, world, routes, writes=False):
            found |= leaks([told]).keys()
            if enough := len(found) > len(EVERY) // 2:
                break
    assert enough


def failed_page(client: TestClient) -> tuple[str, str]:
    return "a page that fails", client.get("/console/nothing/overview").text


def paths_in(world: World, told: list[tuple[str, str]]) -> list[str]:
    """What of the answers names a directory of the server."""
    mine = (str(world.root), str(world.home), str(world.home.parent))
    return [asked for asked, text in told if any(path in text for path in mine)]


def test_a_server_that_names_its_paths_is_found_out(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    monkeypatch.setattr(PathCleaner, "clean", lambda _self, body: body)
    with serving(world, "reader") as (client, routes):
        told = asked_over_http(client, world, routes, writes=False)
        assert any(paths_in(world, [one]) for one in told)
