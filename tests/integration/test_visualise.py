"""The picture in a real browser: it opens offline, finds, shows neighbours, and runs no data."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from satchel.core.clock import FixedClock
from satchel.features.graph.html_export import arrange, html_of
from satchel.features.graph.values import Entity, Relation, TextGraph
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

CHROMIUM = "/usr/bin/chromium"
EVIL = (
    "</script><script>window.hacked=1</script>",
    "<img src=x onerror=window.hacked=2>",
    "{{script}} {{data}}",
    "a\u2028b\u2029c",
    '"];window.hacked=3;//',
)


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with temporary_workspace(clock=FixedClock()) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if not os.path.exists(CHROMIUM):
        pytest.fail("These tests need Chromium: sh tests/machine.sh installs it.")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


def draw(workspace: Workspace, path: Path) -> Path:
    links = (
        Relation("tmux", "spawn agent", "requires", 0.9, "waits for the prompt"),
        Relation("spawn agent", "swarm-lib", "uses", 0.5),
        Relation("redis", "linux", "requires", 0.5),
        *(Relation(evil, "tmux", "relates_to", 0.3, evil) for evil in EVIL),
    )
    named = [Entity("tmux", "tool", "a terminal multiplexer")]
    named += [Entity(evil, f"type {evil}", evil) for evil in EVIL]
    with workspace.graph as own:
        own.ingest("drawn", TextGraph(tuple(named), links, explicit=True))
        own.visualize(str(path))
    return path


class Opened:
    """A page with everything that it asked for and complained about."""

    def __init__(self, browser: Any, path: Path, **options: Any) -> None:
        self.asked: list[str] = []
        self.complaints: list[str] = []
        context = browser.new_context(offline=True, **options)
        self.page = context.new_page()
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: self.complaints.append(said.text))
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("html[data-ready=yes]")


def test_it_opens_from_a_file_and_asks_nobody(
    workspace: Workspace, browser: Any, tmp_path: Path
) -> None:
    path = draw(workspace, tmp_path / "graph.html")
    opened = Opened(browser, path)
    assert opened.asked == [path.as_uri()]
    assert opened.complaints == []
    assert "10 of 10 entities, 8 of 8 relations" in opened.page.inner_text("#summary")
    opened.page.screenshot(path=str(tmp_path / "graph.png"))
    assert (tmp_path / "graph.png").stat().st_size > 5_000


def test_searching_finds_a_node_and_shows_what_it_is_related_to(
    workspace: Workspace, browser: Any, tmp_path: Path
) -> None:
    page = Opened(browser, draw(workspace, tmp_path / "graph.html")).page
    page.fill("#search", "TMU")
    page.press("#search", "Enter")
    assert page.inner_text("#details h2") == "tmux"
    assert "a terminal multiplexer" in page.inner_text("#details")
    neighbours = page.locator("#neighbours button").all_inner_texts()
    assert "requires → spawn agent" in neighbours
    page.click("#neighbours button:has-text('spawn agent')")
    assert page.inner_text("#details h2") == "spawn agent"
    assert "tmux requires this" in page.locator("#neighbours button").all_inner_texts()
    page.fill("#search", "nothing is called this")
    assert page.inner_text("#results") == "nothing is called so"
    page.keyboard.press("Escape")
    assert page.locator("#details h2").count() == 0


def test_a_click_on_the_picture_chooses_the_node_there(
    workspace: Workspace, browser: Any, tmp_path: Path
) -> None:
    page = Opened(browser, draw(workspace, tmp_path / "graph.html")).page
    page.fill("#search", "redis")
    page.press("#search", "Enter")
    page.keyboard.press("Escape")
    box = page.locator("#graph").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert page.inner_text("#details h2") == "redis"


def test_it_is_used_with_the_keyboard_alone(
    workspace: Workspace, browser: Any, tmp_path: Path
) -> None:
    page = Opened(browser, draw(workspace, tmp_path / "graph.html")).page
    page.focus("#graph")
    page.keyboard.press("n")
    first = page.inner_text("#details h2")
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    assert page.inner_text("#details h2") != first
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    before = picture(page)
    page.focus("#graph")
    for key in ("+", "+", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    page.wait_for_timeout(100)
    assert picture(page) != before


def picture(page: Any) -> str:
    return str(page.evaluate("document.getElementById('graph').toDataURL()"))


def test_names_that_look_like_code_stay_text(
    workspace: Workspace, browser: Any, tmp_path: Path
) -> None:
    opened = Opened(browser, draw(workspace, tmp_path / "graph.html"))
    page = opened.page
    for evil in EVIL:
        page.fill("#search", evil.split()[0][:12])
        page.locator("#results button").first.click()
    page.fill("#search", "<img")
    page.press("#search", "Enter")
    assert page.inner_text("#details h2") == EVIL[1]
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2
    assert len(opened.asked) == 1
    assert opened.complaints == []


def test_types_are_hidden_and_shown(workspace: Workspace, browser: Any, tmp_path: Path) -> None:
    page = Opened(browser, draw(workspace, tmp_path / "graph.html")).page
    before = picture(page)
    page.click("summary")
    page.uncheck("input[value=tool]")
    page.wait_for_timeout(100)
    hidden = picture(page)
    assert hidden != before
    page.check("input[value=tool]")
    page.wait_for_timeout(100)
    assert picture(page) == before


def test_it_follows_the_colours_of_the_system(
    workspace: Workspace, browser: Any, tmp_path: Path
) -> None:
    path = draw(workspace, tmp_path / "graph.html")
    grounds = {
        Opened(browser, path, color_scheme=scheme).page.evaluate(
            "getComputedStyle(document.body).backgroundColor"
        )
        for scheme in ("light", "dark")
    }
    assert len(grounds) == 2


def test_five_thousand_nodes_are_fluid(browser: Any, tmp_path: Path) -> None:
    count = 5_000
    ends = [(n, (n * 7919 + k * 31) % count) for n in range(count) for k in range(3)]
    spots = arrange(count, ends, [n // 50 for n in range(count)])
    data = {
        "kinds": ["tool"], "links": ["uses"], "summary": "",
        "nodes": [
            [f"node {n}", 0, round(float(x), 1), round(float(y), 1), 0.1, n // 50, "", []]
            for n, (x, y) in enumerate(spots)
        ],
        "edges": [[a, b, 0, 0.5, ""] for a, b in ends],
    }  # fmt: skip
    path = tmp_path / "big.html"
    path.write_text(html_of(data), "utf-8")
    page = Opened(browser, path).page
    page.focus("#graph")
    frames = page.evaluate(
        """async () => {
          const times = [];
          for (let n = 0; n < 20; n += 1) {
            const key = n % 2 ? "ArrowLeft" : "ArrowRight";
            const begun = performance.now();
            document.getElementById("graph").dispatchEvent(new KeyboardEvent("keydown", { key }));
            await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
            times.push(performance.now() - begun);
          }
          return times.sort((a, b) => a - b);
        }"""
    )
    assert frames[10] < 150, frames


def test_the_policy_allows_nothing_but_the_two_hashes() -> None:
    empty: dict[str, Any] = {"kinds": [], "links": [], "summary": "", "nodes": [], "edges": []}
    html = html_of(empty)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', html)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert "http" not in html.replace("http-equiv", "")


def test_the_data_is_read_back_as_it_was() -> None:
    nodes = [[evil, 0, 0, 0, 0, 0, evil, [evil]] for evil in EVIL]
    html = html_of({"kinds": list(EVIL), "links": [], "summary": "", "nodes": nodes, "edges": []})
    (text,) = re.findall(
        r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL
    )
    assert json.loads(text)["nodes"] == nodes
    assert not set("<>&\u2028\u2029") & set(text)


def test_the_same_graph_lies_the_same_way_and_links_keep_near() -> None:
    groups = [n // 20 for n in range(200)]
    ends = [(n, n // 20 * 20 + (n + k) % 20) for n in range(200) for k in (1, 3)]
    spots = arrange(200, ends, groups)
    assert np.array_equal(spots, arrange(200, ends, groups))
    assert np.isfinite(spots).all()
    one, other = np.array(ends).T
    near = np.linalg.norm(spots[one] - spots[other], axis=1).mean()
    apart = np.linalg.norm(spots[:, None] - spots[None], axis=2).mean()
    assert near < apart / 2
    assert len({tuple(spot) for spot in spots.round(2)}) == 200
    assert arrange(1, [], [-1]).shape == (1, 2)
    assert np.isfinite(arrange(3, [(0, 1)], [-1, -1, -1])).all()
