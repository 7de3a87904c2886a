"""Signing in to the console: what a browser keeps, for whom it is good, and until when."""

import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from http.cookies import SimpleCookie
from typing import NamedTuple

import pytest
from starlette.testclient import TestClient

from satchel.core.clock import FixedClock
from satchel.features.access import browser_sessions
from satchel.features.access.browser_sessions import (
    LINK_SECONDS,
    LONGEST,
    LONGEST_IDLE,
    BrowserSessions,
)
from satchel.features.access.secrets import hash_of, rotate_installation_token
from satchel.interfaces.http.main import Binding, _made_ready, application
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.project.inventory import home_files
from satchel.project.server_documents import HomeDocuments
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

HOST = "127.0.0.1:8377"
PAGE = {"host": HOST, "accept": "text/html", "user-agent": "A browser", "accept-language": "de"}


class Stand(NamedTuple):
    served: ProjectPool
    client: TestClient

    def sign_in(self) -> tuple[str, str]:
        """Sign in with the token; return the cookie's name and what it holds."""
        answer = self.client.post("/console/login", headers=PAGE, data={"token": self.served.token})
        assert (answer.status_code, answer.headers["location"]) == (303, "/console/")
        return cookie_of(answer.headers["set-cookie"])

    def asks(self, cookie: str, path: str = "/console/", **headers: str) -> tuple[int, str]:
        """Ask with a cookie; return the status and where it leads."""
        self.client.cookies.clear()
        answer = self.client.get(path, headers={**PAGE, "cookie": cookie, **headers})
        return answer.status_code, answer.headers.get("location", "")


def cookie_of(header: str) -> tuple[str, str]:
    ((name, morsel),) = SimpleCookie(header).items()
    assert morsel["httponly"]
    assert morsel["samesite"] == "strict"
    assert morsel["path"] == "/console"
    assert int(morsel["max-age"]) <= LONGEST
    return name, morsel.value


@pytest.fixture
def project() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as workspace:
        yield workspace


@pytest.fixture
def stand(project: Workspace) -> Iterator[Stand]:
    root, home = project.project.place.root, project.owner().home.path
    served = ProjectPool([root], home, hosts=[HOST])
    with TestClient(application(served), follow_redirects=False) as client:
        yield Stand(served, client)
    served.close()


def signed_in_to(stand: Stand) -> str:
    return f"/console/{stand.served.projects[0].key}/home"


def test_a_browser_keeps_a_session_and_no_token(stand: Stand) -> None:
    name, session = stand.sign_in()
    assert name == "satchel_session_8377"
    assert stand.served.token not in session
    assert stand.asks(f"{name}={session}") == (303, signed_in_to(stand))
    # Neither is the other: the session is no token, the token no session.
    bearer = {"authorization": f"Bearer {session}", "accept": "*/*"}
    assert stand.asks("", "/api/projects", **bearer)[0] == 401
    assert stand.asks(f"{name}={stand.served.token}") == (303, "/console/login?ended=true")
    assert stand.asks(f"satchel_session={session}") == (303, "/console/login")


def test_a_session_is_for_the_console_alone(stand: Stand) -> None:
    name, session = stand.sign_in()
    for path in ("/api/projects", "/metrics", "/consoles"):
        assert stand.asks(f"{name}={session}", path, accept="*/*")[0] == 401
        assert stand.asks(f"{name}={session}", path) == (303, "/console/")


def ended_by_signing_out(stand: Stand) -> bool:
    name, session = stand.sign_in()
    assert stand.asks(f"{name}={session}") == (303, signed_in_to(stand))
    stand.client.cookies.clear()
    cookie = {**PAGE, "cookie": f"{name}={session}"}
    answer = stand.client.post("/console/logout", headers=cookie)
    assert "Max-Age=0" in answer.headers["set-cookie"]
    return stand.asks(f"{name}={session}")[1].startswith("/console/login")


def test_after_signing_out_a_copy_of_the_cookie_is_worth_nothing(stand: Stand) -> None:
    assert ended_by_signing_out(stand)


def test_a_sign_out_that_only_deletes_the_cookie_is_noticed(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    monkeypatch.setattr(BrowserSessions, "end", lambda *_: None)
    assert not ended_by_signing_out(stand)


def test_a_session_in_another_browser_is_worth_nothing(stand: Stand) -> None:
    name, session = stand.sign_in()
    for other in ({"user-agent": "curl/8"}, {"accept-language": "fr"}):
        assert stand.asks(f"{name}={session}", **other) == (303, "/console/login?ended=true")
    assert stand.asks(f"{name}={session}") == (303, signed_in_to(stand))


def test_a_session_that_is_bound_to_nothing_is_noticed(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    monkeypatch.setattr(browser_sessions, "equal_in_constant_time", lambda *_: True)
    name, session = stand.sign_in()
    wrong = {"user-agent": "curl/8"}
    assert stand.asks(f"{name}={session}", **wrong) == (303, signed_in_to(stand))


def test_a_session_ends_with_its_token(stand: Stand) -> None:
    name, session = stand.sign_in()
    rotate_installation_token(stand.served.store.token)
    assert stand.asks(f"{name}={session}") == (303, "/console/login?ended=true")


def test_a_team_s_user_is_signed_in_until_their_token_is_revoked(project: Workspace) -> None:
    root, home = project.project.place.root, project.owner().home.path
    served = ProjectPool([root], home, team=True, hosts=[HOST])
    served.book.add("ann", "reader", "*")
    with TestClient(application(served), follow_redirects=False) as client:
        token = {"token": served.book.issue("ann")}
        answer = client.post("/console/login", headers=PAGE, data=token)
        name, session = cookie_of(answer.headers["set-cookie"])
        stand = Stand(served, client)
        assert stand.asks(f"{name}={session}") == (303, signed_in_to(stand))
        served.book.revoke("ann")
        assert stand.asks(f"{name}={session}") == (303, "/console/login?ended=true")
    served.close()


def test_sessions_are_short(tmp_path: object) -> None:
    clock = FixedClock(1_800_000_000.0)
    sessions = BrowserSessions(HomeDocuments(f"{tmp_path}/sessions", clock, LONGEST))
    session = sessions.begin("hash", "browser")
    for _ in range(LONGEST // (LONGEST_IDLE - 60)):
        clock.at += LONGEST_IDLE - 60
        assert sessions.token_of(session, "browser") == "hash"
    clock.at += LONGEST_IDLE - 60
    assert sessions.token_of(session, "browser") == ""
    idle = sessions.begin("hash", "browser")
    clock.at += LONGEST_IDLE + 61
    assert sessions.token_of(idle, "browser") == ""
    # It does not come back, whatever the clock says.
    clock.at -= LONGEST_IDLE
    assert sessions.token_of(idle, "browser") == ""


def test_a_link_signs_in_once_and_soon(stand: Stand) -> None:
    served = stand.served
    link = served.sessions.new_link(hash_of(served.token))
    first = stand.client.get(f"/console/login?once={link}", headers=PAGE)
    name, session = cookie_of(first.headers["set-cookie"])
    assert stand.asks(f"{name}={session}") == (303, signed_in_to(stand))
    again = stand.client.get(f"/console/login?once={link}", headers=PAGE)
    assert "set-cookie" not in again.headers
    assert "was used" in again.text


def test_a_link_is_too_old_after_a_while(tmp_path: object) -> None:
    clock = FixedClock(1_800_000_000.0)
    sessions = BrowserSessions(HomeDocuments(f"{tmp_path}/sessions", clock, LONGEST))
    link = sessions.new_link("hash")
    clock.at += LINK_SECONDS + 1
    assert sessions.follow_link(link) == ""
    assert sessions.follow_link(sessions.new_link("hash")) == "hash"


def test_serve_prints_a_link_that_signs_in(project: Workspace) -> None:
    words = [sys.executable, "-m", "satchel", "serve", "--port", "0"]
    environment = {**os.environ, "SATCHEL_HOME": project.owner().home.path}
    with subprocess.Popen(
        words, cwd=project.project.place.root, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            assert "Satchel serves" in process.stdout.readline()
            found = re.search(
                r"http://127\.0\.0\.1:\d+/console/login\?once=\S+", process.stdout.readline()
            )
            assert found
            opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with opener.open(found.group(), timeout=30) as answer:
                assert answer.status == 200
                assert answer.url.endswith("/home")
        finally:
            process.terminate()


@pytest.mark.parametrize(
    ("binding", "links"),
    [
        (Binding(), 1),
        (Binding("::1"), 1),
        (Binding("0.0.0.0", certificate="c", key="k"), 0),  # noqa: S104
        (Binding(public="memory.example.org"), 0),
    ],
)
def test_a_link_is_printed_only_where_nobody_else_reads_it(
    project: Workspace, capsys: pytest.CaptureFixture[str], binding: Binding, links: int
) -> None:
    _made_ready([project.project.place.root], project.owner().home.path, binding, quiet=False)
    printed = capsys.readouterr().out
    assert printed.count("/console/login?once=") == links
    assert ("http://[::1]:8377/" in printed) == (binding.host == "::1")


def test_a_copy_of_a_home_carries_nobody_s_session(stand: Stand, project: Workspace) -> None:
    stand.sign_in()
    home = project.owner().home
    assert any("browser-sessions" in directory for directory, _, _ in os.walk(home.path))
    assert [one.path for one in home_files(home) if "session-" in one.path] == []


def test_a_change_by_the_cookie_alone_says_which_page_it_is_from(
    stand: Stand, project: Workspace
) -> None:
    memory = project.learn("the relay listens on 9000")
    name, session = stand.sign_in()
    stand.client.cookies.clear()
    path = f"/console/{project.project.key}/memory/{memory.id}/hide"
    signed_in = {**PAGE, "cookie": f"{name}={session}"}
    assert stand.client.post(path, headers=signed_in).status_code == 403
    assert project.memories.find(memory.id).record.deleted_at is None
    for said in ({"origin": f"http://{HOST}"}, {"sec-fetch-site": "same-origin"}):
        assert stand.client.post(path, headers={**signed_in, **said}).status_code != 403
