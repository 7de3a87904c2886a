"""Bodies of Beads Console's document, to the letter; expiry; restoring."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from satchel.core import times
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.interfaces.mcp.tools import beads_memory
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

API = "/api/projects/current"


@pytest.fixture
def project() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as workspace:
        yield workspace


@pytest.fixture
def client(project: Workspace) -> Iterator[TestClient]:
    root, home = project.project.place.root, project.owner().home.path
    served = ProjectPool([root], home, hosts=["testserver"])
    bearer = {"authorization": f"Bearer {served.token}"}
    with TestClient(application(served), headers=bearer) as made:
        yield made


def test_the_documents_own_bodies_are_taken(client: TestClient, project: Workspace) -> None:
    root = Path(project.project.place.root)
    (root / "user.ts").write_text("export function findUser(id: string) {\n  return id\n}\n")
    link = {"projectId": "proj-123", "beadId": "task-123", "anchor": "constraints.tech-stack"}
    link |= {"relevance": "primary", "note": "Implements database layer per tech stack"}
    assert client.post(f"{API}/intent/links", json=link).status_code != 422
    made = client.post(
        f"{API}/sessions",
        json={"projectId": "proj-123", "beadId": "task-123", "agentId": "backend-architect"},
    ).json()
    assert made["agentName"] == "backend-architect"
    assert made["agentId"] == "backend-architect"
    path = f"{API}/sessions/{made['id']}"
    assert client.patch(path, json={"summary": "The form"}).json()["summary"] == "The form"
    assert client.patch(path, json={"title": "Login form"}).json()["title"] == "Login form"
    asked = {"projectId": "proj-123", "task": "find user", "tokenBudget": 30_000}
    pack = client.post(f"{API}/packs", json=asked).json()
    assert "user.ts" in str(pack)
    manual = {"method": "manual", "files": ["user.ts"], "profile": "web", "tokenBudget": 9_000}
    pack = client.post(f"{API}/packs", json=manual).json()
    assert pack["generationMethod"] == "manual"
    assert [one["path"] for one in pack["files"]] == ["user.ts"]
    assert client.post(f"{API}/packs", json={"method": "codegraph"}).status_code == 400
    assert client.post(f"{API}/packs", json={**asked, "tokenBudgets": 1}).status_code == 422


def listed_id(client: TestClient, kind: str) -> str:
    (one,) = client.get(f"{API}/memory?kind={kind}").json()["memories"]
    return str(one["id"])


def test_expiry_is_one_everywhere_and_what_was_deleted_comes_back(
    client: TestClient, project: Workspace
) -> None:
    body = {"projectId": "p", "kind": "decision", "title": "Use JWT", "content": "JWT for the API"}
    told = client.post(f"{API}/memory", json=body).json()
    record = project.memories.find(told["id"]).record
    days = (times.seconds_of(told["expiresAt"]) or 0) - record.when
    assert days == 90 * 86_400
    assert beads_memory.memory_entry(record, "p")["expiresAt"] == told["expiresAt"]
    client.post(f"{API}/memory", json={**body, "kind": "constraint", "content": "No sessions"})
    for asked, total in (("kinds=decision,constraint", 2), ("kinds=constraint", 1), ("kind=x", 0)):
        listed = client.get(f"{API}/memory?{asked}")
        assert listed.json().get("total", 0) == total, asked
    client.delete(f"{API}/memory/{listed_id(client, 'constraint')}")
    assert client.delete(f"{API}/memory/{told['id']}").status_code == 200
    assert client.get(f"{API}/memory").json()["total"] == 0
    back = client.post(f"{API}/memory/{told['id']}/restore")
    assert (back.status_code, back.json()["content"]) == (200, "JWT for the API")
    assert client.get(f"{API}/memory").json()["total"] == 1


def test_a_misspelt_filter_is_refused_by_name(client: TestClient) -> None:
    wrong = client.get(f"{API}/memory", params={"knids": "decision", "limit": 3, "cursr": "x"})
    assert wrong.status_code == 422
    assert [one["parameter"] for one in wrong.json()["errors"]] == ["knids", "cursr"]
    assert "kinds" in wrong.json()["detail"]
    assert client.get(f"{API}/memory", params={"kinds": "decision"}).status_code == 200


def test_a_field_is_refused_in_our_words_alone(client: TestClient) -> None:
    body = {"kind": "learned", "content": "tea", "expiresAt": "tomorrow"}
    wrong = client.post(f"{API}/memory", json=body).json()
    assert wrong["errors"][0]["detail"].startswith("not an ISO 8601 time")
    assert wrong["detail"].startswith("body.expiresAt: not an ISO 8601 time")
