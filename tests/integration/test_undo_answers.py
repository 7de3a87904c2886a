"""`undo` takes back one answer to suggestions, whole, exactly and once; it is offered again."""

from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from integration.transcripts_made import Transcript

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

RULE = "Wir testen netcode ab jetzt immer mit 150ms lag"
FONTS = "We keep all fonts in assets/fonts"


def reflected(machine: Machine, app: Path, session: str, *said: str) -> None:
    made = Transcript(str(app), session)
    for text in said:
        made = made.person(text).agent("OK.")
    machine.ok(
        "reflect", "--transcript", made.write(f"{machine.directory}/{session}.jsonl"), at=app
    )


def taken_back_soon(machine: Machine) -> tuple[Path, Path]:
    """A soft rule and a rule are accepted; then the soft rule goes, with a decision, at once."""
    app = machine.repository()
    reflected(machine, app, "one", RULE.lower(), "prefer small sprites over big ones")
    machine.ok("review", "Y", at=app)
    reflected(machine, app, "two", "forget what i said about the 150ms lag", FONTS.lower())
    machine.ok("review", "Y", at=app)
    return app, app / ".satchel" / "instincts.yaml"


def waiting(machine: Machine, app: Path) -> set[str]:
    return {one["title"] for one in machine.json("review", at=app)}


def test_one_answer_is_undone_whole_and_once(machine: Machine) -> None:
    app, soft_rules = taken_back_soon(machine)
    assert RULE not in soft_rules.read_text("utf-8")
    told = machine.ok("undo", "--yes", at=app)
    assert told.count("a suggestion was accepted") == 2
    assert soft_rules.read_text("utf-8").count(RULE) == 1
    assert machine.json("list", at=app) == []
    assert waiting(machine, app) == {f"Take back: {RULE}", FONTS}
    # The next one is the answer before, though both are of one second.
    assert machine.ok("undo", "--yes", at=app).count("a suggestion was accepted") == 2
    assert not soft_rules.exists()
    assert len(waiting(machine, app)) == 4
    machine.fails(4, "undo", "--yes", at=app)


def test_a_rule_that_somebody_put_back_by_hand_stays_once(machine: Machine) -> None:
    app, soft_rules = taken_back_soon(machine)
    machine.ok("rules", "add", RULE, at=app)
    machine.ok("undo", "--yes", at=app)
    assert soft_rules.read_text("utf-8").count(RULE) == 1


def test_an_answer_is_undone_wholly_or_not_at_all(machine: Machine) -> None:
    app = machine.repository()
    (app / "CLAUDE.md").write_text("# App\n", "utf-8")
    reflected(machine, app, "one", "prefer small sprites over big ones", FONTS.lower())
    machine.ok("review", "Y", at=app)
    rules = app / "CLAUDE.md"
    rules.write_text(rules.read_text("utf-8").replace("sprites over", "pictures over"), "utf-8")
    assert "nothing was taken back" in machine.fails(7, "undo", "--yes", at=app)
    assert [one["content"] for one in machine.json("list", at=app)] == [FONTS]
    assert waiting(machine, app) == set()
