"""A server among clients that mean ill, and one whose ground is pulled away while it serves."""

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from integration.installed import COMMAND, Machine
from satchel.features.access.limits import MOST_SILENT, MOST_STRANGERS
from satchel.features.access.secrets import rotate_installation_token
from satchel.features.access.users import READER
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server import messages
from satchel.interfaces.http.server.middleware import RequestGuard
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

API = "/api/projects/current"
_SECONDS = 60


@pytest.fixture
def project() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as workspace:
        yield workspace


@pytest.fixture
def served(project: Workspace) -> Iterator[ProjectPool]:
    made = ProjectPool(
        [project.project.place.root], project.owner().home.path, hosts=["testserver"]
    )
    yield made
    made.close()


def bearer(served: ProjectPool) -> dict[str, str]:
    return {"authorization": f"Bearer {served.token}"}


@pytest.fixture
def client(served: ProjectPool) -> Iterator[TestClient]:
    with TestClient(application(served), headers=bearer(served)) as made:
        yield made


@contextmanager
def serving(
    machine: Machine, repo: Path, *words: str
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A server in processes of its own, a group of them; yield it and its port."""
    process = subprocess.Popen(
        [COMMAND, "serve", "--port", "0", *words], cwd=repo, env=machine.environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    try:
        assert process.stdout
        said = process.stdout.readline().decode()
        port = int(said.partition("http://127.0.0.1:")[2].partition("/")[0])
        deadline = time.monotonic() + _SECONDS
        while asked(port, "/readyz") != 200:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield process, port
    finally:
        with_all = os.getpgid(process.pid) if process.poll() is None else process.pid
        with suppress(ProcessLookupError):
            os.killpg(with_all, signal.SIGKILL)
        process.communicate()


def asked(port: int, path: str, token: str = "") -> int:
    """Return the status of an answer; 0 where there is none."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310 -- loopback
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def test_clients_that_say_nothing_keep_nobody_out(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    repo = machine.repository()
    token = machine.ok("serve", "token", at=repo).strip()
    with serving(machine, repo) as (_, port):
        silent = [
            socket.create_connection(("127.0.0.1", port)) for _ in range(2 * MOST_SILENT + 20)
        ]
        for one in silent[::2]:
            try:
                one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
            except OSError:
                continue  # it was closed already, for a younger one
        answered = asked(port, f"{API}/memory", token)
        for one in silent:
            one.close()
        assert answered == 200


def test_a_stream_does_not_hold_up_the_end(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    repo = machine.repository()
    token = machine.ok("serve", "token", at=repo).strip()
    with serving(machine, repo) as (process, port):
        stream = urllib.request.urlopen(
            urllib.request.Request(
                f"http://127.0.0.1:{port}{API}/events", headers={"Authorization": f"Bearer {token}"}
            ),
            timeout=_SECONDS,
        )
        while stream.readline() != b"event: ready\n":
            pass
        process.send_signal(signal.SIGTERM)
        process.wait(_SECONDS)
        assert process.stderr
        # Not cut off when the grace of ten seconds was over, but ended by itself.
        assert b"Cancel" not in process.stderr.read()
        stream.close()


def test_head_is_answered_as_get_without_the_body(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    repo = machine.repository()
    token = machine.ok("serve", "token", at=repo).strip()
    shown = {"Authorization": f"Bearer {token}"}
    with serving(machine, repo) as (_, port):
        told: list[tuple[int, str | None, bytes]] = []
        line = HTTPConnection("127.0.0.1", port, timeout=_SECONDS)
        for method, path in (("HEAD", "/healthz"), ("HEAD", f"{API}/memory"), ("GET", f"{API}/memory"),
                             ("HEAD", f"{API}/events"), ("HEAD", f"{API}/nothing")):  # fmt: skip
            line.request(method, path, headers=shown)
            answer = line.getresponse()
            told.append((answer.status, answer.headers["ETag"], answer.read()))
        line.close()
    assert [status for status, _, _ in told] == [200, 200, 200, 405, 404]
    assert told[1][1] == told[2][1] is not None
    assert [bool(body) for _, _, body in told] == [False, False, True, False, False]


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGKILL])
def test_workers_do_not_outlive_who_watches_them(tmp_path: Path, number: signal.Signals) -> None:
    machine = Machine(tmp_path)
    repo = machine.repository()
    with serving(machine, repo, "--workers", "2") as (process, port):
        process.send_signal(number)
        process.wait(_SECONDS)
        deadline = time.monotonic() + 20
        while asked(port, "/healthz"):
            assert time.monotonic() < deadline, "a worker goes on alone"
            time.sleep(0.05)
    assert process.returncode == (0 if number == signal.SIGHUP else -number)


def test_a_token_that_was_rotated_is_worth_nothing_to_a_server_that_runs(
    served: ProjectPool,
) -> None:
    before = bearer(served)
    client = TestClient(application(served))
    assert client.get(f"{API}/memory", headers=before).status_code == 200
    new = rotate_installation_token(served.store.token)
    assert client.get(f"{API}/memory", headers=before).status_code == 401
    after = {"authorization": f"Bearer {new}"}
    assert client.get(f"{API}/memory", headers=after).status_code == 200
    Path(served.store.token).unlink()
    assert client.get(f"{API}/memory", headers=after).status_code == 200


def test_a_work_tree_that_is_gone_is_not_made_anew(client: TestClient, project: Workspace) -> None:
    root = project.project.place.root
    os.rename(root, f"{root}-away")
    for answer in (
        client.get(f"{API}/memory"),
        client.post(f"{API}/tasks", json={"title": "While it is away"}),
        client.put(f"{API}/intent", json={"content": "# Shop\n"}),
    ):
        assert answer.status_code == 404
        assert "no longer exists" in answer.json()["detail"]
    assert client.get("/readyz").status_code == 503
    assert not os.path.exists(root)
    os.rename(f"{root}-away", root)
    assert client.get(f"{API}/memory").status_code == 200
    assert client.get("/readyz").status_code == 200


def test_a_server_that_can_write_nothing_is_not_ready(
    client: TestClient, project: Workspace, served: ProjectPool
) -> None:
    for state in (served.store.state, project.project.state):
        assert client.get("/readyz").status_code == 200
        away = Path(state.ledgers)
        away.mkdir(exist_ok=True)
        away.rename(f"{away}-away")
        away.write_bytes(b"")
        answer = client.get("/readyz")
        assert answer.status_code == 503
        assert "nothing can be written" in answer.text
        assert str(away.parent) not in answer.text, "anybody may ask this"
        away.unlink()
        Path(f"{away}-away").rename(away)
    assert client.get("/readyz").status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://[", "http://[::1", "http://testserver]", "[", "//", ":"]
)
def test_an_origin_that_is_no_address_is_another_one(client: TestClient, origin: str) -> None:
    assert client.get(f"{API}/memory", headers={"origin": origin}).status_code == 403


@pytest.mark.parametrize("number", ["1e999", "NaN", "-Infinity"])
def test_a_number_that_json_does_not_have_is_refused(client: TestClient, number: str) -> None:
    body = f'{{"kind": "learned", "content": "too much", "data": {{"a": [{number}]}}}}'
    json_body = {"content-type": "application/json"}
    answer = client.post(f"{API}/memory", content=body, headers=json_body)
    assert answer.status_code == 422
    assert "finite" in answer.json()["detail"]
    answer = client.post(
        f"{API}/tables/suppliers/rows",
        content=f'{{"values": {{"a": {number}}}}}',
        headers=json_body,
    )
    assert answer.status_code == 422


def test_the_tag_of_no_intent_lets_one_client_write_the_first(client: TestClient) -> None:
    tag = client.get(f"{API}/intent").headers["etag"]
    body = {"content": "# Shop {#anchor:shop}\n\nSells.\n"}
    assert client.put(f"{API}/intent", json=body, headers={"If-Match": tag}).status_code == 200
    assert client.put(f"{API}/intent", json=body, headers={"If-Match": tag}).status_code == 412


def test_a_list_is_told_whole_though_memories_come_and_go(client: TestClient) -> None:
    for number in range(40):
        client.post(f"{API}/memory", json={"kind": "learned", "content": f"lesson {number}"})
    told: list[str] = []
    cursor = ""
    while True:
        page = client.get(f"{API}/memory", params={"limit": 7, "cursor": cursor}).json()
        told += [one["content"] for one in page["memories"]]
        client.delete(f"{API}/memory/{page['memories'][-1]['id']}")
        client.post(f"{API}/memory", json={"kind": "learned", "content": f"new {len(told)}"})
        client.delete(f"{API}/memory/{page['memories'][0]['id']}")
        cursor = page["nextCursor"]
        if not cursor:
            break
    assert told == [f"lesson {number}" for number in reversed(range(40))]


def test_a_browser_that_asks_too_often_is_shown_a_page(
    client: TestClient, served: ProjectPool
) -> None:
    served.limit.burst, served.limit.per_second = 1, 0.01
    served.limit.allows("owner", time.monotonic())
    for path, accept, kind in (
        ("/console/current/work", "text/html,*/*;q=0.8", "text/html; charset=utf-8"),
        ("/console/current/work", "*/*", "application/problem+json"),
        (f"{API}/memory", "text/html", "application/problem+json"),
    ):
        answer = client.get(path, headers={"accept": accept})
        assert (answer.status_code, answer.headers["content-type"]) == (429, kind)
        assert answer.headers["retry-after"]
        assert ("Try again in" in answer.text) == (kind[:9] == "text/html")


def test_a_role_for_a_name_that_two_projects_have_is_for_neither(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    roots = []
    for place in ("one", "two"):
        machine.repository(f"{place}/app")
        roots.append(os.fspath(tmp_path / place / "app"))
    served = ProjectPool(roots, os.fspath(tmp_path / "home"), team=True, hosts=["testserver"])
    served.book.add("ann", READER, "app")
    served.book.add("bea", READER, served.projects[1].id)
    ann, bea = ({"authorization": f"Bearer {served.book.issue(one)}"} for one in ("ann", "bea"))
    first, second = (f"/api/projects/{one.key}/memory" for one in served.projects)
    with TestClient(application(served)) as client:
        told = [client.get(path, headers=who).status_code
                for who in (ann, bea) for path in (first, second)]  # fmt: skip
        assert told == [403, 403, 403, 200]
        unclear = client.get("/api/projects/app/memory", headers=bearer(served))
        assert unclear.status_code == 404
        assert "more than one" in unclear.json()["detail"]


def test_who_was_refused_is_named_in_the_log(project: Workspace) -> None:
    served = ProjectPool(
        [project.project.place.root], project.owner().home.path, team=True, hosts=["testserver"]
    )
    served.book.add("rita", READER, "*")
    shown = {"authorization": f"Bearer {served.book.issue('rita')}"}
    with TestClient(application(served)) as client:
        body = {"kind": "learned", "content": "not mine to say"}
        assert client.post(f"{API}/memory", json=body, headers=shown).status_code == 403
        assert client.post(f"{API}/memory", json=body).status_code == 401
    told = [(one.user, one.status) for _, one in served.audit.entries()]
    assert sorted(told) == [("", 401), ("rita", 403)]


class Asked:
    """One request to a gate, its body never sent."""

    def __init__(self, path: str = "/healthz", length: str = "0") -> None:
        headers = [(b"host", b"testserver"), (b"content-length", length.encode())]
        self.scope: MutableMapping[str, Any] = {
            "type": "http", "method": "GET", "path": path, "query_string": b"",
            "headers": headers, "client": ("127.0.0.1", 1),
        }  # fmt: skip
        self.said: list[MutableMapping[str, Any]] = []

    async def receive(self) -> MutableMapping[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(self, message: MutableMapping[str, Any]) -> None:
        self.said.append(message)

    async def by(self, gate: RequestGuard) -> int:
        await gate(self.scope, self.receive, self.send)
        return int(self.said[0]["status"])


def test_a_body_that_never_comes_is_not_waited_for(
    served: ProjectPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "BODY_SECONDS", 0.05)

    async def reads(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})

    asked = Asked(length="100")
    assert asyncio.run(asked.by(RequestGuard(reads, served))) == 408
    assert json.loads(asked.said[1]["body"])["title"] == "Request Timeout"


def test_strangers_do_not_take_the_places_of_those_with_a_token(served: ProjectPool) -> None:
    async def crowd() -> tuple[int, int]:
        leave = asyncio.Event()

        async def waits(scope: Any, receive: Any, send: Any) -> None:
            if scope["path"] == "/healthz":
                await leave.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})

        gate = RequestGuard(waits, served)
        many = [asyncio.create_task(Asked().by(gate)) for _ in range(MOST_STRANGERS)]
        await asyncio.sleep(0)
        one_more = await Asked().by(gate)
        owner = Asked(f"{API}/memory")
        owner.scope["headers"].append((b"authorization", bearer(served)["authorization"].encode()))
        good = await owner.by(gate)
        leave.set()
        await asyncio.gather(*many)
        return one_more, good

    assert asyncio.run(crowd()) == (503, 200)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (
            ("--host", "nowhere.invalid", "--team", "--behind-proxy", "x"),
            2,
            "not an address of this",
        ),
        (("--tls-cert", "no.pem", "--tls-key", "no.pem"), 5, "no.pem could not be read"),
        (("--tls-cert", "README.md"), 2, "a certificate and its key"),
        (("--tls-cert", "README.md", "--tls-key", "README.md"), 2, "not a certificate and its key"),
    ],
)
def test_where_it_cannot_serve_is_named_before_it_is_said_to_serve(
    tmp_path: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    machine = Machine(tmp_path)
    repo = machine.repository()
    shutil.copy(__file__, os.path.join(repo, "README.md"))
    assert said in machine.fails(code, "serve", "--port", "0", *words, at=repo)
