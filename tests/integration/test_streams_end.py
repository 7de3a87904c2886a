"""A stream of changes goes on for those alone who may still read the project."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from satchel.features.access.secrets import hash_of, rotate_installation_token
from satchel.features.access.users import READER
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server.middleware import browser_of, cookie_name
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.testing import temporary_workspace

HOST = "127.0.0.1:8377"
EVENTS = "/api/projects/current/events"
#: Enough for a test machine; without the mend it goes on until the server stops.
_PATIENCE = 10.0


@pytest.fixture
def served() -> Iterator[ProjectPool]:
    with temporary_workspace(git=True) as project:
        root, home = project.project.place.root, project.owner().home.path
        pool = ProjectPool([root], home, team=True, hosts=[HOST])
        yield pool
        pool.stopping.set()
        pool.close()


def _ends(
    served: ProjectPool, path: str, headers: dict[str, str], change: Callable[[], Any]
) -> str:
    """Return what a stream said after `change`; fail if it goes on."""
    told: list[str] = []

    def listen() -> None:
        with TestClient(application(served), headers={"host": HOST, **headers}) as client:
            told.append(client.get(path).text)

    listening = threading.Thread(target=listen, daemon=True)
    listening.start()
    time.sleep(1.5)
    assert listening.is_alive(), "the stream has begun"
    change()
    until = time.monotonic() + _PATIENCE
    while listening.is_alive() and time.monotonic() < until:
        with served.projects[0].opened() as workspace:
            workspace.learn(f"something was learnt at {time.monotonic()}")
        listening.join(0.6)
    went_on = listening.is_alive()
    served.stopping.set()
    listening.join(_PATIENCE)
    served.stopping.clear()
    assert not went_on
    return told[0]


def _bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


@pytest.mark.parametrize("how", ["removed", "rotated", "role taken away", "owner's rotated"])
def test_a_stream_ends_with_the_right_to_it(served: ProjectPool, how: str) -> None:
    served.book.add("ann", READER, "another-project")
    served.book.add("ann", READER, served.projects[0].id)
    token = served.book.issue("ann")
    home = served.store.token

    def elsewhere() -> None:
        served.book.remove("ann", served.projects[0].id)

    changes: dict[str, Callable[[], Any]] = {
        "removed": lambda: served.book.revoke("ann"),
        "rotated": lambda: served.book.rotate("ann"),
        "role taken away": elsewhere,
        "owner's rotated": lambda: rotate_installation_token(home),
    }
    token = served.token if how == "owner's rotated" else token
    told = _ends(served, EVENTS, _bearer(token), changes[how])
    assert told.count("event: changed") <= 2, "the first second may still be told"


def test_a_page_s_stream_ends_with_its_session(served: ProjectPool) -> None:
    browser = {"user-agent": "A browser", "accept-language": "de"}
    session = served.sessions.begin(hash_of(served.token), browser_of(browser))
    page = {**browser, "cookie": f"{cookie_name(HOST)}={session}"}
    path = f"/console/{served.projects[0].key}/events"
    _ends(served, path, page, lambda: served.sessions.end(session))
