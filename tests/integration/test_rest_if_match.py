"""Of those who change what they all read at once, exactly one does: `If-Match` under the lock."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Self

import pytest
from starlette.testclient import TestClient

from satchel.features.memories.service import Memories
from satchel.interfaces.http.main import application
from satchel.interfaces.http.rest.responses import require_if_match
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.storage.locks import NestingLock
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

API = "/api/projects/current"
#: How many ask at once, each a worker of its own; how often, so that a race shows itself.
_WRITERS, _ROUNDS = 3, 8
#: Seconds between comparing and writing where a bug is seeded.
_OPEN = 0.05
_ONE_DID = [200] + [412] * (_WRITERS - 1)


class Way(NamedTuple):
    """One way to change something: how it is made, and what each of several sends."""

    make: Callable[[TestClient], str]
    method: str
    body: Callable[[int], dict[str, Any] | None]
    below: str = ""


def memory(client: TestClient) -> str:
    made = client.post(f"{API}/memory", json={"kind": "learned", "content": "the port is 8000"})
    return f"{API}/memory/{made.json()['id']}"


def deleted_memory(client: TestClient) -> str:
    url = memory(client)
    client.delete(url)
    return url


def task(client: TestClient) -> str:
    return f"{API}/tasks/{client.post(f'{API}/tasks', json={'title': 'move'}).json()['id']}"


def session(client: TestClient) -> str:
    made = client.post(f"{API}/sessions", json={"title": "move", "start": True}).json()
    return f"{API}/sessions/{made['id']}"


def intent(client: TestClient) -> str:
    client.put(f"{API}/intent", json={"content": "# Shop\n"})
    return f"{API}/intent"


WAYS = {
    "edit a memory": Way(memory, "PATCH", lambda n: {"content": f"the port is {9000 + n}"}),
    "say the same": Way(memory, "PATCH", lambda _: {"content": "the port is 9000"}),
    "delete a memory": Way(memory, "DELETE", lambda _: None),
    "restore a memory": Way(deleted_memory, "POST", lambda _: None, "/restore"),
    "change a task": Way(task, "PATCH", lambda n: {"title": f"title {n}"}),
    "close a task": Way(task, "PATCH", lambda n: {"status": "closed", "summary": f"by {n}"}),
    "change a session": Way(session, "PATCH", lambda n: {"title": f"title {n}"}),
    "tag a session": Way(session, "PATCH", lambda n: {"addTags": [f"by-{n}"]}),
    "pause a session": Way(session, "PATCH", lambda _: {"status": "paused"}),
    "close a session": Way(session, "DELETE", lambda _: None),
    "replace the intent": Way(intent, "PUT", lambda n: {"content": f"# Shop {n}\n"}),
}


@pytest.fixture(scope="module")
def clients() -> Iterator[list[TestClient]]:
    with temporary_workspace(git=True) as project:
        yield [client_of(project) for _ in range(_WRITERS)]


def client_of(project: Workspace) -> TestClient:
    root, home = project.project.place.root, project.owner().home.path
    served = ProjectPool([root], home, hosts=["testserver"])
    served.limit.burst, served.limit.per_second = 10**9, 1e9
    bearer = {"authorization": f"Bearer {served.token}"}
    return TestClient(application(served), headers=bearer)


def at_once(clients: list[TestClient], way: Way) -> list[int]:
    """Let every client change what all of them read; return what each was answered."""
    url = way.make(clients[0])
    fits = {"If-Match": clients[0].get(url).headers["etag"]}
    for client in clients:
        client.get(url)  # its routes are built, its workspace is open
    ready, answers = threading.Barrier(len(clients)), [0] * len(clients)

    def change(number: int, client: TestClient) -> None:
        ready.wait(30)
        answer = client.request(way.method, url + way.below, json=way.body(number), headers=fits)
        answers[number] = answer.status_code

    threads = [threading.Thread(target=change, args=one) for one in enumerate(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return sorted(answers)


@pytest.mark.parametrize("way", WAYS.values(), ids=list(WAYS))
def test_of_those_who_change_what_all_of_them_read_one_does(
    clients: list[TestClient], way: Way
) -> None:
    assert [at_once(clients, way) for _ in range(_ROUNDS)] == [_ONE_DID] * _ROUNDS


def compare_memories_before_the_lock(patch: pytest.MonkeyPatch) -> None:
    revise = Memories._revise

    def early(self: Memories, reference: str, change: Any, check: Any = None) -> Any:
        if check is not None:
            check(self.history(reference))
            time.sleep(_OPEN)
        return revise(self, reference, change)

    patch.setattr(Memories, "_revise", early)


def compare_without_a_lock(patch: pytest.MonkeyPatch) -> None:
    class Early(NestingLock):
        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            """Nothing was taken."""

    def slowly(given: str, now: str) -> None:
        require_if_match(given, now)
        time.sleep(_OPEN)

    for place in ("features.tasks.files", "features.sessions.archive_service"):
        patch.setattr(f"satchel.{place}.NestingLock", Early)
    patch.setattr("satchel.interfaces.http.rest.responses.require_if_match", slowly)


@pytest.mark.parametrize(
    ("seed", "name"),
    [
        (compare_memories_before_the_lock, "edit a memory"),
        (compare_memories_before_the_lock, "delete a memory"),
        (compare_without_a_lock, "change a task"),
        (compare_without_a_lock, "change a session"),
    ],
)
def test_a_comparison_that_is_not_under_the_lock_lets_several_through(
    monkeypatch: pytest.MonkeyPatch, seed: Callable[[pytest.MonkeyPatch], None], name: str
) -> None:
    seed(monkeypatch)
    with temporary_workspace(git=True) as project:
        clients = [client_of(project) for _ in range(_WRITERS)]
        assert any(at_once(clients, WAYS[name]).count(200) > 1 for _ in range(_ROUNDS))
