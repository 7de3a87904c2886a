"""A conversation that goes on is not told again what it holds; one that lost it is."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from integration.installed import Machine, context_of, needs_command
from satchel.application.briefs import service
from satchel.clients.hook_contract import goes_on, hooks_of
from satchel.clients.registry import WHOLE
from satchel.features.injections.injection_ledger import STARTED, Injection, still_held
from satchel.testing import temporary_workspace

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
FIRST, SECOND = "Migrations run before the deployment", "The cache is warmed by a cron job"


@pytest.fixture
def app(machine: Machine) -> Path:
    path = machine.repository()
    machine.ok("learn", FIRST, at=path)
    return path


def start(machine: Machine, app: Path, source: str, session: str = "s-1", **more: Any) -> str:
    answer = machine.hook("SessionStart", app, source=source, session_id=session, **more)
    return context_of(answer, "SessionStart")


def test_a_resumed_conversation_is_told_nothing_twice(machine: Machine, app: Path) -> None:
    assert FIRST in start(machine, app, "startup")
    assert start(machine, app, "resume") == ""
    time.sleep(1.1)  # the ledger counts seconds
    machine.ok("learn", SECOND, at=app)
    told = start(machine, app, "resume")
    assert SECOND in told
    assert FIRST not in told
    assert "new since this session was left" in told
    assert "## Recent Knowledge (1 of 2 entries)" in told
    assert start(machine, app, "resume") == ""
    events = [one["event"] for one in machine.json("why-injected", "s-1", at=app)]
    assert events == ["SessionStart", "SessionStart (resume)"]


#: Seen in what the real clients send to a model: tests/clients.
KEEPING = {"claude-code", "codex"}


def started(machine: Machine, app: Path, client: str, source: str) -> str:
    given = json.dumps({"session_id": "s-1", "cwd": str(app), "source": source})
    return machine.ok("hook", "SessionStart", "--client", client, at=app, stdin=given)


@pytest.mark.parametrize("client", WHOLE)
def test_a_client_that_drops_what_hooks_said_is_told_it_again(
    machine: Machine, app: Path, client: str
) -> None:
    assert FIRST in started(machine, app, client, "startup")
    assert (FIRST in started(machine, app, client, "resume")) is (client not in KEEPING)


@pytest.mark.parametrize("client", WHOLE)
def test_a_start_that_goes_on_is_one_of_a_client_that_keeps_its_context(client: str) -> None:
    for source in ("resume", "Resume"):
        assert goes_on(client, "SessionStart", {"source": source}) is (client in KEEPING)
    assert not goes_on(client, "UserPromptSubmit", {"source": "resume"})
    assert not goes_on(client, "SessionStart", {"source": "startup"})
    assert not goes_on(client, "SessionStart", {"source": 1})


def test_a_client_that_is_thought_to_keep_it_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hooks_of("gemini"), "keeps_context", True)
    with pytest.raises(AssertionError):
        test_a_start_that_goes_on_is_one_of_a_client_that_keeps_its_context("gemini")


@pytest.mark.parametrize("source", ["compact", "clear", "startup", "fork", "new"])
def test_one_that_lost_it_or_begins_is_told_all(machine: Machine, app: Path, source: str) -> None:
    start(machine, app, "startup")
    assert FIRST in start(machine, app, source)
    assert start(machine, app, "resume") == ""


def test_one_that_nobody_told_anything_gets_the_whole_brief(machine: Machine, app: Path) -> None:
    start(machine, app, "startup", session="another")
    assert FIRST in start(machine, app, "resume")


def test_a_prompt_after_a_compaction_is_told_again_what_is_gone(
    machine: Machine, app: Path
) -> None:
    for number in range(25):  # what does not fit into the brief is told at a prompt
        machine.ok(
            "learn", f"Lesson {number} about something else entirely: {'x' * number}", at=app
        )
    asked = {"prompt": "when do migrations run, before the deployment?", "session_id": "s-1"}
    assert FIRST not in start(machine, app, "startup")
    first = context_of(machine.hook("UserPromptSubmit", app, **asked), "UserPromptSubmit")
    assert FIRST in first
    again = context_of(machine.hook("UserPromptSubmit", app, **asked), "UserPromptSubmit")
    assert FIRST not in again
    start(machine, app, "compact")
    after = context_of(machine.hook("UserPromptSubmit", app, **asked), "UserPromptSubmit")
    assert FIRST in after


def told(event: str, ts: int) -> Injection:
    return Injection(ts, "s", event, "", 1, 2, 0, ())


def test_what_came_before_a_whole_brief_is_gone() -> None:
    every = [told(STARTED, 1), told("UserPromptSubmit", 2), told(STARTED, 3), told("x", 4)]
    assert [one.ts for one in still_held(every)] == [3, 4]
    assert [one.ts for one in still_held(every[1:2])] == [2]


def test_what_the_session_said_itself_is_not_new_to_it() -> None:
    with temporary_workspace() as workspace:
        workspace.remember(FIRST, kind="decision", session="s")
        workspace.remember(SECOND, kind="decision", session="other")
        brief = workspace.briefs.resumed([told(STARTED, 1)])
        assert SECOND in brief.text
        assert FIRST not in brief.text


def test_a_seeded_bug_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A resumed conversation gets the brief of a start, as it did."""
    monkeypatch.setattr(
        service.BriefComposer, "resumed", lambda self, _held, **how: self.session(**how)
    )
    with pytest.raises(AssertionError):
        test_what_the_session_said_itself_is_not_new_to_it()
