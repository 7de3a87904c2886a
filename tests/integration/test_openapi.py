"""What the OpenAPI document says of every operation, and that the server keeps to it."""

from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from satchel.interfaces.http.main import application
from satchel.interfaces.http.rest.description import openapi_of, operations
from satchel.interfaces.http.server.problem_types import BY_NAME, PROBLEMS
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

API = "/api/projects/current"
Document = dict[str, Any]


@pytest.fixture(scope="module")
def project() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as workspace:
        workspace.learn("the linter runs before every push")
        yield workspace


@pytest.fixture(scope="module")
def client(project: Workspace) -> Iterator[TestClient]:
    root, home = project.project.place.root, project.owner().home.path
    served = ProjectPool([root], home, hosts=["testserver"])
    served.limit.burst, served.limit.per_second = 10**9, 1e9
    bearer = {"authorization": f"Bearer {served.token}"}
    with TestClient(application(served), headers=bearer) as made:
        yield made


@pytest.fixture(scope="module")
def document(client: TestClient) -> Document:
    found: Document = client.get("/api/openapi.json").json()
    return found


def resolved(document: Document, part: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in part:
        *_, kind, name = part["$ref"].split("/")
        part = document["components"][kind][name]
    return part


def shapes(document: Document, schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The schemas that a value may have."""
    found = resolved(document, schema)
    several = found.get("anyOf", [found])
    return [found] if several == [found] else [s for o in several for s in shapes(document, o)]


def undescribed(document: Document) -> list[str]:
    """What a reader, or a generator of clients, would miss."""
    tags = {one["name"] for one in document["tags"] if one["description"]}
    missing = [] if document.get("servers") else ["servers"]
    names = [one["operationId"] for *_, one in operations(document)]
    missing += [f"{name}: twice" for name in set(names) if names.count(name) > 1]
    for _, _, one in operations(document):
        name = one["operationId"]
        missing += [] if set(one.get("tags", [""])) <= tags else [f"{name}: tag"]
        missing += [] if one.get("summary") and one.get("description") else [f"{name}: words"]
        for each in one.get("parameters", []):
            missing += [] if each.get("description") else [f"{name}: {each['name']}"]
        good = [answer for status, answer in one["responses"].items() if status[0] == "2"]
        for part in [*good, *([one["requestBody"]] if "requestBody" in one else [])]:
            for kind, content in part["content"].items():
                if kind == "application/json":
                    missing += [
                        f"{name}: schema" for s in shapes(document, content["schema"])
                        if not s.get("properties") and s.get("type") != "null"
                    ]  # fmt: skip
                missing += [] if "example" in content else [f"{name}: example of {kind}"]
        for status, answer in one["responses"].items():
            if status[0] in "45" and not resolved(document, answer).get("content"):
                missing.append(f"{name}: {status}")
    for name, schema in document["components"]["schemas"].items():
        for field, inside in schema.get("properties", {}).items():
            missing += [] if inside.get("description") else [f"{name}.{field}"]
    return missing


def test_every_operation_and_every_field_is_described(document: Document) -> None:
    assert undescribed(document) == []
    assert sum(1 for _ in operations(document)) >= 41
    assert sum(len(one.get("properties", {})) for one in document["components"]["schemas"].values())


def test_a_route_that_says_nothing_of_its_answer_is_noticed() -> None:
    app = FastAPI()

    @app.get("/api/nothing", tags=["server"], summary="Nothing")
    def nothing() -> dict[str, Any]:
        return {}

    missing = undescribed(openapi_of(app))
    assert "nothing_api_nothing_get: schema" in missing
    assert "nothing_api_nothing_get: words" in missing


def test_examples_are_such_as_the_schemas_say(document: Document) -> None:
    checked = 0
    for _, _, one in operations(document):
        answers = [resolved(document, answer) for answer in one["responses"].values()]
        for part in [*answers, *([one["requestBody"]] if "requestBody" in one else [])]:
            for kind, content in part.get("content", {}).items():
                if "json" in kind:
                    schema = {**content["schema"], "components": document["components"]}
                    jsonschema_rs.Draft202012Validator(schema).validate(content["example"])
                    checked += 1
    assert checked > 380


def test_operations_are_refused_as_they_say_and_in_no_other_way(
    client: TestClient, document: Document
) -> None:
    """What anybody can provoke: no token, no such project, a wrong field, too large a body."""
    wrong = []
    for path, method, one in operations(document):
        said = {int(status) for status in one["responses"] if status[0] in "45"}
        filled = path.replace("{projectId}", "nowhere").replace("{", "").replace("}", "")
        if "requestBody" in one:
            large = {"content-type": "application/json", "content-length": "9" * 9}
            seen = client.request(method, filled, headers=large)
            wrong += [] if seen.status_code == 413 and 413 in said else [f"{method} {path} 413"]
        refused = client.request(method, filled, headers={"authorization": ""})
        if (refused.status_code == 401) != (401 in said):
            wrong.append(f"{method} {path} 401")
        if "{projectId}" in path:
            body: dict[str, Any] = {"json": {"unknown": 1}} if "requestBody" in one else {}
            seen = client.request(method, filled, **body)
            if seen.status_code not in {404, 422} or not {404, 422} <= said:
                wrong.append(f"{method} {path} 404")
            seen = client.request(method, filled.replace("nowhere", "n" * 201), **body)
            wrong += [] if seen.status_code == 422 else [f"{method} {path} 422"]
        elif not {one["in"] for one in one.get("parameters", [])} - {"header"}:
            wrong += [f"{method} {path} 422"] if 422 in said and "requestBody" not in one else []
    assert wrong == []


def test_a_problem_says_its_kind_where_it_was_and_every_wrong_field(client: TestClient) -> None:
    body = {"title": "x" * 501, "kind": "nonsense", "tags": ["", "ok"], "data": {"a/b": 1}, "z": 1}
    answer = client.post(f"{API}/memory", json=body)
    told = answer.json()
    assert (answer.status_code, told["instance"]) == (422, f"{API}/memory")
    places = {one["pointer"] for one in told["errors"]}
    assert places == {"#/title", "#/kind", "#/tags/0", "#/content", "#/z"}
    asked = client.get(f"{API}/memory", params={"limit": 0, "kind": "nonsense"}).json()
    assert {one["parameter"] for one in asked["errors"]} == {"limit", "kind.0"}
    broken = client.post(
        f"{API}/memory", content=b"{", headers={"content-type": "application/json"}
    )
    assert broken.json()["errors"][0]["pointer"] == "#"


def test_the_kind_of_every_problem_leads_to_its_page(client: TestClient) -> None:
    refused = client.get(f"{API}/memory", headers={"authorization": ""}).json()
    unknown = client.get("/api/nowhere").json()
    assert (refused["type"], unknown["type"]) == (
        f"{PROBLEMS}/unauthorized", f"{PROBLEMS}/not-found"
    )  # fmt: skip
    assert (refused["instance"], unknown["instance"]) == (f"{API}/memory", "/api/nowhere")
    for name, one in BY_NAME.items():
        page = client.get(f"{PROBLEMS}/{name}", headers={"authorization": ""})
        assert page.status_code == 200
        assert f"<h1>{one.status} {name}</h1>" in page.text
    assert client.get(f"{PROBLEMS}/nonsense").status_code == 404


def test_the_documentation_needs_neither_token_nor_network_nor_script(
    client: TestClient, document: Document
) -> None:
    page = client.get("/api/docs", headers={"authorization": ""})
    assert page.status_code == 200
    for _, _, one in operations(document):
        assert f'id="{one["operationId"]}"' in page.text
    for name in document["components"]["schemas"]:
        assert f'id="{name}"' in page.text
    assert "<script" not in page.text
    assert "http://" not in page.text
    assert "https://" not in page.text
    links = {part.partition('"')[0] for part in page.text.split('href="')[1:]}
    ids = {part.partition('"')[0] for part in page.text.split('id="')[1:]}
    for link in links:
        if link.startswith("#"):
            assert link[1:] in ids
        else:
            assert client.get(link, headers={"authorization": ""}).status_code == 200, link
    assert client.get("/api/openapi.json", headers={"authorization": ""}).status_code == 200


def test_whatever_is_read_is_sent_once(client: TestClient, document: Document) -> None:
    asked = 0
    for path, method, one in operations(document):
        needed = [each["name"] for each in one.get("parameters", []) if each.get("required")]
        if "304" not in one["responses"] or needed not in ([], ["projectId"]):
            continue
        url = path.replace("{projectId}", "current")
        client.request(method, url)  # the first one may build an index
        first = client.request(method, url)
        again = client.request(method, url, headers={"If-None-Match": first.headers["etag"]})
        assert first.status_code == 200, url
        # What tells of time or size as it goes is another answer each time.
        assert again.status_code == 304 or path.endswith(("/stats", "/health")), url
        assert again.status_code != 304 or again.content == b""
        asked += 1
    assert asked >= 12


def test_an_answer_that_is_not_as_described_is_not_sent(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seeded bug: a view forgets a field, and spells another as it likes."""
    from satchel.interfaces.http.rest import views

    whole = views.memory

    def forgets(*given: Any) -> dict[str, Any]:
        told = whole(*given)
        told["relevance"] = told.pop("relevanceScore")
        return told

    assert client.get(f"{API}/memory").status_code == 200
    monkeypatch.setattr(views, "memory", forgets)
    with pytest.raises(Exception, match="relevanceScore"):
        client.get(f"{API}/memory")
