"""T15: only you can reach it: every route under every host, origin, site, token and method."""

import itertools
import os
from collections.abc import Iterator, MutableMapping
from typing import Any

import pytest
from starlette.testclient import TestClient

from reliability.stand import Stand, say
from satchel.core.errors import BadInputError
from satchel.features.access.audit import AuditEntry, AuditLog
from satchel.features.access.users import READER, WRITER
from satchel.interfaces.http.main import Binding, application, checked, hosts_of
from satchel.interfaces.http.server.middleware import RequestGuard
from satchel.interfaces.http.server.project_pool import ProjectPool

pytestmark = pytest.mark.torture
_PORT = 8377
_EVERYWHERE = "0.0.0.0"  # noqa: S104 -- refused
GOOD_HOST = f"127.0.0.1:{_PORT}"
HOSTS = (GOOD_HOST, f"localhost:{_PORT}", "evil.example", f"evil.example:{_PORT}", "127.0.0.1",
         f"127.0.0.1.evil.example:{_PORT}", f"127.0.0.1:{_PORT}, evil.example", "")  # fmt: skip
ORIGINS = ("", f"http://{GOOD_HOST}", "null", "http://evil.example", f"http://{GOOD_HOST}.evil.example",
           f"http://127.0.0.1:{_PORT + 1}")  # fmt: skip
SITES = ("", "same-origin", "cross-site", "same-site")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
TOKENS = ("none", "bad", "other-user", "good")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProjectPool]:
    stand = Stand(os.fspath(tmp_path_factory.mktemp("t15")))
    with stand.workspace() as workspace:
        root, home = workspace.project.place.root, workspace.owner().home.path
    made = ProjectPool([root], home, team=True, hosts=hosts_of(Binding(port=_PORT)))
    made.limit.burst, made.limit.per_second = 10**9, 1e9
    yield made
    made.close()


@pytest.fixture(scope="module")
def paths(served: ProjectPool) -> list[str]:
    """Every route, with names in the place of its parameters; and such as are not there."""
    headers = {"authorization": f"Bearer {served.token}", "host": GOOD_HOST}
    told = TestClient(application(served), headers=headers).get("/api/openapi.json").json()
    found = [path.replace("{projectId}", "current").replace("{", "").replace("}", "")
             for path in told["paths"]]  # fmt: skip
    streams = [path for path in found if path.endswith(("/events", "/stream"))]
    return [path for path in found if path not in streams] + ["/", "/static/x.css", "/nothing"]


class Reached(Exception):  # noqa: N818
    """The gate let a request pass."""


async def reached(scope: object, receive: object, send: object) -> None:
    raise Reached


def status(gate: RequestGuard, path: str, method: str, headers: dict[str, str]) -> int:
    """Return what the gate answers; 0 where it lets the request pass.

    The gate waits for nothing, so its coroutine is run to its end in one step.
    """
    scope = {
        "type": "http", "method": method, "path": path, "query_string": b"",
        "headers": [(n.encode(), v.encode()) for n, v in headers.items()], "client": ("127.0.0.1", 1),
    }  # fmt: skip
    answers: list[int] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        answers.append(message.get("status", 0))

    async def receive() -> MutableMapping[str, Any]:
        return {}

    try:
        gate(scope, receive, send).send(None)
    except Reached:
        return 0
    except StopIteration:
        return answers[0]
    pytest.fail("the gate waits for something")


def spelled(host: str, origin: str, site: str, token: str) -> dict[str, str]:
    headers = {"host": host}
    if origin:
        headers["origin"] = origin
    if site:
        headers["sec-fetch-site"] = site
    if token:
        headers["authorization"] = f"Bearer {token}"
    return headers


def wrongly_answered(
    gate: RequestGuard, served: ProjectPool, paths: list[str]
) -> tuple[list[str], int]:
    """Ask everything; return what was let through, or refused, against the rule."""
    served.book.add("somebody", READER, "another-project")
    tokens = {"none": "", "bad": served.token[:-2] + "xx", "good": served.token,
              "other-user": served.book.issue("somebody")}  # fmt: skip
    wrong, count = [], 0
    for path, method in itertools.product(paths, METHODS):
        for host, origin, site, token in itertools.product(HOSTS, ORIGINS, SITES, TOKENS):
            good = (
                host in HOSTS[:2]
                and origin in ("", f"http://{host}")
                and site in SITES[:2]
                and (token == "good" or path in ("/healthz", "/readyz"))
            )
            reader = token == "other-user" and method in ("GET", "HEAD", "OPTIONS")
            if reader and good is False and "/projects/" not in path:
                continue  # lists and what is nowhere show such a user nothing; see below
            count += 1
            passed = status(gate, path, method, spelled(host, origin, site, tokens[token])) == 0
            if passed != good and not (path in ("/healthz", "/readyz") and token == "other-user"):
                wrong.append(f"{method} {path} {host!r} {origin!r} {site!r} {token}: {passed}")
    return wrong, count


def test_every_route_denies_unless_all_is_good(
    served: ProjectPool, paths: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet = RequestGuard(reached, served)
    monkeypatch.setattr(quiet, "_audit", lambda *_: None)  # 200,000 lines of audit
    wrong, count = wrongly_answered(quiet, served, paths)
    assert wrong == [], wrong[:5]
    say("T15", count, f"{len(paths)} routes x host x origin x site x token x method: "
        f"{count} requests, all denied unless all was good")  # fmt: skip


@pytest.mark.parametrize("skipped", ["hosts", "same_site", "identity"])
def test_a_gate_that_skips_a_check_is_caught(
    served: ProjectPool, monkeypatch: pytest.MonkeyPatch, skipped: str
) -> None:
    gate = RequestGuard(reached, served)
    monkeypatch.setattr(gate, "_audit", lambda *_: None)
    if skipped == "hosts":
        monkeypatch.setattr(served, "hosts", frozenset(host.lower() for host in HOSTS))
    elif skipped == "same_site":
        monkeypatch.setattr(gate, "_same_site", lambda *_, **__: None)
    else:
        monkeypatch.setattr(gate, "_is_open", lambda _: True)
    wrong, _ = wrongly_answered(gate, served, ["/api/projects/current/memory"])
    assert wrong


def test_nobody_outside_is_let_in_without_encryption_and_users() -> None:
    assert checked(Binding("127.0.0.1"), team=False)
    for binding in (Binding(_EVERYWHERE), Binding("192.168.1.4"), Binding("::")):
        with pytest.raises(BadInputError, match="encrypted"):
            checked(binding, team=True)
        with pytest.raises(BadInputError, match="one person"):
            checked(binding._replace(certificate="c", key="k"), team=False)
        assert checked(binding._replace(certificate="c", key="k"), team=True)
        assert checked(binding._replace(public="memory.example.org"), team=True)
    assert "evil.example:8377" not in hosts_of(Binding(_EVERYWHERE, public="memory.example.org"))


def test_roles_hold_in_their_projects_only(served: ProjectPool) -> None:
    served.book.add("reader", READER, "current")
    project = served.projects[0]
    served.book.add("reader", READER, project.id)
    served.book.add("writer", WRITER, project.name)
    served.book.add("somebody", READER, "another-project")
    app = application(served)

    def ask(name: str, method: str, path: str, **more: object) -> int:
        headers = {"authorization": f"Bearer {served.book.issue(name)}", "host": GOOD_HOST}
        return TestClient(app).request(method, path, headers=headers, **more).status_code  # type: ignore[arg-type]

    memory = "/api/projects/current/memory"
    body = {"kind": "learned", "content": "roles hold"}
    assert ask("reader", "GET", memory) == 200
    assert ask("reader", "POST", memory, json=body) == 403
    assert ask("writer", "POST", memory, json=body) == 201
    assert ask("somebody", "GET", memory) == 403
    headers = {"authorization": f"Bearer {served.book.issue('somebody')}", "host": GOOD_HOST}
    assert TestClient(app, headers=headers).get("/api/projects").json() == {"projects": []}


def test_a_revoked_or_rotated_token_is_worth_nothing(served: ProjectPool) -> None:
    served.book.add("leaver", READER, "*")
    first = served.book.issue("leaver")
    assert served.identify(first)
    second = served.book.rotate("leaver")
    assert served.identify(first) is None
    assert served.identify(second)
    served.book.revoke("leaver")
    assert served.identify(second) is None
    with open(served.book.ledger.path, encoding="utf-8") as file:
        kept = file.read()
    assert first not in kept
    assert second not in kept


def test_what_was_changed_and_who_was_refused_is_logged_and_chained(served: ProjectPool) -> None:
    app = application(served)
    good = {"authorization": f"Bearer {served.token}", "host": GOOD_HOST}
    client = TestClient(app)
    client.post(
        "/api/projects/current/memory", headers=good, json={"kind": "learned", "content": "x y"}
    )
    client.get("/api/projects", headers={"host": GOOD_HOST})
    entries = [asked for _, asked in served.audit.entries(2)]
    assert [(one.user, one.method, one.status) for one in entries] == [
        ("", "GET", 401), ("owner", "POST", 201),
    ]  # fmt: skip
    assert served.audit.broken() == []
    path = served.audit.ledger.path
    with open(path, "rb") as file:
        lines = file.read().splitlines(keepends=True)
    with open(path, "wb") as file:
        file.writelines(lines[:-2] + lines[-1:])
    assert served.audit.broken() == [len(lines) - 1]


def test_the_log_of_several_workers_is_one_chain(served: ProjectPool) -> None:
    workers = [AuditLog(served.store.ledger("workers")) for _ in range(3)]
    for number in range(9):
        workers[number % 3].note(AuditEntry(f"user {number}", "POST", "/", 201))
    assert len(workers[0].entries()) == 9
    assert workers[0].broken() == []
    path = workers[0].ledger.path
    with open(path, "rb") as file:
        lines = file.read().splitlines(keepends=True)
    with open(path, "wb") as file:
        file.writelines(lines[:-1])
    workers[2].note(AuditEntry("ann", "POST", "/", 201))
    assert workers[0].broken() == [9], "the last entry was taken out"


def test_limits_are_what_the_documentation_says(served: ProjectPool) -> None:
    from satchel.features.access.limits import BURST, MOST_BODY, MOST_URL, RateLimit

    good = {"authorization": f"Bearer {served.token}", "host": GOOD_HOST}
    client = TestClient(application(served), headers=good)
    long = "x" * MOST_BODY
    assert client.post("/api/projects/current/memory", content=long + "y").status_code == 413
    assert client.get(f"/api/projects?{'x' * MOST_URL}").status_code == 400
    limit = RateLimit()
    assert [limit.allows("a", 0.0) for _ in range(BURST)] == [0.0] * BURST
    assert limit.allows("a", 0.0) > 0
    assert limit.allows("b", 0.0) == 0.0
    assert limit.allows("a", 1.0) == 0.0

    def chunks() -> Iterator[bytes]:
        yield from (b"x" * 65_536 for _ in range(MOST_BODY // 65_536 + 2))

    # A body that does not say how long it is.
    assert client.post("/api/projects/current/memory", content=chunks()).status_code == 413
