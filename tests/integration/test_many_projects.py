"""A server of many projects: few things are open, and it says quickly whether it is ready."""

import os
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from integration.test_team_members import HOST
from integration.test_team_serving import repository as repository  # noqa: PLC0414 -- a fixture
from satchel.engine.inference import static
from satchel.engine.search.documents import Filter
from satchel.features.access.limits import RateLimit
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server import project_pool, readiness
from satchel.interfaces.http.server.project_pool import MOST_IDLE, IdleWorkspaces, ProjectPool

_MANY = 40


@pytest.fixture
def many(repository: str, tmp_path: Path) -> Iterator[ProjectPool]:
    roots = []
    for number in range(_MANY):
        roots.append(shutil.copytree(repository, tmp_path / f"shop{number}"))
        text = f'[project]\nid = "01TEST{number:020}"\n'
        Path(roots[-1], ".satchel", "project.toml").write_text(text)
    served = ProjectPool([str(root) for root in roots], str(tmp_path / "home"), hosts=[HOST])
    served.limit = RateLimit(10**9, 1e9)
    yield served
    served.close()


def open_files() -> int:
    return len([name for name in os.listdir("/proc/self/fd") if _leads_to_index(name)])


def _leads_to_index(name: str) -> bool:
    try:
        return os.readlink(f"/proc/self/fd/{name}").endswith("/index.db")
    except OSError:
        return False


def asked_everywhere(served: ProjectPool) -> int:
    """Ask every project; return how many indexes are open afterwards."""
    before = open_files()
    for project in served.projects:
        with project.opened() as workspace:
            assert not workspace.memories.list(Filter(), 1)
    return open_files() - before


def test_of_many_projects_a_few_stay_open(many: ProjectPool) -> None:
    assert 0 < asked_everywhere(many) <= MOST_IDLE


def test_a_server_that_keeps_them_all_is_found_out(
    many: ProjectPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    monkeypatch.setattr(project_pool, "MOST_IDLE", 10**6)
    assert asked_everywhere(many) == _MANY


def test_a_workspace_is_lent_to_its_own_project_alone(many: ProjectPool) -> None:
    idle, (one, other) = IdleWorkspaces(), many.projects[:2]
    with one.opened() as workspace:
        idle.give_back(one, workspace)
        assert idle.take(other) is None
        assert idle.take(one) is workspace


def test_a_table_of_words_is_read_once_for_all_projects() -> None:
    assert static.open_table() is static.open_table()


def test_readiness_is_told_within_a_second_whatever_hangs(
    many: ProjectPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    hanging = threading.Event()

    def hang(state: object) -> str:
        del state
        hanging.wait(20)
        return ""

    with TestClient(application(many)) as client:
        assert client.get("/readyz", headers={"host": HOST}).status_code == 200
        monkeypatch.setattr(readiness, "writable", hang)
        began = time.monotonic()
        answers = [client.get("/readyz", headers={"host": HOST}) for _ in range(2)]
        assert time.monotonic() - began < 2.2
        assert [one.status_code for one in answers] == [503, 503]
        hanging.set()
        time.sleep(0.2)
        assert client.get("/readyz", headers={"host": HOST}).status_code == 200


def test_who_asks_whether_it_lives_is_never_asked_to_come_again(many: ProjectPool) -> None:
    many.limit = RateLimit(2, 0.001)
    with TestClient(application(many)) as client:
        lives = [client.get("/healthz", headers={"host": HOST}).status_code for _ in range(20)]
        strangers = [client.get("/api/projects", headers={"host": HOST}) for _ in range(4)]
    assert set(lives) == {200}
    assert 429 in {one.status_code for one in strangers}
