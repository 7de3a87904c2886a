"""Words and options as people meet them."""

from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from integration.transcripts_made import Transcript

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

RULE = "Never edit the files below generated/"
FONTS = "We keep all fonts in assets/fonts"


@pytest.fixture
def app(machine: Machine) -> Path:
    return machine.repository()


def test_a_suggestion_is_edited_in_one_line(machine: Machine, app: Path) -> None:
    talk = Transcript(str(app)).person(RULE).agent("OK.").person(FONTS).agent("OK.")
    path = talk.write(f"{machine.directory}/s.jsonl")
    told = machine.ok("reflect", "--transcript", path, at=app)
    # Both list knowledge before behaviour.
    listed = machine.ok("review", at=app)
    assert [text.index(FONTS) < text.index(RULE) for text in (told, listed)] == [True, True]
    assert "All fonts lie in assets" in machine.ok(
        "review", "--edit", "1", "All fonts lie in assets", at=app
    )


def test_kinds_are_named_as_screens_name_them(machine: Machine, app: Path) -> None:
    told = machine.fails(2, "remember", "--kind", "convention", "Cache nodes", at=app)
    assert "the kinds are lesson, rule, decision" in told


def test_hiding_does_not_ask_who_cannot_answer(machine: Machine, app: Path) -> None:
    first = machine.json("learn", "Retry the upload twice.", at=app)["id"]
    machine.ok("hide", first, at=app)
    told = machine.ok("log", at=app).splitlines()[0]
    assert "deleted" in told
    assert "Retry the upload twice." in told
    machine.ok("undo", "--yes", at=app)
    assert "remembered" in machine.ok("log", at=app).splitlines()[0]
