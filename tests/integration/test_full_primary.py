"""A team's database on a full disk: what was acknowledged stays, the rest is refused and says why."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from integration.test_team_serving import contents, running
from integration.test_team_serving import repository as repository  # noqa: PLC0414 -- a fixture
from postgresql_server import PREFIX, Server

API = "/api/projects/current"
#: A new database needs some 60 MB with its log.
_DISK = "200m"
_LOG = "max_wal_size = 64MB\nmin_wal_size = 32MB\nshared_buffers = 16MB\n"
#: Bytes left for the writes that still fit, and writes until one must have been refused.
_LEFT, _MOST = 400_000, 400


@pytest.fixture
def small_disk() -> Iterator[str]:
    """A disk that no other test shares; its path is short, because a socket lies there."""
    place = tempfile.mkdtemp(prefix=f"{PREFIX}small-")
    line = ["mount", "-t", "tmpfs", "-o", f"size={_DISK},mode=755", "tmpfs", place]
    if subprocess.run(line, capture_output=True).returncode:
        os.rmdir(place)
        pytest.skip("this machine lets nobody mount a disk")
    yield place
    subprocess.run(["umount", "-l", place], check=True)
    os.rmdir(place)


@pytest.fixture
def small_server(small_disk: str) -> Iterator[Server]:
    server = Server(small_disk, durable=True)
    server.create()
    server.settle(_LOG)
    server.start()
    yield server
    server.stop("immediate")


def fill(place: str, leave: int) -> str:
    ballast, free = os.path.join(place, "ballast"), os.statvfs(place)
    with open(ballast, "wb") as file:
        file.write(b"\0" * (free.f_bavail * free.f_frsize - leave))
    return ballast


def write(client: httpx.Client, content: str) -> httpx.Response:
    return client.post(f"{API}/memory", json={"kind": "decision", "content": content})


def until_refused(client: httpx.Client) -> tuple[list[str], httpx.Response]:
    """Write until the disk is full; return what was acknowledged, and the refusal."""
    acknowledged: list[str] = []
    for number in range(_MOST):
        content = f"during {number} {os.urandom(1000).hex()}"
        answer = write(client, content)
        if answer.status_code != httpx.codes.CREATED:
            return acknowledged, answer
        acknowledged.append(content)
    pytest.fail("the disk never was full")


def test_a_full_disk_refuses_loses_and_doubles_nothing(
    small_server: Server, repository: str, tmp_path: Path
) -> None:
    words = ("--database", small_server.database())
    with (
        running(repository, str(tmp_path / "home"), *words) as server,
        server.client() as client,
    ):
        assert write(client, "before").status_code == httpx.codes.CREATED
        ballast = fill(small_server.folder, _LEFT)
        acknowledged, refused = until_refused(client)
        assert acknowledged
        assert refused.status_code == httpx.codes.INSUFFICIENT_STORAGE
        problem = refused.json()
        assert "No space left" in problem["detail"]
        assert "Make room" in problem["hint"]
        # What is there is answered meanwhile.
        found = client.get(f"{API}/search", params={"q": "before"}).json()["items"]
        assert [one["title"] for one in found] == ["before"]
        assert client.get("/healthz").status_code == httpx.codes.OK
        os.unlink(ballast)
        server.until(lambda: write(client, "after").status_code == httpx.codes.CREATED)
        there = contents(client)
    assert sorted(there) == sorted(["before", *acknowledged, "after"])
