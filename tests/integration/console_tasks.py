"""What people come to the console for, done by mouse and by keys alone: steps and seconds of each."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from satchel.workspace import Workspace


class Done(NamedTuple):
    """One task as it was done: how, with how many clicks, keys or texts, in how many seconds."""

    task: str
    how: str
    steps: int
    seconds: float


class Hands:
    """A person before a page: each method is one step; which of them may be used, `keys` decides.

    Args:
        page: the page of a browser.
        base: where the project's pages are.
        keys: no mouse.
    """

    def __init__(self, page: Any, base: str, *, keys: bool) -> None:
        self.page, self.base, self.keys = page, base, keys
        self.steps = 0

    def open(self, path: str = "home") -> None:
        """Begin on a page; that is no step."""
        self.page.goto(f"{self.base}/{path}")
        self.page.wait_for_selector("body.scripted")

    def click(self, selector: str) -> None:
        """Click; by keys: reach it with Tab, as one step for each, is left to `press`."""
        assert not self.keys
        self.steps += 1
        self.page.locator(selector).locator("visible=true").first.click()

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        assert self.keys
        for key in keys:
            self.steps += 1
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        """Type a text into what has the focus: one step."""
        self.steps += 1
        self.page.keyboard.type(text)

    def tab_to(self, selector: str, most: int = 60) -> None:
        """Press Tab until this has the focus."""
        for _ in range(most):
            if self.page.evaluate("s => document.activeElement?.matches(s) || false", selector):
                return
            self.press("Tab")
        raise AssertionError(f"Tab never reached {selector}")

    def see(self, selector: str) -> None:
        """Wait for something to be there."""
        self.page.wait_for_selector(selector, timeout=30_000)


def find_a_memory(hands: Hands, idents: dict[str, str]) -> None:
    hands.open()
    if hands.keys:
        hands.press("Control+k")
        hands.see("#palette[open]")
    else:
        hands.click("[data-palette]")
    hands.type("stripe replays a webhook")
    hands.see("#found a[href*='/memory/']:has-text('Stripe')")
    hands.press("Enter") if hands.keys else hands.click("#found a:has-text('Stripe')")
    hands.see("article h2:has-text('Stripe replays')")


def see_why_it_was_shown(hands: Hands, idents: dict[str, str]) -> None:
    hands.open(f"memory/{idents['memory']}")
    if hands.keys:
        hands.page.locator("article h2").evaluate("one => { one.tabIndex = -1; one.focus(); }")
        hands.tab_to(".tabs a[href*='tab=shown']")
        hands.press("Enter")
    else:
        hands.click(".tabs a[href*='tab=shown']")
    hands.see("td:has-text('most recent')")


def decide_about_suggestions(hands: Hands, idents: dict[str, str]) -> None:
    hands.open(f"inbox/s-{idents['suggestion']}")
    if hands.keys:
        hands.press("y")
    else:
        hands.click(".deciding button[value=accept]")
    hands.see(".told:has-text('Accepted 1')")
    hands.press("e") if hands.keys else hands.click("button[data-shows=changing]")
    hands.see("#changing[open] textarea")
    hands.page.locator("#changing textarea").evaluate("one => one.setSelectionRange(9e9, 9e9)")
    if not hands.keys:
        hands.click("#changing textarea")
        hands.page.keyboard.press("Control+End")
    hands.type(" Said in other words.")
    if hands.keys:
        hands.tab_to("#changing button")
        hands.press("Enter")
    else:
        hands.click("#changing button")
    hands.see(".told:has-text('Reworded')")
    hands.press("n") if hands.keys else hands.click(".deciding button[value=reject]")
    hands.see(".told:has-text('Rejected 1')")


def link_a_task_to_an_anchor(hands: Hands, idents: dict[str, str]) -> None:
    hands.open(f"work/{idents['task']}")
    if hands.keys:
        hands.page.locator("aside h2").evaluate("one => { one.tabIndex = -1; one.focus(); }")
        hands.tab_to("#serves")
        hands.type("Fast")
        hands.tab_to("aside form[action$='/link'] button")
        hands.press("Enter")
    else:
        hands.steps += 1
        hands.page.select_option("#serves", "mondays")
        hands.click("aside form[action$='/link'] button")
    hands.see(".told:has-text('linked to mondays')")


def build_and_copy_a_pack(hands: Hands, idents: dict[str, str]) -> None:
    hands.open("explore/packs")
    if hands.keys:
        hands.press("/")
    else:
        hands.click("#packs input[type=search]")
    hands.type("webhook retries")
    hands.press("Enter") if hands.keys else hands.click("#packs button:has-text('Build')")
    hands.see("button:has-text('Copy as Markdown')")
    if hands.keys:
        hands.page.locator("#packs h2").first.evaluate("one => { one.tabIndex = -1; one.focus(); }")
        hands.tab_to("button[data-copy-from]")
        hands.press("Enter")
    else:
        hands.click("button[data-copy-from]")
    # The button says "Copied" for a moment, which a busy machine may look past.
    held = "navigator.clipboard.readText().then(text => text.includes('def claim_webhook'))"
    hands.page.wait_for_function(held, polling=200)


def walk_the_graph_to_a_text(hands: Hands, idents: dict[str, str]) -> None:
    hands.open("explore?focus=LedgerTable")
    if hands.keys:
        hands.press("j", "Enter")
    else:
        hands.click(".graph a:has-text('PaymentClient')")
    hands.see(".thread h2:has-text('PaymentClient')")
    if hands.keys:
        hands.press("o")
    else:
        hands.click(".memo a:has-text('Open the memory')")
    hands.see("article h2:has-text('Refunds go through')")


def move_a_task(hands: Hands, idents: dict[str, str]) -> None:
    hands.open("work?q=Give+the+worker+30")
    card = f"#card-{idents['ready']}"
    if hands.keys:
        hands.press("j")
        hands.see(f"{card}[aria-current=true]")
        hands.press("]")
    else:
        hands.steps += 1
        hands.page.drag_and_drop(card, "[data-column=progress]")
    hands.see(".told:has-text('is in In progress')")
    hands.see(f"[data-column=progress] {card}")


def replay_a_session(hands: Hands, idents: dict[str, str]) -> None:
    hands.open()
    if hands.keys:
        hands.press("g", "s")
        hands.see("body.scripted #sessions")
        hands.press("/")
    else:
        hands.click("[data-go=s]")
        hands.click(".toolbar input[type=search]")
    hands.type("runbook")
    hands.page.wait_for_url("**q=runbook")
    hands.see("#rows a:has-text('runbook')")
    if hands.keys:
        hands.press("Escape", "j", "Enter")
    else:
        hands.click("#rows a:has-text('runbook')")
    hands.see(".inject li:has-text('Never log request bodies')")


def make_a_user_with_a_token(hands: Hands, idents: dict[str, str]) -> None:
    hands.open("settings/users")
    name = "ada" if hands.keys else "bob"
    if hands.keys:
        hands.page.locator("#users h2").evaluate("one => { one.tabIndex = -1; one.focus(); }")
        hands.tab_to("#name")
        hands.type(name)
        hands.press("Enter")
    else:
        hands.click("#name")
        hands.type(name)
        hands.click("button:has-text('Add user')")
    hands.see(".secret code")
    assert re.fullmatch(r"satchel_\S{30,}", hands.page.inner_text(".secret code"))


def change_a_setting(hands: Hands, idents: dict[str, str]) -> None:
    hands.open("settings")
    value = "1500" if hands.keys else "1600"
    if hands.keys:
        hands.press("/")
    else:
        hands.click(".bar input[type=search]")
    hands.type("brief.max_tokens")
    hands.page.wait_for_url("**q=brief.max_tokens")
    hands.see("#set-brief\\.max_tokens input[name=value]")
    if hands.keys:
        hands.press("ArrowDown", "Control+a")
    else:
        hands.click("#set-brief\\.max_tokens input[name=value]")
        hands.page.keyboard.press("Control+a")
    hands.type(value)
    hands.press("Enter") if hands.keys else hands.click(
        "#set-brief\\.max_tokens button:has-text('Save')"
    )
    hands.see(f".told:has-text('is {value}')")


TASKS: tuple[Callable[[Hands, dict[str, str]], None], ...] = (
    find_a_memory,
    see_why_it_was_shown,
    decide_about_suggestions,
    link_a_task_to_an_anchor,
    build_and_copy_a_pack,
    walk_the_graph_to_a_text,
    move_a_task,
    replay_a_session,
    make_a_user_with_a_token,
    change_a_setting,
)


@contextmanager
def browsing(browser: Any, address: str, token: str) -> Iterator[Any]:
    """A page of somebody signed in, with a clipboard."""
    from integration.console_stand import signed_in

    options = {
        "viewport": {"width": 1440, "height": 900},
        "permissions": ["clipboard-read", "clipboard-write"],
    }
    with signed_in(browser, address, token, **options) as page:
        yield page


def do_all(
    page: Any, base: str, project: Workspace, idents: dict[str, str], *, keys: bool
) -> list[Done]:
    """Do every task; return steps and seconds of each."""
    found = []
    for task in TASKS:
        hands = Hands(page, base, keys=keys)
        began = time.monotonic()
        task(hands, idents)
        found.append(
            Done(
                task.__name__.replace("_", " "),
                "keys" if keys else "mouse",
                hands.steps,
                time.monotonic() - began,
            )
        )
    return found


def told(done: list[Done]) -> str:
    """The table of what was done."""
    lines = [
        f"{one.task:<28} {one.how:<6} {one.steps:>3} steps {one.seconds:6.2f} s" for one in done
    ]
    return "\n".join(lines)
