"""Deciding in the console, in a real browser: by keys, many at once, undone, without a script, together."""

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from integration.console_stand import chromium, furnished, running, shows, signed_in
from satchel.application.learning.reviewing.queue import open_queue
from satchel.features.tasks.lifecycle import STATES
from satchel.interfaces.http.console.routes.work import COLUMNS, column_of
from satchel.workspace import Workspace

pytestmark = pytest.mark.xdist_group("console")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


def test_a_suggestion_is_decided_by_keys_and_taken_back(browser: Any) -> None:
    with furnished() as (project, _), running(project) as (address, token):
        with signed_in(browser, address, token) as page:
            page.keyboard.press("g")
            page.keyboard.press("i")
            page.wait_for_url("**/inbox")
            assert page.title().startswith("(4) Inbox")
            title = page.inner_text("article h2")
            page.keyboard.press("j")
            page.wait_for_url("**/inbox/s-*")
            assert page.inner_text("article h2") != title
            page.keyboard.press("k")
            page.wait_for_function(
                "t => document.querySelector('article h2').innerText === t", arg=title
            )
            page.keyboard.press("y")
            page.wait_for_selector(".told:has-text('Accepted 1')")
            assert title not in page.inner_text("#queue")
            page.keyboard.press("n")
            page.wait_for_selector(".told:has-text('Rejected')")
            assert sorted(one.state for one in _standings(project)) == [
                "accepted",
                "pending",
                "pending",
                "rejected",
            ]
            page.keyboard.press("u")
            page.wait_for_selector(".told:has-text('Undone')")
        states = sorted(one.state for one in _standings(project))
        assert states == ["accepted", "pending", "pending", "pending"]


def test_many_are_decided_at_once(browser: Any) -> None:
    with furnished() as (project, _), running(project) as (address, token):
        with signed_in(browser, address, token) as page:
            page.goto(f"{address}/console/{project.project.key}/inbox")
            page.keyboard.press("x")
            page.keyboard.press("j")
            page.wait_for_url("**/inbox/s-*")
            page.keyboard.press("x")
            assert page.inner_text("[data-ticked]") == "2 chosen"
            page.click(".bulk button[value=reject]")
            page.wait_for_selector(".told:has-text('Rejected 2')")
        assert [one.state for one in _standings(project)].count("rejected") == 2


def test_what_is_new_waits_until_it_is_asked_for(browser: Any) -> None:
    with furnished() as (project, _), running(project) as (address, token):
        with signed_in(browser, address, token) as page:
            page.goto(f"{address}/console/{project.project.key}/memory")
            page.wait_for_selector("#live.on")
            before = page.locator("#rows > li[id]").count()
            for n in range(3):
                project.learn(f"Something new was found out, number {n}")
            page.wait_for_selector("#fresh:visible", timeout=3000)
            assert page.inner_text("#fresh") == "3 new, show"
            assert page.locator("#rows > li[id]").count() == before
            page.click("#fresh")
            page.wait_for_function(
                "n => document.querySelectorAll('#rows > li[id]').length === n", arg=before + 3
            )
            page.goto(f"{address}/console/{project.project.key}/work")
            page.wait_for_selector("#live.on")
            with project.tasks as tasks:
                tasks.create("Made on the command line")
            page.wait_for_selector("text=Made on the command line", timeout=3000)


def _standings(project: Workspace) -> list[Any]:
    queue = open_queue(project)
    try:
        return queue.all()
    finally:
        queue.close()


def test_reading_and_deciding_need_no_script(browser: Any) -> None:
    with furnished() as (project, idents), running(project) as (address, token):
        with signed_in(browser, address, token, java_script_enabled=False) as page:
            base = f"{address}/console/{project.project.key}"
            page.goto(f"{base}/inbox")
            page.click("article button[value=reject]")
            shows(page, ".told", "Rejected 1")
            page.click(".told button")
            shows(page, ".told", "waits again")
            page.goto(f"{base}/work")
            page.click("#newtask summary")
            page.fill("#title", "Write the runbook")
            page.click("#newtask button")
            shows(page, ".told", "was made")
            page.select_option("#to", "done")
            page.click("aside form[action$='/move'] button")
            shows(page, ".told", "is in Done")
            page.goto(f"{base}/work/{idents['task']}")
            page.select_option("#serves", "overview")
            page.click("aside form[action$='/link'] button")
            shows(page, ".told", "is linked to overview")
            page.goto(f"{base}/memory/{idents['memory']}")
            page.click("form[action$='/hide'] button")
            shows(page, ".told", "Hidden")
            page.click(".told button")
            shows(page, ".told", "It is back")
            page.goto(f"{base}/memory")
            page.fill("#list input[type=search]", "tunnel of staging")
            page.keyboard.press("Enter")
            page.wait_for_url("**q=tunnel*")
            shows(page, "main", "port 5430")


def test_an_edit_of_what_changed_meanwhile_overwrites_nothing(browser: Any) -> None:
    with furnished() as (project, idents), running(project) as (address, token):
        with signed_in(browser, address, token) as page:
            page.goto(f"{address}/console/{project.project.key}/memory/{idents['memory']}")
            page.keyboard.press("e")
            page.fill("#new", "Never push to main on a Friday")
            project.memories.edit(idents["memory"], "Never push to release branches")
            page.wait_for_timeout(1200)
            assert page.input_value("#new") == "Never push to main on a Friday"
            page.click("#editing button")
            page.wait_for_selector("[role=alert]:has-text('Nothing was overwritten')")
            shows(page, "main", "release branches")
            assert page.input_value("#mine") == "Never push to main on a Friday"
            assert (
                project.memories.find(idents["memory"]).record.content
                == "Never push to release branches"
            )
            page.click("text=Save yours")
            page.wait_for_selector(".told:has-text('Changed')")
            page.keyboard.press("u")
            page.wait_for_selector(".told:has-text('earlier text is restored')")
        assert (
            project.memories.find(idents["memory"]).record.content
            == "Never push to release branches"
        )


def test_finished_tasks_stand_under_done(browser: Any) -> None:
    assert {column_of(stage) for stage in STATES} == set(COLUMNS)
    assert column_of("completed") == column_of("archived") == "done"
    assert (column_of("pending"), column_of("blocked")) == ("ready", "waiting")
    with furnished() as (project, idents), running(project) as (address, token):
        with project.tasks as tasks:
            tasks.close([idents["task"]], "opened")
        with signed_in(browser, address, token) as page:
            page.goto(f"{address}/console/{project.project.key}/work")
            shows(page, "[data-column=done]", "Open the tunnel")
            # Nothing holds it up any more.
            shows(page, "[data-column=ready]", "Deploy")


def test_what_waits_for_what_is_drawn_between_the_cards(browser: Any) -> None:
    with furnished() as (project, idents), running(project) as (address, token):
        with signed_in(browser, address, token) as page:
            base = f"{address}/console/{project.project.key}"
            page.goto(f"{base}/work")
            page.wait_for_selector("body.scripted")
            assert page.locator(".ties path").count() == 0
            page.click(f"#card-{idents['task']}")
            page.wait_for_selector(".ties path", state="attached")
            assert page.locator(".card[data-tie=later]").count() == 1
            page.reload()
            page.wait_for_selector(".ties path", state="attached")


def test_a_key_that_is_held_down_decides_once(browser: Any) -> None:
    with furnished() as (project, _), running(project) as (address, token):
        with signed_in(browser, address, token) as page:
            page.goto(f"{address}/console/{project.project.key}/inbox")
            page.keyboard.down("y")
            page.wait_for_selector(".told")
            for _ in range(3):
                page.keyboard.down("y")  # the same key, never let go
                page.wait_for_timeout(200)
            page.keyboard.up("y")
        assert [one.state for one in _standings(project)].count("accepted") == 1


def test_the_intent_is_edited_with_a_preview(browser: Any) -> None:
    with furnished() as (project, _), running(project) as (address, token):
        with signed_in(browser, address, token) as page:
            page.goto(f"{address}/console/{project.project.key}/work/intent")
            page.locator("a:has-text('Edit')").last.click()
            page.fill("#words", "Go, and **nothing** else.")
            page.click("button[value=preview]")
            page.wait_for_selector(".panel strong:has-text('nothing')")
            assert "nothing" not in project.intent.read().sections[-1].body
            page.click("button[value=save]")
            page.wait_for_selector(".told:has-text('Changed')")
            assert project.intent.read().sections[-1].body.strip() == "Go, and **nothing** else."
            page.keyboard.press("u")
            page.wait_for_function("() => !document.body.innerText.includes('nothing else')")
        assert project.intent.read().sections[-1].body.strip() == "Go."


def test_the_palette_finds_and_goes_and_leaves(browser: Any) -> None:
    with furnished() as (project, _), running(project) as (address, token):
        with signed_in(browser, address, token) as page:
            page.keyboard.press("Control+k")
            page.wait_for_selector("#found a:has-text('Explore')")
            page.keyboard.type("tunnel")
            page.wait_for_selector("#found [role=group][aria-label=Memories] a")
            first = page.get_attribute("#palette input", "aria-activedescendant")
            page.keyboard.press("ArrowDown")
            assert page.get_attribute("#palette input", "aria-activedescendant") != first
            page.keyboard.press("Escape")
            assert page.locator("#palette[open]").count() == 0
            page.keyboard.press("?")
            page.wait_for_selector("#keys[open]")
            page.click("#keys input[type=checkbox]")
            page.click("#keys button")
            page.keyboard.press("g")
            page.keyboard.press("i")
            page.wait_for_timeout(300)
            assert page.url.endswith("/home"), "single keys are off"


def _appears(part: Any) -> bool:
    """Wait a moment for a part of the page."""
    with contextlib.suppress(PlaywrightTimeout):
        part.wait_for(timeout=3000)
    return bool(part.is_visible())


def test_two_browsers_and_the_command_line_lose_nothing(browser: Any) -> None:
    with furnished() as (project, idents), running(project) as (address, token):
        base = f"{address}/console/{project.project.key}"
        with signed_in(browser, address, token) as one, signed_in(browser, address, token) as other:
            for page in (one, other):
                page.goto(f"{base}/work/{idents['task']}")
                page.wait_for_selector("#live.on")
            one.keyboard.press("e")
            one.fill("#ed", "Said by one")
            with project.tasks as tasks:
                tasks.comment(idents["task"], "Said on the command line")
            other.wait_for_selector("text=Said on the command line", timeout=3000)
            claimed = other.locator(".told", has_text="is yours")
            answers: list[str] = []
            other.on("response", lambda one: answers.append(f"{one.request.method} {one.status}"))
            other.keyboard.press("a")
            assert _appears(claimed), (answers, other.inner_text("#main")[:600])
            one.wait_for_timeout(1200)
            assert one.input_value("#ed") == "Said by one"
            one.click("#editing button")
            one.wait_for_selector("[role=alert]:has-text('Nothing was overwritten')")
            assert one.input_value("#ed") == "Said by one"
        with project.tasks as tasks:
            shown = tasks.view.show(idents["task"])[0].data
        assert shown["description"] != "Said by one"
        assert shown["assignee"]
        assert [said["text"] for said in shown["comments"]] == ["Said on the command line"]
