"""The console in a real browser: every page, by keys alone, for everybody, and running no data."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from integration.console_stand import PAGES, chromium, furnished, running, signed_in
from satchel.workspace import Workspace

pytestmark = pytest.mark.xdist_group("console")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def stand() -> Iterator[tuple[Workspace, dict[str, str], str, str]]:
    with furnished() as (project, idents), running(project) as (address, token):
        yield project, idents, address, token


def every_page(project: Workspace, idents: dict[str, str]) -> list[str]:
    base = f"/console/{project.key}"
    more = [f"memory/{idents['memory']}", f"session/{idents['session']}", f"tasks?task={idents['task']}",
            "tables?table=suppliers"]  # fmt: skip
    return [f"{base}/{name}" for name in (*PAGES, *more)]


def test_every_page_is_shown_without_an_error(
    browser: Any, stand: tuple[Workspace, dict[str, str], str, str]
) -> None:
    project, idents, address, token = stand
    with signed_in(browser, address, token) as page:
        errors: list[str] = []
        page.on("console", lambda one: errors.append(one.text) if one.type == "error" else None)
        page.on("pageerror", lambda one: errors.append(str(one)))
        for path in every_page(project, idents):
            answer = page.goto(address + path)
            assert answer.status == 200, (path, page.content()[:500])
            assert "script-src" in answer.headers["content-security-policy"]
            assert "unsafe" not in answer.headers["content-security-policy"]
        assert errors == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_serious_and_nothing_overflows(
    browser: Any, stand: tuple[Workspace, dict[str, str], str, str], scheme: str, width: int
) -> None:
    project, idents, address, token = stand
    options = {"color_scheme": scheme, "viewport": {"width": width, "height": 800}}
    with signed_in(browser, address, token, **options) as page:
        for path in every_page(project, idents):
            if path.endswith("picture"):
                continue  # a page of its own, checked by test_visualise
            page.goto(address + path)
            found = Axe().run(page).response["violations"]
            serious = [f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in found
                       if one["impact"] in ("serious", "critical")]  # fmt: skip
            assert serious == [], path
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width + 1, path


def test_the_page_to_sign_in_is_all_that_a_stranger_gets(
    browser: Any, stand: tuple[Workspace, dict[str, str], str, str]
) -> None:
    project, _, address, _ = stand
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/console/{project.key}/memories")
    assert page.url == f"{address}/console/login"
    page.fill("#token", "satchel_wrong")
    page.click("button")
    assert "not good" in page.inner_text("main")
    assert context.cookies() == []
    context.close()


def test_a_proposal_is_accepted_by_one_key(browser: Any) -> None:
    with furnished() as (project, _), running(project) as (address, token):
        with signed_in(browser, address, token) as page:
            page.keyboard.press("g")
            page.keyboard.press("r")
            page.wait_for_url("**/review")
            assert page.inner_text("main").count("1 of 4")
            title = page.inner_text("article h2")
            page.keyboard.press("j")
            page.wait_for_url("**/review?at=1")
            page.keyboard.press("k")
            page.wait_for_url("**/review?at=0")
            page.keyboard.press("y")
            page.wait_for_selector(".told")
            assert "Applied." in page.inner_text(".told")
            assert title not in page.inner_text("main")
            page.keyboard.press("n")
            page.wait_for_selector(".told:has-text('Rejected')")
        states = sorted(one.state for one in _standings(project))
        assert states == ["accepted", "pending", "pending", "rejected"]


def _standings(project: Workspace) -> list[Any]:
    from satchel.workspace.reflecting import open_queue

    queue = open_queue(project)
    try:
        return queue.all()
    finally:
        queue.close()


def test_forms_do_what_they_say_also_without_scripts(browser: Any) -> None:
    with furnished() as (project, idents), running(project) as (address, token):
        with signed_in(browser, address, token, java_script_enabled=False) as page:
            base = f"{address}/console/{project.key}"
            page.goto(f"{base}/tasks")
            page.fill("#title", "Write the runbook")
            page.click("form.bar button")
            assert "was made" in page.inner_text(".told")
            page.fill("#summary", "written")
            page.click("article form button")
            assert "is closed" in page.inner_text(".told")
            page.goto(f"{base}/intent")
            page.fill("#task", "bd-9")
            page.select_option("#anchor", "overview")
            page.click("form.bar button")
            assert "bd-9 is linked to overview" in page.inner_text(".told")
            page.goto(f"{base}/memory/{idents['memory']}")
            page.click("button.danger")
            assert "Deleted" in page.inner_text(".told")
            page.goto(f"{base}/search")
            page.fill("#q", "tunnel of staging")
            page.click("form[role=search] button")
            assert "port 5430" in page.inner_text("main")


def test_another_site_cannot_make_a_form_count(
    stand: tuple[Workspace, dict[str, str], str, str],
) -> None:
    import urllib.error
    import urllib.request

    project, idents, address, token = stand
    url = f"{address}/console/{project.key}/memory/{idents['memory']}/delete"
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        request = urllib.request.Request(  # noqa: S310 -- loopback
            url, data=b"", headers={"Cookie": f"satchel_session={token}", **headers}, method="POST"
        )
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=10)  # noqa: S310
        assert refused.value.code == 403
        refused.value.close()
    project.fresh()
    assert project.memories.find(idents["memory"]).record.deleted_at is None
