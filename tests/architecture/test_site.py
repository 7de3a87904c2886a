"""The documentation builds as a site without a warning, and nothing in it leads nowhere.

What is read is the HTML that comes out, as a browser would get it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
pytestmark = pytest.mark.xdist_group("site")  # built once
#: What a browser fetches by itself, and what a reader follows.
_LOADED = {"src", "srcset", "poster", "data", "action"}
_LOADING_LINKS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "modulepreload"}
#: In a style sheet: the comments of fonts and frameworks name their homes, and load nothing.
_IN_STYLES = re.compile(r"(?:url\(\s*['\"]?|@import\s+['\"])((?:https?:)?//[^'\")]+)")


class Page(HTMLParser):
    """One page: its anchors, what it links to, what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)
        self.loads += _IN_STYLES.findall(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        self.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        loading = _LOADING_LINKS & set(given.get("rel", "").split())
        for name, value in given.items():
            if name in _LOADED and not (tag == "object" and name == "src"):
                self.loads.append(value)
            elif name == "href" and tag == "link":
                (self.loads if loading else self.links).append(value)
            elif name == "href":
                self.links.append(value)


def build(source: str, target: str, *, builder: str = "html") -> subprocess.CompletedProcess[str]:
    """As `make docs` does; `dummy` resolves every link and writes nothing."""
    words = ["--quiet", "--fail-on-warning", "--keep-going", "-b", builder]
    words += ["-c", os.path.join(source, "docs"), source, target]
    return subprocess.run([sys.executable, "-m", "sphinx", *words], capture_output=True, text=True)


def source_in(directory: str) -> str:
    """Copy what the site is made of."""
    os.makedirs(directory)
    for name in os.listdir(ROOT):
        if name.endswith(".md"):
            shutil.copy(os.path.join(ROOT, name), directory)
    shutil.copytree(os.path.join(ROOT, "docs"), os.path.join(directory, "docs"))
    return directory


def pages_in(site: str) -> dict[str, Page]:
    found = {}
    for where, _, names in os.walk(site):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(where, name)
                with open(path, encoding="utf-8") as file:
                    found[path] = Page(file.read())
    return found


def anchors_of(pages: dict[str, Page], path: str) -> set[str]:
    return pages[path].anchors if path in pages else set()


def faults_of(site: str) -> list[str]:
    """Links and anchors that lead nowhere, and whatever comes from another host."""
    pages = pages_in(site)
    faults = []
    for path, page in pages.items():
        name = os.path.relpath(path, site)
        faults += [
            f"{name} loads {target}"
            for target in page.loads
            if urlsplit(target).netloc or urlsplit(target).scheme not in {"", "data"}
        ]
        for target in page.links + page.loads:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            there = path
            if parts.path:
                there = os.path.normpath(os.path.join(os.path.dirname(path), unquote(parts.path)))
            if os.path.isdir(there):
                there = os.path.join(there, "index.html")
            if not os.path.exists(there):
                faults.append(f"{name} leads to {target}, which is not there")
            elif parts.fragment and unquote(parts.fragment) not in anchors_of(pages, there):
                faults.append(f"{name} leads to {target}, which has no such anchor")
    for where, _, names in os.walk(site):
        for name in names:
            if name.endswith(".css"):
                with open(os.path.join(where, name), encoding="utf-8") as file:
                    faults += [f"{name} loads {there}" for there in _IN_STYLES.findall(file.read())]
    return faults


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> str:
    target = str(tmp_path_factory.mktemp("site"))
    done = build(ROOT, target)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return target


def test_every_page_is_on_the_site(site: str) -> None:
    for where, folders, names in os.walk(os.path.join(ROOT, "docs")):
        folders[:] = [name for name in folders if not name.startswith("_")]
        for name in names:
            if name.endswith(".md") and name != "description.md":  # of the package's index
                page = os.path.relpath(os.path.join(where, name), ROOT)[:-3] + ".html"
                assert os.path.exists(os.path.join(site, page)), page
    assert os.path.exists(os.path.join(site, "README.html"))


def test_nothing_leads_nowhere_and_nothing_comes_from_elsewhere(site: str) -> None:
    assert faults_of(site) == []


def test_the_front_page_names_every_page_in_its_contents(site: str) -> None:
    front = pages_in(site)[os.path.join(site, "docs", "index.html")]
    assert len({link.partition("#")[0] for link in front.links if ".html" in link}) > 60


def test_a_broken_link_is_noticed(tmp_path: object) -> None:
    """Seeded bugs: a page, an anchor that are not there; a page that no list names."""
    source = source_in(os.path.join(str(tmp_path), "source"))
    with open(os.path.join(source, "docs", "recall.md"), "a", encoding="utf-8") as file:
        file.write("\n[gone](gone.md) [moved](briefs.md#no-such-heading)\n")
    with open(os.path.join(source, "docs", "lonely.md"), "w", encoding="utf-8") as file:
        file.write("# Lonely\n")
    done = build(source, os.path.join(str(tmp_path), "site"), builder="dummy")
    assert done.returncode != 0
    assert "gone.md" in done.stderr
    assert "no-such-heading" in done.stderr
    assert "lonely.md" in done.stderr


def test_what_a_page_would_load_from_elsewhere_is_noticed(tmp_path: object) -> None:
    """Seeded bugs: a script, a font, a style from another host; a link that leads nowhere."""
    with open(os.path.join(str(tmp_path), "page.html"), "w", encoding="utf-8") as file:
        file.write(
            '<script src="https://cdn.example/x.js"></script>'
            '<link rel="stylesheet" href="//cdn.example/x.css">'
            "<style>@font-face { src: url(https://fonts.example/x.woff) }</style>"
            '<a href="https://example.org">a reader may follow this</a>'
            '<a href="other.html">but not this</a><a href="#nowhere">nor this</a>'
        )
    assert sorted(faults_of(str(tmp_path))) == [
        "page.html leads to #nowhere, which has no such anchor",
        "page.html leads to other.html, which is not there",
        "page.html loads //cdn.example/x.css",
        "page.html loads https://cdn.example/x.js",
        "page.html loads https://fonts.example/x.woff",
    ]
