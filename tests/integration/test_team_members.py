"""One of a team: what they write carries their name, and both ways in allow the same."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from starlette.testclient import TestClient

from satchel.features.access.users import Identity
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

API = "/api/projects/current"
HOST = "testserver"


@pytest.fixture
def project() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as workspace:
        with open(workspace.project.tracked.intent, "w", encoding="utf-8") as file:
            file.write("# Shop {#anchor:overview}\nSells.\n")
        with workspace.tables as tables:
            tables.write_preset("foundation", only=("suppliers",))
        yield workspace


@contextmanager
def ann(project: Workspace, role: str) -> Iterator[TestClient]:
    """Ask as ann, by her token and in the console."""
    root, home = project.project.place.root, project.owner().home.path
    served = ProjectPool([root], home, team=True, hosts=[HOST])
    served.book.add("ann", role, "*")
    token = served.book.issue("ann")
    bearer = {"authorization": f"Bearer {token}"}
    with TestClient(application(served), headers=bearer, follow_redirects=False) as client:
        yield client
    served.close()


def authors(project: Workspace) -> dict[str, str]:
    """Let ann write everything that has an author; return whom each names."""
    with ann(project, "writer") as client:
        task = client.post(f"{API}/tasks", json={"title": "by the API"}).json()
        said = {"text": "LEARNED: the tunnel must be open before a deploy"}
        (learnt,) = client.post(f"{API}/tasks/{task['id']}/comments", json=said).json()[
            "remembered"
        ]
        note = {"kind": "learned", "content": "the harbour relay listens on 9000"}
        memory = client.post(f"{API}/memory", json=note).json()
        link = {"beadId": task["id"], "anchor": "overview"}
        linked = client.post(f"{API}/intent/links", json=link).json()
        row = {"values": {"name": "Acme"}}
        assert client.post(f"{API}/tables/suppliers/rows", json=row).status_code == 201
        pages = f"/console/{project.project.key}"
        assert client.post(f"{pages}/work", data={"title": "by the form"}).status_code == 303
        (formed,) = [
            one["id"]
            for one in client.get(f"{API}/tasks").json()["tasks"]
            if one["title"] == "by the form"
        ]
        form = {"task": formed, "anchor": "overview"}
        assert client.post(f"{pages}/work/link", data=form).status_code == 303
        made = {one["title"]: one for one in client.get(f"{API}/tasks").json()["tasks"]}
        shown = client.get(f"{API}/tasks/{task['id']}").json()
        links = {one["beadId"]: one for one in client.get(f"{API}/intent/links").json()["links"]}
        taught = client.get(f"{API}/memory/{learnt}").json()
    with project.tables as tables:
        (added,) = tables.tables().rows("suppliers")
    return {
        "task": made["by the API"].get("created_by"),
        "task of a form": made["by the form"].get("created_by"),
        "comment": shown["comments"][0]["author"],
        "what a comment taught": taught["source"],
        "memory": memory["source"],
        "link": linked["addedBy"],
        "link of a form": links[formed]["addedBy"],
        "row": added.agent,
    }


def test_what_one_of_a_team_writes_carries_their_name(project: Workspace) -> None:
    found = authors(project)
    assert found == dict.fromkeys(found, "ann")


def test_a_server_that_writes_in_its_own_name_is_found_out(
    project: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    monkeypatch.setattr(Identity, "author", "")
    wrong = [name for name, who in authors(project).items() if who != "ann"]
    assert len(wrong) >= 7


def test_a_reader_makes_a_pack_in_the_console_and_by_the_api_alike(project: Workspace) -> None:
    with ann(project, "reader") as client:
        pages = f"/console/{project.project.key}"
        assert client.get(f"{pages}/explore/packs?q=readme").status_code == 200
        assert client.post(f"{API}/packs", json={"task": "readme"}).status_code == 200
        for path in ("tasks", "packs/more", "memory"):
            assert client.post(f"{API}/{path}", json={"task": "readme"}).status_code == 403
    root, home = project.project.place.root, project.owner().home.path
    served = ProjectPool([root], home, team=True, hosts=[HOST])
    served.book.add("eve", "reader", "another")
    bearer = {"authorization": f"Bearer {served.book.issue('eve')}"}
    with TestClient(application(served), headers=bearer) as client:
        assert client.post(f"{API}/packs", json={"task": "readme"}).status_code == 403
    served.close()


def pages_that_may_be_framed(project: Workspace) -> list[str]:
    with ann(project, "writer") as client:
        pages = f"/console/{project.project.key}"
        answers = {
            name: client.get(f"{pages}/{name}")
            for name in ("home", "explore", "explore?view=whole", "explore/picture", "work")
        }
    assert {one.status_code for one in answers.values()} == {200}
    here, nowhere = "frame-ancestors 'self'", "frame-ancestors 'none'"
    return [
        name
        for name, one in answers.items()
        if (here if name == "explore/picture" else nowhere)
        not in one.headers["content-security-policy"].split("; ")
    ]


def test_no_page_may_be_framed_but_the_picture_by_its_own_console(project: Workspace) -> None:
    assert pages_that_may_be_framed(project) == []


def test_a_picture_with_a_policy_of_its_own_alone_is_noticed(
    project: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    from satchel.interfaces.http.console.routes import explore

    assert vars(explore)["FRAMED_HERE"]
    monkeypatch.setattr(explore, "FRAMED_HERE", "")
    assert pages_that_may_be_framed(project) == ["explore/picture"]
