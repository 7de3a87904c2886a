"""What pages of the console say: in the words of people, without the marks that agents read."""

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest
from starlette.testclient import TestClient

from integration.console_shop import shop
from integration.installed import Machine, needs_command
from integration.thread_made import new_repository
from integration.thread_story import main_branch
from satchel.features.access.secrets import hash_of
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.workspace import Workspace


class Console(NamedTuple):
    """A console that somebody has signed in to."""

    project: Workspace
    idents: dict[str, str]
    client: TestClient

    def says(self, page: str) -> str:
        """Return the text of a page."""
        return text_of(self.client, f"/console/{self.project.project.key}/{page}")


def text_of(client: TestClient, url: str) -> str:
    """Return what a page says, in single spaces."""
    answer = client.get(url)
    assert answer.status_code == 200, answer.text[-500:]
    main = answer.text.partition("<main")[2].partition("</main>")[0]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", main)).split())


@contextmanager
def signed_in(root: str, home: str) -> Iterator[TestClient]:
    served = ProjectPool([root], home, hosts=["testserver"])
    client = TestClient(application(served))
    client.headers["user-agent"] = "test"
    link = served.sessions.new_link(hash_of(served.token))
    client.get("/console/login", params={"once": link})
    yield client
    served.close()


@pytest.fixture(scope="module")
def console() -> Iterator[Console]:
    with shop() as (project, idents):
        root, home = project.project.place.root, project.owner().home.path
        with signed_in(root, home) as client:
            yield Console(project, idents, client)


def test_an_own_session_keeps_its_agent_and_its_task_beside_the_archive(console: Console) -> None:
    with console.project.sessions as sessions:
        assert {one.id for one in sessions.store.every()} <= {
            one.id for one in sessions.archive.imported()
        }
        task = sessions.store.get(console.idents["session"]).task
    said = console.says(f"sessions/{console.idents['session']}")
    assert "Agent orchestrator" in said
    assert f"Task {task}" in said
    assert "6 sessions." in console.says("home")
    assert "6 sessions" in console.says("sessions")


def test_what_was_shown_is_told_without_the_marks_for_agents(console: Console) -> None:
    said = console.says(f"sessions/{console.idents['session']}")
    assert "17 shown at the start" in said
    assert "Shop: Sells things to people" in said
    for mark in ("<!--", "- [", "SessionStart", "preference-"):
        assert mark not in said


def test_a_fact_is_a_sentence(console: Console) -> None:
    said = console.says("memory?kind=fact")
    assert "tax service answers in 1.8 s at p95" in said
    assert " | " not in said


def test_a_suggestion_says_what_it_changes_and_what_follows(console: Console) -> None:
    said = console.says(f"inbox/s-{console.idents['suggestion']}")
    assert "to AGENTS.md" in said
    assert "Every agent that reads AGENTS.md is told this from its next session on." in said
    assert "new lesson · somebody said so" in said
    assert ".md ·" not in said.replace("AGENTS.md ·", "")


def test_research_names_no_path_of_this_machine(console: Console) -> None:
    said = console.says("explore/research?q=webhook")
    assert "Open the memory" in said
    assert console.project.owner().home.path not in said


@pytest.mark.skipif(bool(needs_command()), reason=needs_command())
def test_a_line_leads_back_to_the_words_that_asked_for_it(machine: Machine) -> None:
    made = new_repository(machine)
    main_branch(made, machine.home)
    machine.ok("why", "src/pay.py:20", at=made.root)  # imports what the client wrote
    machine.ok("approve", "--author", "ann@example.org", "--yes", at=made.root)
    home = str(machine.home / ".satchel")
    with Workspace.open(str(made.root), home=home) as work:
        key = work.project.key
    with signed_in(str(made.root), home) as client:
        said = text_of(client, f"/console/{key}/explore/why?what=src/pay.py:20")
        nothing = text_of(client, f"/console/{key}/explore/why?what=no-such-thing")
        drawn = text_of(client, f"/console/{key}/explore?focus=src/pay.py:20")
        unknown = text_of(client, f"/console/{key}/explore?focus=src/pay.py:9999")
        searched = text_of(client, f"/console/{key}/explore?q=src/pay.py:20")
        file = text_of(client, f"/console/{key}/explore?q=src/pay.py")
    assert "Somebody asked for it The tax must be rounded to cents, half up" in said
    assert "certain, git told the session" in said
    assert "Commit " in said
    assert "Nothing here is called this" in nothing
    assert "Line return exact.quantize(CENT, rounding=ROUND_HALF_UP)" in drawn
    assert "comes from Round the tax to cents" in drawn
    assert "comes from Round the tax to cents" in searched
    assert "File src/pay.py Tied to Say it shorter changed it" in file
    assert "was written in The tax must be rounded to cents, half up" in drawn
    assert "No graph yet" in unknown
