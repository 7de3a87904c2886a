"""Every way to delete a shared memory says that colleagues go on seeing it, and what ends that."""

import json
import urllib.parse
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from integration.installed import Machine
from integration.mcp_machine import Lines
from satchel.application.exchange import sharing
from satchel.core.ids import short_id
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.storage.ledger.record import Record
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

HOST = "127.0.0.1:8377"
PAGE = {"host": HOST, "accept": "text/html", "user-agent": "A browser", "accept-language": "de"}
GOES_ON = "colleagues go on seeing it, in .satchel/knowledge.jsonl"


@pytest.fixture
def project() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as workspace:
        yield workspace


@pytest.fixture
def client(project: Workspace) -> Iterator[TestClient]:
    root, home = project.project.place.root, project.owner().home.path
    served = ProjectPool([root], home, hosts=[HOST])
    with TestClient(application(served), follow_redirects=False) as made:
        made.post("/console/login", headers=PAGE, data={"token": served.token})
        made.headers.update({**PAGE, "authorization": f"Bearer {served.token}"})
        yield made
    served.close()


def by_rest(client: TestClient, record: Record) -> str:
    return str(client.delete(f"/api/projects/current/memory/{record.id}").json()["note"])


def by_console(client: TestClient, record: Record) -> str:
    listed = client.get("/console/", headers=PAGE).headers.get("location", "")
    base = listed.rpartition("/")[0]
    answer = client.post(f"{base}/memory/{record.id}/hide", headers={"origin": f"http://{HOST}"})
    assert answer.status_code == 303, answer.text
    asked = urllib.parse.urlsplit(answer.headers["location"]).query
    return urllib.parse.parse_qs(asked)["told"][0]


def shared(project: Workspace) -> Record:
    record = project.learn("Retry the upload three times before giving up.")
    sharing.share(project.memories.own, [record])
    return record


@pytest.mark.parametrize("delete", [by_rest, by_console])
def test_a_server_says_that_colleagues_see_what_was_deleted(
    project: Workspace, client: TestClient, delete: Callable[[TestClient, Record], str]
) -> None:
    record = shared(project)
    said = delete(client, record)
    assert GOES_ON in said
    assert f"`satchel share {short_id(record.id)}`" in said
    assert "colleagues" not in delete(client, project.learn("The relay is in the cellar."))


def test_the_mcp_server_says_so(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    at = machine.repository()
    made = ("remember", "--kind", "fact", "--json")
    ident = machine.json(*made, "api | listens on | port 8080", at=at)["id"]
    private = machine.json(*made, "--private", "relay | stands in | the cellar", at=at)["id"]
    machine.ok("share", ident, "--yes", at=at)
    with Lines(machine, at, "serve", "--profile", "foundation") as lines:
        lines.hello()

        def note(ident: str) -> str:
            answer = lines.call("memory_delete", id=ident)
            return str(json.loads(answer["content"][0]["text"])["note"])

        said = note(ident)
        assert GOES_ON in said
        assert f"`satchel share {short_id(ident)}`" in said
        assert note(private) == ""


def test_an_answer_that_leaves_colleagues_out_is_noticed(
    project: Workspace, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "is_still_shared", lambda *_: False)
    assert GOES_ON not in by_rest(client, shared(project))
    assert GOES_ON not in by_console(client, shared(project))


def test_recall_says_of_your_own_memory_that_colleagues_have_it(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    at = machine.repository()
    machine.ok("learn", "Uploads are retried three times", at=at)
    ident = machine.json("list", at=at)[0]["id"]
    assert "  private · " in machine.ok("recall", "uploads retried", at=at)
    machine.ok("share", ident, "--yes", at=at)
    for more in ([], ["--limit", "5"], ["--everywhere"]):
        said = machine.ok("recall", "uploads retried", *more, at=at)
        assert "  shared · " in said
        assert "private" not in said
