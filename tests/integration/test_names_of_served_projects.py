"""A project is reached by its own users only, whatever it is called or calls itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from satchel.features.access.limits import RateLimit
from satchel.features.access.users import WRITER
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server.middleware import RequestGuard
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.workspace import Workspace

#: Most begin as the paths do that need no token.
NAMES = ("login", "login-service", "logout", "logout.d", "static", "static-site", "docs", "current")
SECRET = "the harbour relay listens on 4410"


def made(root: Path, called: str) -> str:
    """Write the file by which a directory calls itself a project."""
    file = root / ".satchel" / "project.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f'[project]\nid = "{called}"\n')
    return str(root)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ProjectPool]:
    home = tmp_path / "home"
    roots = [
        made(tmp_path / name, f"01{number:024}") for number, name in enumerate(("shop", *NAMES))
    ]
    for root in roots:
        with Workspace.open(root, home=str(home)) as workspace:
            workspace.remember(SECRET, kind="decision")
    pool = ProjectPool(roots, str(home), team=True, hosts=["testserver"])
    pool.limit = RateLimit(10**9, 1e9)
    pool.book.add("ann", WRITER, "shop")
    yield pool
    pool.close()


def wrongly_answered(served: ProjectPool, gate: RequestGuard) -> list[str]:
    """Return what a user of the shop, and somebody without a token, get of other projects."""
    ann = {"authorization": f"Bearer {served.book.issue('ann')}"}
    wrong = []
    with TestClient(gate, follow_redirects=False, raise_server_exceptions=False) as client:
        for project in served.projects[1:]:
            for called in dict.fromkeys((project.name, project.id, project.key)):
                if called == "current":
                    continue  # the first project, which is the shop
                for who, page in ((ann, "memory"), (ann, "home"), ({}, "memory")):
                    path = f"/console/{called}/{page}"
                    read = client.get(path, headers=who)
                    if read.status_code not in (401, 403, 404) or SECRET in read.text:
                        wrong.append(f"GET {path} {read.status_code}")
                    said = client.post(path, headers=who, data={"content": "so there"})
                    if said.status_code not in (401, 403, 404, 405):
                        wrong.append(f"POST {path} {said.status_code}")
    return wrong


def test_a_project_called_like_a_page_is_not_open_to_others(served: ProjectPool) -> None:
    gate = application(served)
    assert wrongly_answered(served, gate) == []
    with TestClient(gate) as client:
        for path in ("/console/login", "/console/static/pages.css", "/api/problems/forbidden"):
            assert client.get(path).status_code == 200, path


def test_a_gate_that_opens_by_the_beginning_of_a_path_is_caught(
    served: ProjectPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = application(served)
    monkeypatch.setattr(gate, "_is_open", lambda path: path.startswith(gate.open_paths))
    assert wrongly_answered(served, gate)


def test_a_repository_cannot_call_itself_what_another_is_called(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    roots = [made(tmp_path / name, f"01{name:0>24}") for name in ("shop", "bank")]
    bank = ProjectPool(roots, home, team=True).projects[1]
    for called in (bank.id, bank.key, bank.name):
        made(tmp_path / "shop", called)
        served = ProjectPool(roots, home, team=True)
        shop, same = served.projects
        assert called not in shop.names
        assert served.project(bank.key) is same
        assert served.project("shop") is shop
        served.close()
