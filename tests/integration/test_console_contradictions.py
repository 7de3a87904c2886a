"""Rules that contradict each other are decided in the Inbox, in a real browser and by its forms."""

from collections.abc import Iterator
from typing import Any

import pytest

from integration.console_stand import chromium, furnished, running, signed_in
from satchel.application.health.run_checks import ProjectChecks
from satchel.features.memories.contradicting import contradicting, hold_together
from satchel.workspace import Workspace

pytestmark = pytest.mark.xdist_group("console")
NPM, PNPM = "Use npm for installing packages", "Use pnpm for installing packages"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


def told(project: Workspace) -> list[str]:
    """Return the rules about npm that agents are told."""
    brief = project.briefs.session().text
    return [rule for rule in (NPM, PNPM) if rule in brief]


def outcome(project: Workspace) -> str:
    checks = ProjectChecks(project)
    (result,) = checks.run(checks.chosen(["contradict"]))
    return result.outcome


def test_one_of_two_is_kept_by_a_key_and_that_is_undone(browser: Any) -> None:
    with furnished() as (project, _), running(project) as (address, token):
        for rule in (NPM, PNPM):
            project.remember(rule, kind="constraint")
        assert outcome(project) == "failed"
        with signed_in(browser, address, token) as page:
            page.click("a:has-text('Decide')")
            page.wait_for_url("**/inbox?only=contradictions")
            assert page.locator(".versus p:has-text('npm')").all_inner_texts() == [NPM, PNPM]
            assert page.locator("#queue input[type=checkbox]").count() == 0
            page.keyboard.press("2")
            page.wait_for_selector(".told:has-text('the other is hidden')")
            assert told(project) == [PNPM]
            assert outcome(project) == "passed"
            page.keyboard.press("u")
            page.wait_for_selector(".told:has-text('Undone')")
            assert told(project) == [NPM, PNPM]


def test_that_both_hold_is_remembered_and_undone(browser: Any) -> None:
    with furnished() as (project, _), running(project) as (address, token):
        rules = [project.remember(rule, kind="constraint") for rule in (NPM, PNPM)]
        with signed_in(browser, address, token, java_script_enabled=False) as page:
            page.goto(f"{address}/console/{project.project.key}/inbox?only=contradictions")
            page.click("button[value=both]")
            page.wait_for_selector(".told:has-text('Both hold')")
            now = [project.memories.find(one.id).record for one in rules]
            assert hold_together(*now)
            assert contradicting(now) == []
            assert outcome(project) == "passed"
            assert told(project) == [NPM, PNPM]
            page.click(".told button")
            page.wait_for_selector(".told:has-text('Undone')")
        assert outcome(project) == "failed"
