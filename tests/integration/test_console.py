"""The console in a real browser: every page, by keys alone, for everybody, and running no data."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from integration.console_stand import (
    OWNERS,
    chromium,
    furnished,
    pages_with,
    running,
    shows,
    signed_in,
)
from satchel.features.access.users import ANY, READER, WRITER, UserStore
from satchel.project.server import ServerStore
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

pytestmark = pytest.mark.xdist_group("console")

WIDEST, BETWEEN, NARROWEST = 1440, 820, 390
OTHER_WIDTHS = (320, 2560)
#: Adds up what moved by itself: the cumulative layout shift of https://web.dev/articles/cls.
_MOVES = """
window.moved = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) { if (!one.hadRecentInput) { window.moved += one.value; } }
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def stand() -> Iterator[tuple[Workspace, dict[str, str], str, str]]:
    with furnished() as (project, idents), running(project) as (address, token):
        yield project, idents, address, token


def every_page(project: Workspace, idents: dict[str, str]) -> list[str]:
    base = f"/console/{project.project.key}"
    return [f"{base}/{name}" for name in pages_with(project, idents)]


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


@pytest.mark.parametrize("width", [WIDEST, BETWEEN, NARROWEST])
def test_axe_finds_nothing_serious_and_nothing_overflows(
    browser: Any, stand: tuple[Workspace, dict[str, str], str, str], width: int
) -> None:
    project, idents, address, token = stand
    with signed_in(browser, address, token, viewport={"width": width, "height": 800}) as page:
        page.context.add_init_script(_MOVES)
        for path in every_page(project, idents):
            if path.endswith("picture"):
                continue  # a page of its own, checked by test_visualise
            page.emulate_media(color_scheme="light")
            page.goto(address + path)
            assert serious(page) == [], path
            if width != BETWEEN:  # what it shows is shown wider or narrower, in the same colours
                page.emulate_media(color_scheme="dark")
                assert serious(page, "color-contrast") == [], path
            assert page.evaluate("window.moved") < 0.02, path
            for at in (width, *(OTHER_WIDTHS if width == WIDEST else ())):
                page.set_viewport_size({"width": at, "height": 800})
                assert page.evaluate("document.documentElement.scrollWidth") <= at + 1, (at, path)
            page.set_viewport_size({"width": width, "height": 800})


def serious(page: Any, *rules: str) -> list[str]:
    """What axe finds on a page, by all its rules or by some."""
    # What is fine need not be described, element by element.
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:120]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def test_what_comes_late_and_moves_a_page_is_seen(
    browser: Any, stand: tuple[Workspace, dict[str, str], str, str]
) -> None:
    """Seeded bug: something is moved after the page was shown."""
    project, _, address, token = stand
    late = "(px) => { document.querySelector('.board, .tasks').style.marginTop = px; }"
    with signed_in(browser, address, token) as page:
        page.context.add_init_script(_MOVES)
        page.goto(f"{address}/console/{project.project.key}/work")
        # To and fro, since only what was painted before can be seen to move, and a busy machine
        # may have painted nothing yet. Asked from here: the page's policy forbids what
        # `wait_for_function` asks again with.
        for turn in range(200):
            page.evaluate(late, f"{90 * (turn % 2 == 0)}px")
            page.wait_for_timeout(50)
            if page.evaluate("window.moved") >= 0.02:
                break
        assert page.evaluate("window.moved") >= 0.02


def test_the_page_to_sign_in_is_all_that_a_stranger_gets(
    browser: Any, stand: tuple[Workspace, dict[str, str], str, str]
) -> None:
    project, _, address, _ = stand
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/console/{project.project.key}/memory?q=tunnel")
    assert page.url.startswith(f"{address}/console/login?next=")
    page.fill("#token", "satchel_wrong")
    page.click("button")
    shows(page, "main", "not good")
    assert context.cookies() == []
    context.close()


def test_a_deep_link_survives_signing_in(
    browser: Any, stand: tuple[Workspace, dict[str, str], str, str]
) -> None:
    project, _, address, token = stand
    context = browser.new_context()
    page = context.new_page()
    asked = f"{address}/console/{project.project.key}/memory?q=tunnel"
    page.goto(asked)
    page.fill("#token", token)
    page.click("button")
    page.wait_for_url(asked)
    for elsewhere in (
        "//evil.example",
        "https://evil.example",
        "/console/\\\\evil.example",
        "/api",
    ):
        answer = page.request.post(
            f"{address}/console/login", form={"token": token, "next": elsewhere}, max_redirects=0
        )
        assert answer.headers["location"] == "/console/"
    context.close()


def _book(project: Workspace) -> UserStore:
    return UserStore(ServerStore(project.owner().home, project.project.clock).ledger("access"))


def test_a_reader_is_offered_nothing_that_they_may_not_do(
    browser: Any, stand: tuple[Workspace, dict[str, str], str, str]
) -> None:
    project, idents, _, _ = stand
    with running(project, team=True) as (address, _):
        book = _book(project)
        book.add("ada", READER, ANY)
        with signed_in(browser, address, book.issue("ada")) as page:
            for path in every_page(project, idents):
                answer = page.goto(address + path)
                name = path.split("/", 3)[3]
                allowed = {200}
                if name.startswith(OWNERS) or name.endswith("/erase"):
                    allowed = {400, 403}
                elif name.startswith("inbox/"):
                    allowed = {200, 404}  # what is the owner's own waits for nobody else
                assert answer.status in allowed, path
                owners = answer.status != 200
                forms = page.locator("form[method=post]").evaluate_all(
                    "all => all.map(f => f.action)"
                )
                assert [one for one in forms if not one.endswith("/logout")] == [], path
                if not (owners or path.endswith("picture")):
                    shows(page, "main", "You are a reader here")
            page.goto(f"{address}/console/{project.project.key}/work")
            page.evaluate(
                """() => {
                    const form = document.createElement("form");
                    form.method = "post";
                    document.body.append(form);
                    form.submit();
                }"""
            )
            page.wait_for_selector("[role=alert]")
            shows(page, "main", "This requires the role writer. You are signed in as ada.")


def test_who_has_no_role_or_no_good_token_is_told_what_to_do(
    browser: Any, stand: tuple[Workspace, dict[str, str], str, str]
) -> None:
    project, _, _, _ = stand
    with running(project, team=True) as (address, _):
        book = _book(project)
        book.add("eve", WRITER, "elsewhere")
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{address}/")
        shows(page, "main", "Whoever runs this server gives you your token")
        page.fill("#token", book.issue("eve"))
        page.click("button")
        page.wait_for_selector("text=eve has no role")
        answer = page.goto(f"{address}/console/{project.project.key}/home")
        assert answer.status == 403
        shows(page, "[role=alert]", "This requires the role reader")
        book.rotate("eve")
        page.goto(f"{address}/console/{project.project.key}/home")
        shows(page, "[role=alert]", "Sign in again")
        context.close()


def test_a_link_cannot_put_words_into_the_console_s_mouth(
    browser: Any, stand: tuple[Workspace, dict[str, str], str, str]
) -> None:
    project, _, address, token = stand
    with signed_in(browser, address, token, java_script_enabled=False) as page:
        tasks = f"{address}/console/{project.project.key}/work"
        page.goto(tasks)
        page.click("#newtask summary")
        page.fill("#title", "Say it")
        page.click("#newtask button")
        told = page.url
        page.goto(told)
        shows(page, ".told", "was made")
        for changed in (
            told.replace("was+made", "was+stolen"),
            told.replace("%2Fdelete", "%2Fstate"),
        ):
            assert changed != told
            page.goto(changed)
            assert page.locator(".told").count() == 0
        page.goto(f"{tasks}?told=Write+to+mallory")
        assert page.locator(".told").count() == 0


def test_another_site_cannot_make_a_form_count(
    stand: tuple[Workspace, dict[str, str], str, str],
) -> None:
    import urllib.error
    import urllib.request

    project, idents, address, token = stand
    url = f"{address}/console/{project.project.key}/memory/{idents['memory']}/hide"
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    opener.open(f"{address}/console/login", f"token={token}".encode(), timeout=10).close()
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        request = urllib.request.Request(  # noqa: S310 -- loopback
            url, data=b"", headers=headers, method="POST"
        )
        with pytest.raises(urllib.error.HTTPError) as refused:
            opener.open(request, timeout=10)
        assert refused.value.code == 403
        refused.value.close()
    project.refresh()
    assert project.memories.find(idents["memory"]).record.deleted_at is None


def test_what_goes_wrong_is_a_page_for_people_and_a_problem_for_programs(
    browser: Any, stand: tuple[Workspace, dict[str, str], str, str]
) -> None:
    project, _, address, token = stand
    base = f"{address}/console/{project.project.key}"
    with signed_in(browser, address, token) as page:
        for path, status in (
            ("memory/nothing", 404),
            ("nothing", 404),
            (f"memory?q={'x' * 1100}", 422),
        ):
            answer = page.goto(f"{base}/{path}")
            assert answer.status == status
            assert answer.headers["content-type"].startswith("text/html")
            assert page.inner_text("[role=alert]")
        page.goto(f"{base}/work")
        page.keyboard.press("c")
        page.eval_on_selector("#title", "field => { field.maxLength = 20000; }")
        page.fill("#title", "T" * 10_000)
        page.click("#newtask button")
        page.wait_for_selector("[role=alert]")
        shows(page, "[role=alert]", "500 characters")
        assert page.input_value("#title") == "T" * 10_000
        api = page.request.get(f"{address}/api/projects/{project.project.key}/memory/nothing")
        assert api.headers["content-type"] == "application/problem+json"
        page.goto(f"{base}/nothing")
        page.click("main a")
        page.wait_for_url("**/home")


def test_what_is_said_from_right_to_left_turns_no_date_round(browser: Any) -> None:
    with temporary_workspace(git=True) as project:
        project.learn("\u05d0\u05d1\u05d2 \u05d3\u05d4\u05d5")
        with running(project) as (address, token), signed_in(browser, address, token) as page:
            # The date stands after the words, as in every other line.
            page.goto(f"{address}/console/{project.project.key}/memory")
            words, date = (
                page.locator(f"#rows .row {one}").bounding_box() for one in ("bdi", "time")
            )
            assert date["x"] >= words["x"] + words["width"] - 1
            isolated = "one => getComputedStyle(one).unicodeBidi"
            assert page.eval_on_selector("#rows time", isolated) == "isolate"


def test_a_tab_that_nobody_looks_at_holds_no_connection(browser: Any) -> None:
    with temporary_workspace(git=True) as project, running(project) as (address, token):
        with signed_in(browser, address, token) as page:
            page.evaluate(
                """() => {
                    window.closed_by_us = 0;
                    const close = EventSource.prototype.close;
                    EventSource.prototype.close = function () { window.closed_by_us += 1; close.call(this); };
                    Object.defineProperty(document, "hidden", { get: () => true });
                    document.dispatchEvent(new Event("visibilitychange"));
                }"""
            )
            assert page.evaluate("window.closed_by_us") == 1
