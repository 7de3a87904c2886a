"""T16: what was remembered runs nowhere: in every field, on every page of the console, in a browser."""

import random
from typing import Any

import pytest
from jinja2 import Environment

from integration.console_stand import PAGES, chromium, furnished, pages_with, running, signed_in
from reliability.stand import SEED, say, scale
from satchel.core.trust import clean_text
from satchel.interfaces.http.console import pages

pytestmark = [pytest.mark.torture, pytest.mark.xdist_group("console")]

_HEADS = (
    "",
    "</pre>",
    "</script>",
    "'>",
    '">',
    "</textarea>",
    "</title>",
    "-->",
    "]]>",
    "{{",
    "\u2028",
)
_BODIES = (
    "<script>window.hacked={n}</script>", "<img src=x onerror=window.hacked={n}>",
    "<svg onload=window.hacked={n}>", "<iframe srcdoc='<script>parent.hacked={n}</script>'></iframe>",
    "<a href='javascript:window.hacked={n}'>x</a>", "<body onload=window.hacked={n}>",
    "<details open ontoggle=window.hacked={n}>", "<math><mtext><script>hacked={n}</script>",
    "<input autofocus onfocus=window.hacked={n}>", "<base href=//evil.example>",
    "<meta http-equiv=refresh content='0;url=javascript:hacked={n}'>", "{{ 7*{n} }}", "{% raw %}",
    "${{hacked={n}}}", "<style>@import '//evil.example'</style>", "<form action=//evil.example><button>",
    "\x1b]0;hacked\x07", "\u202egnp.exe", "\U000e0041\U000e0042", "<template><script>hacked={n}</script>",
)  # fmt: skip


def payloads(count: int) -> list[str]:
    """Every head and every body at least once, and what chance makes of them."""
    dice = random.Random(SEED)
    every = [head + body.replace("{n}", str(n)) for n, (head, body) in
             enumerate((h, b) for h in _HEADS for b in _BODIES)]  # fmt: skip
    while len(every) < count:
        every.append(dice.choice(every) + dice.choice(every))
    # Neighbours differ in their body, and twenty bodies on in their head.
    once = [every[n * len(_BODIES) % len(every) + n % len(_BODIES)] for n in range(len(_BODIES))]
    return [*once, *dice.sample(sorted(set(every) - set(once)), count - len(once))]


def hits(browser: Any, said: str, *, first: bool = False) -> list[str]:
    """Put a text into every field, and look at every page with it; say what became active.

    With `first`, no page is looked at after one where something did.
    """
    found = []
    with furnished(said) as (project, idents):
        with running(project) as (address, token), signed_in(browser, address, token) as page:
            asked: list[str] = []

            def shut(one: Any) -> None:
                found.append(one.message)
                one.dismiss()

            page.on("request", lambda one: asked.append(one.url))
            page.on("dialog", shut)
            for name in pages_with(project, idents):
                if first and found:
                    break
                page.goto(f"{address}/console/{project.project.key}/{name}")
                if page.evaluate("typeof window.hacked !== 'undefined'"):
                    found.append(f"{name}: a script ran")
                # No element of ours is one of these, or listens by an attribute.
                bad = (
                    "base, iframe:not([src$='/explore/picture']), object, embed, math, img,"
                    "form[action^='//'], a[href^='javascript'],"
                    "[onerror], [onload], [onfocus], [ontoggle]"
                )
                if not name.endswith("picture") and page.locator(bad).count():
                    found.append(f"{name}: an element came of it")
                text = page.inner_text("body")
                if any(mark in text for mark in ("\x1b", "\u202e", "\U000e0041")):
                    found.append(f"{name}: what a reader does not see")
            found += [url for url in asked if not url.startswith((address, "data:"))]
    return found


def test_nothing_that_was_remembered_runs_on_any_page() -> None:
    count = scale(30, 300)
    each = 15
    texts = payloads(count)
    with chromium() as browser:
        for start in range(0, count, each):
            assert hits(browser, " ".join(texts[start : start + each])) == []
    say("T16", count, f"{count} payloads in every field of {len(PAGES) + 8} pages: "
        "0 ran, 0 elements, 0 requests elsewhere")  # fmt: skip


def test_a_seeded_page_that_does_not_escape_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    careless = Environment(loader=pages._TEMPLATES.loader, autoescape=False)  # noqa: S701 -- the bug
    careless.filters.update(pages._TEMPLATES.filters)
    careless.globals.update(pages._TEMPLATES.globals)
    monkeypatch.setattr(pages, "_TEMPLATES", careless)
    with chromium() as browser:
        assert hits(browser, "<img src=x onerror=window.hacked=1>", first=True)


def test_a_payload_is_cleaned_before_it_is_shown() -> None:
    assert clean_text("\x1b]0;hacked\x07a\u202eb\U000e0041") == "ab"
