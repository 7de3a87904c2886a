"""Whatever takes an `Idempotency-Key` is done once, though its server dies between write and answer."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from integration.test_postgresql_moving import satchel
from integration.test_team_serving import Running
from integration.test_team_serving import repository as repository  # noqa: PLC0414 -- a fixture

API = "/api/projects/current"
#: What is asked with a key: the route, and the body.
ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "/memory": ("/memory", {"kind": "decision", "content": "The tunnel is on port 5433"}),
    "/tasks": ("/tasks", {"title": "Open the tunnel", "blockedBy": ["{task}"]}),
    "/tasks/{taskId}/comments": (
        "/tasks/{task}/comments",
        {"text": "LEARNED: the tunnel needs port 5433\nFACT: tunnel | ends | in Bonn"},
    ),
    "/sessions": ("/sessions", {"title": "another", "start": True}),
    "/chat/{sessionId}": ("/chat/{session}", {"message": "Where does the tunnel end?"}),
    "/tables/{table}/rows": ("/tables/workflows/rows", {"values": {"name": "Nightly"}}),
}
_SECONDS = 60
#: Serves until it has done a request with a key, and is killed before it keeps what it answers.
_KILLED = """
import os, signal
from satchel.features.access.idempotency import IdempotencyStore
keep = IdempotencyStore._keep
def killed(store, fd, held):
    if "status" in held:
        os.kill(os.getpid(), signal.SIGKILL)
    keep(store, fd, held)
IdempotencyStore._keep = killed
"""
#: A seeded bug: what is written has an id of its own, not one that is made of the key.
_FORGETFUL = """
from satchel.features.access.idempotency import RequestName
RequestName.ident = lambda *_: ""
"""
_SERVE = "from satchel.__main__ import main; main()"


class Patched(Running):
    """A server that begins with statements of the test's."""

    def __init__(self, root: str, home: str, *statements: str) -> None:
        self.program = ("-c", "\n".join((*statements, _SERVE)))
        super().__init__(root, home)


@contextmanager
def serving(root: str, home: str, *statements: str) -> Iterator[Patched]:
    server = Patched(root, home, *statements)
    try:
        yield server
    finally:
        server.close()


def post(client: httpx.Client, path: str, body: dict[str, Any], key: str = "") -> httpx.Response:
    answer = client.post(f"{API}{path}", json=body, headers={"Idempotency-Key": key} if key else {})
    assert answer.is_success, f"{path}: {answer.text}"
    return answer


def asked_about(client: httpx.Client) -> dict[str, str]:
    """Make what the requests are about; return their ids."""
    return {
        "task": post(client, "/tasks", {"title": "Find it"}).json()["id"],
        "session": post(client, "/sessions", {"title": "one", "start": True}).json()["id"],
    }


def filled(value: Any, known: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: filled(one, known) for name, one in value.items()}
    if isinstance(value, list):
        return [filled(one, known) for one in value]
    return value.format(**known) if isinstance(value, str) else value


def state(client: httpx.Client, root: str, home: str) -> dict[str, Any]:
    """What there is: the project's files, how many lines its ledgers have, and what was said."""
    told: dict[str, Any] = {
        str(path): path.read_text() for path in Path(root, ".satchel").rglob("*") if path.is_file()
    }
    lines = {
        str(path): len(path.read_bytes().splitlines())
        for path in Path(home, "projects").rglob("*.jsonl")
    }
    told |= {path: count for path, count in lines.items() if "injection" not in path}
    found = client.get(f"{API}/sessions").json()["sessions"]
    for one in found:
        told[one["id"]] = len(client.get(f"{API}/sessions/{one['id']}").json()["messages"])
    return told


def done_twice(root: str, home: str, bug: str = "") -> list[str]:
    """Kill a server after each request and ask again; return the routes that did it twice.

    What a killed one has written is read from the next, before that one is killed or asked again.
    """
    code, text = satchel(root, home, "tables", "init", "foundation", "workflows")
    assert code == 0, text
    with serving(root, home, bug) as server, server.client() as client:
        known = asked_about(client)
    asked = {
        what: (path.format(**known), filled(body, known)) for what, (path, body) in ASKED.items()
    }
    states = []
    for path, body in asked.values():
        with serving(root, home, bug, _KILLED) as server, server.client() as client:
            states.append(state(client, root, home))
            with pytest.raises(httpx.HTTPError):
                post(client, path, body, "key")
            assert server.process.wait(_SECONDS) == -signal.SIGKILL
    twice = []
    with serving(root, home, bug) as server, server.client() as client:
        before = state(client, root, home)
        for path, was, written in zip(asked, states, [*states[1:], before], strict=True):
            assert written != was, f"{path}: killed before it wrote"
        for what, (path, body) in asked.items():
            first = post(client, path, body, "key").json()
            assert post(client, path, body, "key").json() == first
            now = state(client, root, home)
            if now != before:
                twice.append(what)
            before = now
    return twice


def test_what_was_done_before_the_server_was_killed_is_not_done_again(
    repository: str, tmp_path: Path
) -> None:
    assert done_twice(repository, str(tmp_path / "home")) == []


def test_an_id_that_is_not_made_of_the_key_is_found_out(repository: str, tmp_path: Path) -> None:
    """Seeded bug."""
    assert done_twice(repository, str(tmp_path / "home"), _FORGETFUL) == list(ASKED)


def test_every_route_that_takes_a_key_is_asked_here(repository: str, tmp_path: Path) -> None:
    with serving(repository, str(tmp_path / "home")) as server, server.client() as client:
        paths = client.get("/api/openapi.json").json()["paths"]
    keyed = {
        path.removeprefix("/api/projects/{projectId}")
        for path, ways in paths.items()
        for way in ways.values()
        if any(one["name"] == "Idempotency-Key" for one in way.get("parameters", ()))
    }
    assert keyed == set(ASKED)
