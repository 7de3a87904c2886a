"""A prompt is held against the rules: what contradicts them, what takes them back, what asks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from integration.installed import Machine, context_of, needs_command
from satchel.application.briefs.topics import topic_of

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
BUILD = "Don't run plain dotnet build, godot needs the glue first"
LOBBY = "No singleton for the lobby: autoloads are only for Audio and Save"
DAMAGE = "Damage is int everywhere, floats gave us desyncs between host and client"
LAG = "Test the network code with 150ms simulated lag"


@pytest.fixture
def game(machine: Machine, app: Path) -> Path:
    (app / "CLAUDE.md").write_text(f"# Game\n\n- {BUILD}\n- {LOBBY}\n")
    for rule in (DAMAGE, LAG):
        machine.ok("rules", "add", rule, at=app)
    return app


def told(machine: Machine, app: Path, text: str, session: str = "s-1") -> str:
    answer = machine.hook("UserPromptSubmit", app, prompt=text, session_id=session)
    return re.sub(r"</?satchel-memory[^>]*>", "", context_of(answer, "UserPromptSubmit")).strip()


def test_what_contradicts_a_rule_does_not_wait_for_its_turn(machine: Machine, game: Path) -> None:
    assert told(machine, game, "from now on never push to main")
    assert told(machine, game, "always run the linter before a commit") == ""
    heard = told(machine, game, "always run plain dotnet build before you commit")
    assert f'It contradicts CLAUDE.md:3 ("{BUILD}"): ask which of them holds.' in heard
    assert told(machine, game, "always run plain dotnet build before you commit") == ""


def test_a_soft_rule_about_the_same_is_named(machine: Machine, game: Path) -> None:
    heard = told(machine, game, "from now on use floats for the damage of weapons")
    assert f'.satchel/instincts.yaml:3 ("{DAMAGE}") is about it, too' in heard
    assert "if not both can hold, ask which does" in heard


def test_each_lesson_of_a_prompt_is_said(machine: Machine, game: Path) -> None:
    text = "all balance numbers live in data/balance.json. never call GetNode in _Process"
    heard = told(machine, game, text)
    assert heard.count("Heard (") == 2
    assert 'learn "Never call GetNode in _Process"' in heard
    assert 'learn "All balance numbers live in data/balance.json"' in heard


@pytest.mark.parametrize(
    ("text", "said", "how"),
    [
        ("forget what i said about the autoloads", LOBBY, "take it out of CLAUDE.md:4"),
        ("vergiss das mit den 150ms lag, mach ab jetzt 250", LAG, "satchel rules remove inst-"),
    ],
)
def test_what_takes_back_a_rule_shows_it(
    machine: Machine, game: Path, text: str, said: str, how: str
) -> None:
    heard = told(machine, game, text)
    assert f'"{said}": ' in heard
    assert how in heard


def test_a_prompt_that_asks_about_a_topic_is_told(machine: Machine, app: Path) -> None:
    boss = "The boss rat is called Ratte in code"
    machine.ok("learn", boss, at=app)
    for text in ("Music is stereo", "Tests use the seed 1337", "The font is m5x7"):
        machine.ok("learn", text, at=app)
    asked = "is there anything about the boss name i should know before i write the store text?"
    heard = told(machine, app, asked)
    assert f"[LEARN] {boss} (user, now; about the boss name)" in heard
    assert "stereo" not in heard
    assert told(machine, app, "what do we know about kubernetes ingress?") == ""


@pytest.mark.parametrize(
    ("prompt", "topic"),
    [
        ("what did we say about the save format, and why?", "the save format"),
        ("Do you know about retries before we begin?", "retries"),
        ("was wissen wir über die Lobby?", "die lobby"),
        ("think about the lobby", ""),
        ("add a note about retries", ""),
    ],
)
def test_what_is_asked_about_is_named_by_the_prompt(prompt: str, topic: str) -> None:
    assert topic_of(prompt) == topic
