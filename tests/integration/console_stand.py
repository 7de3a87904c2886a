"""A console with something on every page, in a server of its own, and a real browser before it."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import expect

from integration.transcripts_made import Transcript, a_mornings_work
from satchel.application.learning.reflection.service import Reflection
from satchel.application.learning.reviewing.review import Review
from satchel.features.graph.values import Entity, Relation, TextGraph
from satchel.features.instincts.editing import added
from satchel.features.instincts.values import NewInstinct
from satchel.features.intent.values import Link
from satchel.features.sessions.values import START, Message
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.testing import run_git, temporary_workspace
from satchel.workspace import Workspace

CHROMIUM = "/usr/bin/chromium"
PAGES = ("home", "memory", "memory?q=tunnel", "memory?kind=rule", "inbox", "sessions", "work", "work?view=list",
         "work/intent", "explore?q=tunnel", "explore?view=whole", "explore/picture", "explore/picture?around=README.md", "explore/code?q=readme", "explore/packs?q=readme",
         "explore/research?q=tunnel", "explore/why?what=README.md:1", "find?q=tunnel",
         "settings", "settings?section=brief", "settings/clients", "settings/users", "settings/audit")  # fmt: skip
#: Shown to whoever owns the machine alone.
OWNERS = ("settings", "explore/why", "explore/picture?around")


def pages_with(project: Workspace, idents: dict[str, str]) -> list[str]:
    """Every page below a project, with the pages of single things."""
    with Review(project) as review:
        proposals = [one.proposal.id for one in review.pending()]
    tabs = [
        f"memory/{idents['memory']}?tab={tab}" for tab in ("shown", "from", "history", "connected")
    ]
    more = [f"memory/{idents['memory']}", f"memory/{idents['memory']}/erase", f"sessions/{idents['session']}",
            f"work/{idents['task']}"]  # fmt: skip
    return [*PAGES, *more, *tabs, *(f"inbox/s-{one}" for one in proposals)]


def furnish(project: Workspace, said: str = "") -> dict[str, str]:
    """Put something onto every page; `said` goes into every field that takes text."""
    root, home = project.project.place.root, project.owner().home.path
    for n in range(3):
        project.learn(
            f"The tunnel of staging is on port 543{n} {said}", tags=("staging",), title=said
        )
    kept = project.remember(f"Never push to main {said}", kind="constraint", agent=said or "scout")
    with open(project.project.tracked.intent, "w", encoding="utf-8") as file:
        file.write(
            f"# Shop {{#anchor:overview}}\nSells. {said}\n\n## Tech {said} {{#anchor:tech}}\nGo.\n"
        )
    with project.tasks as tasks:
        first = tasks.create(f"Open the tunnel {said}"[:400], description=said or "by hand").id
        tasks.create("Deploy", links=[("blocks", first)])
    project.intent.link(Link(first, "tech", note=said))
    with project.sessions as sessions:
        session = sessions.new(title=f"staging {said}").id
        sessions.move(session, START)
        sessions.say(session, Message("user", f"reach staging {said}"))
        sessions.say(session, Message("assistant", f"Open the tunnel. {said}"))
    project.briefs.note_injection(project.briefs.session(), session=session, event="SessionStart")
    with project.graph as graph:
        named = [Entity("tunnel", "tool", f"reaches staging {said}"), Entity(said or "gateway")]
        links = (Relation("tunnel", "staging", "requires", 0.9, said),)
        graph.ingest(
            f"the tunnel reaches staging {said}", TextGraph(tuple(named), links, explicit=True)
        )
    rule = NewInstinct(f"Prefer the tunnel {said}"[:400], source=said)
    project.instincts.file.apply(lambda text: added(text, rule, today=project.instincts.today))
    with project.tables as tables:
        tables.write_preset("foundation", only=("suppliers",))
        tables.tables(strict=False).add("suppliers", {"name": f"Acme {said}"[:200]})
    made = a_mornings_work(root)
    if said:
        made = Transcript(root).person(f"never edit the generated files {said}")
    Reflection(project).reflect(paths=[made.write(os.path.join(home, "t.jsonl"))])
    return {"memory": kept.id, "session": session, "task": first}


@contextmanager
def running(project: Workspace, *, team: bool = False) -> Iterator[tuple[str, str]]:
    """Serve a project's console; yield its address and the token."""
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    hosts = [f"127.0.0.1:{port}"]
    served = ProjectPool(
        [project.project.place.root], project.owner().home.path, team=team, hosts=hosts
    )
    config = uvicorn.Config(application(served), port=port, log_level="error", access_log=False,
                            timeout_graceful_shutdown=1)  # fmt: skip
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{port}", served.token
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser; a machine without one fails the test."""
    if not os.path.exists(CHROMIUM):
        pytest.fail("These tests need Chromium: sh tests/machine.sh installs it.")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@contextmanager
def signed_in(browser: Any, address: str, token: str, **options: Any) -> Iterator[Any]:
    """A page of somebody who has signed in, and the errors that its console showed."""
    context = browser.new_context(**options)
    page = context.new_page()
    page.goto(f"{address}/")
    page.fill("#token", token)
    page.click("button")
    page.wait_for_url("**/home")
    try:
        yield page
    finally:
        context.close()


def shows(page: Any, where: str, text: str) -> None:
    """Wait until a part of the page holds a text: it may be read while the next page is coming."""
    expect(page.locator(where).first).to_contain_text(text, timeout=15_000)


@contextmanager
def furnished(said: str = "") -> Iterator[tuple[Workspace, dict[str, str]]]:
    """A project with something on every page."""
    with temporary_workspace(git=True) as project:
        root = project.project.place.root
        # Whoever has a checkout has a name in it; tasks are claimed by that.
        run_git(root, "config", "user.name", "Ada")
        with open(os.path.join(root, "README.md"), "w", encoding="utf-8") as file:
            file.write("# Shop\n\nThe readme of a shop.\n")
        yield project, furnish(project, said)
