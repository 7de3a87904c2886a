"""MCP over a team's server: every project, in its user's name, with what their role allows."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.testclient import TestClient

from integration.mcp_machine import ERAS, over_http
from integration.test_team_members import HOST
from integration.test_team_serving import repository as repository  # noqa: PLC0414 -- a fixture
from integration.test_team_serving import running
from integration.two_machines import new_token
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.interfaces.mcp import calls
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

pytest_plugins = ["postgresql_fixtures"]
MCP, MEMORY = "/api/projects/{}/mcp", "/api/projects/{}/memory"
_TYPES = {"accept": "application/json, text/event-stream"}


class Agent:
    """An agent that asks with a token."""

    def __init__(self, client: TestClient, token: str) -> None:
        self.client, self.bearer = client, {"authorization": f"Bearer {token}"}

    def post(self, tool: str, project: str = "current", /, **given: Any) -> Any:
        """Call a tool; return the answer of HTTP."""
        params = {"name": tool, "arguments": given}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        headers = {**_TYPES, **self.bearer}
        return self.client.post(MCP.format(project), json=message, headers=headers)

    def call(self, tool: str, project: str = "current", /, **given: Any) -> tuple[bool, str]:
        """Call a tool; return whether it did it, and what it says."""
        result = self.post(tool, project, **given).json()["result"]
        return not result["isError"], result["content"][0]["text"]

    def memories(self) -> dict[str, dict[str, Any]]:
        """Return what is remembered, by its content."""
        answer = self.client.get(MEMORY.format("current"), headers=self.bearer).json()
        return {one["content"]: one for one in answer["memories"]}


@pytest.fixture
def served() -> Iterator[tuple[ProjectPool, TestClient]]:
    another = "02TESTTESTTESTTESTTESTTEST"
    with (
        temporary_workspace(git=True) as here,
        temporary_workspace(git=True, name="other", project_id=another) as other,
    ):
        roots = [one.project.place.root for one in (here, other)]
        pool = ProjectPool(roots, here.owner().home.path, team=True, hosts=[HOST])
        with TestClient(application(pool)) as client:
            yield pool, client
        pool.close()


def agent(served: tuple[ProjectPool, TestClient], name: str, role: str, where: str) -> Agent:
    pool, client = served
    pool.book.add(name, role, where)
    return Agent(client, pool.book.rotate(name))


def test_a_writer_s_agent_writes_in_its_user_s_name(
    served: tuple[ProjectPool, TestClient],
) -> None:
    ann = agent(served, "ann", "writer", "*")
    assert ann.call("remember", content="The tunnel is on port 5433")[0]
    kept = ann.memories()["The tunnel is on port 5433"]
    assert (kept["source"], kept["trust"]) == ("ann", "agent")
    assert "port 5433" in ann.call("recall", question="tunnel port")[1]
    assert ann.call("task", action="create", title="Dig it")[0]
    (made,) = ann.client.get("/api/projects/current/tasks", headers=ann.bearer).json()["tasks"]
    assert made["created_by"] == "ann"


def test_nothing_is_kept_for_whoever_runs_the_server(
    served: tuple[ProjectPool, TestClient],
) -> None:
    ann = agent(served, "ann", "writer", "*")
    taste = {"content": "Answer in short sentences", "kind": "preference", "for_user": True}
    assert ann.call("remember", **taste) == (False, "A team's server keeps nothing personal.")
    assert ann.memories() == {}


def test_a_reader_s_agent_reads_and_changes_nothing(served: tuple[ProjectPool, TestClient]) -> None:
    ann, rea = agent(served, "ann", "writer", "*"), agent(served, "rea", "reader", "*")
    ident = ann.call("remember", content="The tunnel is on port 5433")[1].split()[2].rstrip(",")
    for tool, given in (
        ("recall", {"question": "tunnel"}),
        ("memory", {"id": ident}),
        ("task", {"action": "list"}),
        ("brief", {}),
    ):
        assert rea.call(tool, **given)[0], tool
    for tool, given in (
        ("remember", {"content": "The tunnel is closed"}),
        ("memory", {"id": ident, "action": "hide"}),
        ("memory", {"id": ident, "action": "erase"}),
        ("task", {"action": "create", "title": "Dig another"}),
    ):
        done, told = rea.call(tool, **given)
        assert not done, tool
        assert "may only read" in told
    assert list(ann.memories()) == ["The tunnel is on port 5433"]


def test_each_project_is_its_own(served: tuple[ProjectPool, TestClient]) -> None:
    first, second = served[0].projects
    bob = agent(served, "bob", "writer", first.key)
    bob.call("remember", first.key, content="The tunnel is on port 5433")
    assert bob.post("recall", second.key, question="tunnel").status_code == 403
    assert bob.post("recall", "nowhere", question="tunnel").status_code == 403
    ann = agent(served, "ann", "reader", "*")
    assert "5433" not in ann.call("recall", second.key, question="tunnel port")[1]
    assert ann.post("recall", "nowhere", question="tunnel").status_code == 404
    nobody = Agent(served[1], "guessed")
    assert nobody.post("recall", question="tunnel").status_code == 401
    assert ann.client.get(MCP.format("current"), headers=ann.bearer).status_code == 405


def _said_by_a_person(ann: Agent) -> str:
    """Let an agent write over MCP, then a person over REST; return whose words the last are."""
    ann.call("remember", content="The tunnel is on port 5433")
    body = {"kind": "decision", "content": "The tunnel moves in May"}
    ann.client.post(MEMORY.format("current"), json=body, headers=ann.bearer)
    return served_trust(ann)


def served_trust(ann: Agent) -> str:
    pool: ProjectPool = ann.client.app.app.state.served  # type: ignore[attr-defined]
    with pool.projects[0].opened() as workspace:
        return workspace.project.trust


def test_whose_words_they_are_ends_with_the_call(
    served: tuple[ProjectPool, TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = agent(served, "ann", "writer", "*")
    assert _said_by_a_person(ann) != "agent"

    @contextmanager
    def for_good(workspace: Workspace) -> Iterator[None]:
        workspace.project.trust = "agent"
        yield

    monkeypatch.setattr(calls, "_as_agent", for_good)
    assert _said_by_a_person(ann) == "agent"  # the seeded bug


def test_any_worker_answers_clients_of_either_era(
    repository: str, tmp_path: Path, postgresql_url: str
) -> None:
    home, other = str(tmp_path / "home"), str(tmp_path / "other")
    shutil.copytree(repository, other)
    toml = Path(other, ".satchel", "project.toml")
    toml.write_text(toml.read_text().replace("01TEST", "02TEST"))
    words = ("--team", "--workers", "2", "--database", postgresql_url)
    with running(repository, home, *words, "--project", repository, "--project", other) as server:
        token = new_token(repository, home)

        async def work(name: str, mode: str) -> None:
            url = f"http://127.0.0.1:{server.port}/api/projects/{name}/mcp"
            async with over_http(url, token, mode=mode) as client:
                for number in range(4):
                    said = {"content": f"Lesson {number} of {name}, {mode}"}
                    assert not (await client.call_tool("remember", said)).is_error
                found = await client.call_tool("recall", {"question": f"lesson of {name} {mode}"})
                assert f"of {name}, {mode}" in found.content[0].text  # type: ignore[union-attr]

        async def everybody() -> None:
            async with anyio.create_task_group() as group:
                for mode in ERAS:
                    for name in ("shop", "other"):
                        group.start_soon(work, name, mode)

        anyio.run(everybody)
        with server.client() as client:
            for name, absent in (("shop", "other"), ("other", "shop")):
                page = client.get(MEMORY.format(name), params={"limit": 50}).json()
                said = [one["content"] for one in page["memories"]]
                assert len(said) == len(set(said)) == 8
                assert not any(f"of {absent}," in one for one in said)
