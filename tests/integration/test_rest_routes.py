"""What REST changes and shows beside Beads Console's routes: edits, keys, injections."""

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from satchel.features.injections.injection_ledger import InjectedItem, Injection
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

API = "/api/projects/current"


@pytest.fixture
def project() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as workspace:
        yield workspace


def served_by(project: Workspace, **options: Any) -> ProjectPool:
    root, home = project.project.place.root, project.owner().home.path
    return ProjectPool([root], home, hosts=["testserver"], **options)


def client_of(served: ProjectPool, token: str = "") -> TestClient:
    headers = {"authorization": f"Bearer {token or served.token}"}
    return TestClient(application(served), headers=headers)


@pytest.fixture
def client(project: Workspace) -> Iterator[TestClient]:
    with client_of(served_by(project)) as made:
        yield made


def kept(client: TestClient, content: str, kind: str = "learned") -> dict[str, Any]:
    answer = client.post(f"{API}/memory", json={"kind": kind, "content": content})
    assert answer.status_code == 201, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_what_a_memory_replaced_is_said(client: TestClient) -> None:
    assert kept(client, "the port is 8000")["replaced"] == []
    first = kept(client, "shop | deployed on | Heroku", "fact")
    second = kept(client, "shop | deployed on | Fly", "fact")
    assert [one["id"] for one in second["replaced"]] == [first["id"]]
    assert second["replaced"][0]["content"] == "shop | deployed on | Heroku"
    task = client.post(f"{API}/tasks", json={"title": "move"}).json()["id"]
    text = "FACT: shop | deployed on | Hetzner"
    told = client.post(f"{API}/tasks/{task}/comments", json={"text": text}).json()
    assert second["id"] in [one["id"] for one in told["replaced"]]


def test_a_memory_is_corrected_unless_somebody_was_faster(client: TestClient) -> None:
    url = f"{API}/memory/{kept(client, 'the port is 8000')['id']}"
    tag = client.get(url).headers["etag"]
    fits = {"If-Match": tag}
    done = client.patch(url, json={"content": "the port is 9000"}, headers=fits)
    assert (done.status_code, done.json()["content"]) == (200, "the port is 9000")
    late = client.patch(url, json={"content": "the port is 7000"}, headers=fits)
    assert late.status_code == 412
    assert late.json()["type"] == "/api/problems/changed-meanwhile"
    now = client.get(url)
    assert [now.json()["content"], now.json()["history"][0]["content"]] == [
        "the port is 9000",
        "the port is 8000",
    ]
    back = client.post(f"{url}/restore", json={"version": 1}, headers={"If-Match": tag})
    assert back.status_code == 412
    back = client.post(f"{url}/restore", json={"version": 1})
    assert back.json()["content"] == "the port is 8000"
    assert client.post(f"{url}/restore", json={"version": 99}).status_code == 404
    client.delete(url)
    assert client.post(f"{url}/restore").json()["content"] == "the port is 8000"


@pytest.mark.parametrize("what", ["tasks", "sessions"])
def test_tasks_and_sessions_are_not_changed_by_who_read_an_older_one(
    client: TestClient, what: str
) -> None:
    made = client.post(f"{API}/{what}", json={"title": "first"}).json()["id"]
    url = f"{API}/{what}/{made}"
    fits = {"If-Match": client.get(url).headers["etag"]}
    assert client.patch(url, json={"title": "second"}, headers=fits).status_code == 200
    assert client.patch(url, json={"title": "third"}, headers=fits).status_code == 412
    assert client.get(url).json()["title"] == "second"


def test_every_post_that_makes_something_takes_a_key(client: TestClient) -> None:
    task = client.post(f"{API}/tasks", json={"title": "first"}).json()["id"]
    for number, (path, body) in enumerate(
        {
            "memory": {"kind": "decision", "content": "the port is 9000"},
            "sessions": {"title": "move"},
            f"tasks/{task}/comments": {"text": "LEARNED: the port is 9000"},
        }.items()
    ):
        key = {"Idempotency-Key": f"key {number}"}
        first, again = (client.post(f"{API}/{path}", json=body, headers=key) for _ in range(2))
        assert first.is_success, first.text
        assert (again.status_code, again.json()) == (first.status_code, first.json())


def shown(project: Workspace, ident: str, session: str) -> None:
    item = InjectedItem("i", ident, "lessons", 1, 9, "of this task", "the words")
    made = Injection(
        int(project.project.clock.now()), session, "SessionStart", "", 9, 2000, 0, (item,)
    )
    project.injections.note(made)


def test_what_agents_were_shown_is_told_by_session_and_memory(
    client: TestClient, project: Workspace
) -> None:
    one, two = kept(client, "the first"), kept(client, "the second")
    shown(project, one["id"], "s-1")
    shown(project, two["id"], "s-2")
    every = client.get(f"{API}/injections").json()
    assert [each["sessionId"] for each in every["injections"]] == ["s-2", "s-1"]
    (found,) = client.get(f"{API}/injections", params={"memoryId": one["id"]}).json()["injections"]
    assert found["items"][0]["text"] == "the words"
    asked = client.get(f"{API}/injections", params={"sessionId": "s-2"}).json()
    assert asked["total"] == 1
    with client_of(served_by(project, team=True)) as others:
        told = others.get(f"{API}/injections").text
    assert "the words" not in told
    assert "the first" in told  # as the project says it now


def test_tasks_that_other_hands_wrote_are_told_as_far_as_they_fit(
    client: TestClient, project: Workspace
) -> None:
    first = client.post(f"{API}/tasks", json={"title": "a task"}).json()["id"]
    odd = {"id": "odd-1", "title": 5, "status": ["x"], "priority": "high", "labels": "none",
           "description": {"a": 1}, "issue_type": None, "created_at": 3, "own": {"kept": True}}  # fmt: skip
    (path,) = filter(os.path.exists, project.project.tracked.tasks)
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(odd) + "\n")
    listed = client.get(f"{API}/tasks")
    assert listed.status_code == 200, listed.text
    found = {one["id"]: one for one in listed.json()["tasks"]}
    assert set(found) == {first, "odd-1"}
    assert (found["odd-1"]["priority"], found["odd-1"]["own"]) == (2, {"kept": True})
    assert client.get(f"{API}/tasks/odd-1").status_code == 200
