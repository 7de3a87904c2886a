"""What says the opposite of an accepted rule, and what a merge left, is told with its place."""

from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from integration.transcripts_made import Transcript

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

RULES = "# App\n\n- Run plain `dotnet build` to check that it compiles.\n- Four spaces.\n"
SAID = (
    "Don't run plain dotnet build, godot needs the generated glue first. Use tools/build.sh always"
)
CONFLICT = "<<<<<<< HEAD\n- One thing only\n=======\n- Another thing only\n>>>>>>> other\n"


def accepted(machine: Machine) -> tuple[Path, str]:
    """A rule is accepted that a line of CLAUDE.md contradicts, and which is newer than it."""
    app = machine.repository()
    (app / "CLAUDE.md").write_text(RULES, "utf-8")
    made = Transcript(str(app), "one").person(SAID).agent("OK.")
    machine.ok("reflect", "--transcript", made.write(f"{machine.directory}/one.jsonl"), at=app)
    return app, machine.ok("review", "Y", at=app)


def test_what_still_says_the_opposite_is_told_and_taken_out(machine: Machine) -> None:
    app, told = accepted(machine)
    assert "! CLAUDE.md:3 says the opposite: Run plain `dotnet build`" in told
    command = told.partition("`satchel review ")[2].partition("`")[0]
    waiting = machine.ok("review", at=app)
    assert "line (high): Take back: Run plain `dotnet build`" in waiting  # it is no memory
    machine.ok("review", command, at=app)
    assert "Run plain" not in (app / "CLAUDE.md").read_text("utf-8")
    machine.ok("undo", "--yes", at=app)
    assert "Run plain" in (app / "CLAUDE.md").read_text("utf-8")


def test_it_stays_where_the_rule_was_undone(machine: Machine) -> None:
    app, _ = accepted(machine)
    machine.ok("undo", "--yes", at=app)
    assert [one["title"] for one in machine.json("review", at=app)] == [SAID]
    assert "says the opposite" in machine.ok("review", "Y", at=app)
    assert len(machine.json("review", at=app)) == 1


def test_check_compares_soft_rules_with_lines_and_memories(machine: Machine) -> None:
    app = machine.repository()
    (app / "CLAUDE.md").write_text(RULES, "utf-8")
    machine.ok("rules", "add", "Don't run plain dotnet build", at=app)
    assert ".satchel/instincts.yaml line" in machine.run("check", at=app).out
    (app / "CLAUDE.md").unlink()
    machine.ok("check", at=app)
    machine.ok("remember", "--kind", "constraint", "Run plain `dotnet build`", at=app)
    assert ".satchel/instincts.yaml line" in machine.run("check", at=app).out


def test_an_unfinished_merge_is_told_by_check_and_status(machine: Machine) -> None:
    app = machine.repository()
    (app / "CLAUDE.md").write_text(f"# App\n\n## Learned Rules\n{CONFLICT}", "utf-8")
    assert "CLAUDE.md line 4 is a git conflict marker" in machine.run("check", at=app).out
    told = machine.ok("status", at=app)
    assert "git conflict markers in CLAUDE.md:4" in told
    assert "satchel doctor" in told


def test_status_counts_the_rules_of_every_place(machine: Machine) -> None:
    app = machine.repository()
    (app / "CLAUDE.md").write_text(RULES, "utf-8")
    machine.ok("rules", "add", "Prefer small sprites", at=app)
    machine.ok("remember", "--kind", "constraint", "No default exports", at=app)
    told = machine.ok("status", at=app)
    assert "2 in CLAUDE.md · 1 in .satchel/instincts.yaml · 1 in memory" in told
