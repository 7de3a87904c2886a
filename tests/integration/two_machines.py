"""Two servers with homes of their own on one database, in this process, so that bugs can be seeded."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest
from starlette.testclient import TestClient

from integration.test_postgresql_moving import satchel
from satchel.features.access.users import ANY, ROLES
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.testing import run_git

HOST = "team.example.org"
API = "/api/projects/current"
BODY = {"kind": "decision", "content": "The tunnel is on port 5433"}
#: Alike for both machines: a session counts for one browser.
PAGE = {"accept": "text/html", "user-agent": "Firefox", "accept-language": "en"}


class Machine(NamedTuple):
    """A server, and a client that shows no token."""

    served: ProjectPool
    client: TestClient

    def ask(self, token: str, method: str = "GET", path: str = f"{API}/memory") -> int:
        """Ask with a token; return the status."""
        return self.client.request(
            method, path, headers={"authorization": f"Bearer {token}"}
        ).status_code

    def post(self, token: str, key: str, content: str = BODY["content"]) -> tuple[int, str]:
        """Write a memory with an idempotency key; return the status, and its id."""
        headers = {"authorization": f"Bearer {token}", "idempotency-key": key}
        body = {**BODY, "content": content}
        answer = self.client.post(f"{API}/memory", headers=headers, json=body)
        return answer.status_code, str(answer.json().get("id", ""))


class Two(NamedTuple):
    """Two machines, `a` and `b`, and the database that both have."""

    a: Machine
    b: Machine
    url: str

    def new_user(self, name: str = "ann", role: str = ROLES[1]) -> str:
        """Add a user on A; return a token."""
        self.a.served.book.add(name, role, ANY)
        return self.a.served.book.rotate(name)

    def written(self) -> int:
        """Count the memories' lines in the database."""
        return int(str(self.sql("SELECT COUNT(*) FROM satchel.ledger_lines WHERE project <> ''")))

    def let_pass(self, seconds: float) -> None:
        """Let the last sign of life of every request be so long ago."""
        self.sql(
            "UPDATE satchel.server_documents SET touched_at = touched_at - make_interval(secs => "
            f"{seconds}) RETURNING 1"
        )

    def sql(self, sql: str) -> object:
        """Return the first value of a statement."""
        with psycopg.connect(self.url, autocommit=True) as other:
            row = other.execute(sql.encode()).fetchone()
        return row[0] if row else None


def new_token(root: str, home: str) -> str:
    """Add a user on a machine whose server runs, as its person does; return a token."""
    for words in (("add", "ann", "--role", "writer"), ("token", "ann", "--json")):
        code, said = satchel(root, home, "serve", "user", *words)
        assert code == 0, said
    return str(json.loads(said)["token"])


@contextmanager
def machine(root: str, home: str) -> Iterator[Machine]:
    """Serve a project to a team."""
    served = ProjectPool([root], home, team=True, hosts=[HOST])
    try:
        with TestClient(
            application(served), base_url=f"http://{HOST}", follow_redirects=False
        ) as client:
            # The first request builds the routes; two at once make pydantic warn of an alias.
            assert client.get("/healthz").is_success
            yield Machine(served, client)
    finally:
        served.close()


@contextmanager
def two_machines(
    root: str, folder: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Two]:
    """Serve a repository and a clone of it from two homes."""
    monkeypatch.setenv("SATCHEL_STORE_URL", url)
    monkeypatch.setenv("SATCHEL_STORE_PROJECTS", "*")
    monkeypatch.setenv("HOME", str(folder))
    clone = str(folder / "clone")
    run_git(str(folder), "clone", "--quiet", root, clone)
    with machine(root, str(folder / "ada")) as a, machine(clone, str(folder / "bob")) as b:
        yield Two(a, b, url)
