"""Two people each add a soft rule, and merge with real git: both rules are there."""

from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from integration.transcripts_made import Transcript
from satchel.application.learning.reflection.service import Reflection
from satchel.application.learning.reviewing.review import Review
from satchel.testing import run_git, temporary_workspace

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
OURS, THEIRS = "Use pnpm, not npm", "Tests use real git"


def _committed(app: Path, message: str) -> None:
    run_git(str(app), "add", "--all")
    run_git(str(app), "commit", "--quiet", "-m", message)


def _two(machine: Machine, app: Path, *, union: bool = True) -> Path:
    """Let each of two branches add a rule; return the file, with the other branch to merge."""
    machine.ok("init", "--yes", at=app)
    if not union:
        (app / ".satchel" / ".gitattributes").unlink()
    machine.ok("rules", "add", "Quote paths in scripts", at=app)
    _committed(app, "begin")
    run_git(str(app), "checkout", "--quiet", "-b", "theirs")
    machine.ok("rules", "add", THEIRS, at=app)
    _committed(app, "theirs")
    run_git(str(app), "checkout", "--quiet", "-")
    machine.ok("rules", "add", OURS, at=app)
    _committed(app, "ours")
    return app / ".satchel" / "instincts.yaml"


def _rules(machine: Machine, app: Path) -> set[str]:
    return {one["rule"] for one in machine.json("rules", at=app)["instincts"]}


def test_two_rules_are_merged_without_a_conflict(machine: Machine, app: Path) -> None:
    _two(machine, app)
    run_git(str(app), "merge", "--quiet", "--no-edit", "theirs")
    assert _rules(machine, app) == {"Quote paths in scripts", OURS, THEIRS}
    told = machine.json("rules", at=app)["instincts"]
    assert {(one["confidence"], one["category"]) for one in told} == {(0.5, "convention")}
    brief = machine.ok("brief", at=app)
    assert OURS in brief
    assert THEIRS in brief


def test_of_two_states_of_a_rule_the_newer_counts_and_one_is_written(
    machine: Machine, app: Path
) -> None:
    path = _two(machine, app)
    run_git(str(app), "merge", "--quiet", "--no-edit", "theirs")
    for branch, times in (("again", 2), ("-", 1)):
        run_git(str(app), "checkout", "--quiet", *(["-b"] if branch == "again" else []), branch)
        for _ in range(times):
            machine.ok("rules", "reinforce", "Quote", at=app)
        _committed(app, branch)
    run_git(str(app), "merge", "--quiet", "--no-edit", "again")
    assert path.read_text("utf-8").count("Quote paths") == 2
    assert machine.json("rules", "show", "Quote", at=app)["reinforcement_count"] == 3
    machine.ok("rules", "add", "Ask before a migration", at=app)
    assert path.read_text("utf-8").count("Quote paths") == 1
    assert len(_rules(machine, app)) == 4


def test_a_conflict_is_read_from_both_sides_named_and_written_clean(
    machine: Machine, app: Path
) -> None:
    path = _two(machine, app, union=False)
    with pytest.raises(Exception, match="merge"):
        run_git(str(app), "merge", "--quiet", "--no-edit", "theirs")
    assert "<<<<<<<" in path.read_text("utf-8")
    assert _rules(machine, app) == {"Quote paths in scripts", OURS, THEIRS}
    # What a merge brings is told when it is done: until then the brief says what it waits for.
    assert "line 4 of instincts.yaml is a git conflict marker" in machine.ok("brief", at=app)
    assert "line 4 is a git conflict marker" in machine.run("doctor", at=app).out
    machine.ok("rules", "add", "Ask before a migration", at=app)
    assert "<<<<<<<" not in path.read_text("utf-8")
    assert _rules(machine, app) == {
        "Quote paths in scripts",
        OURS,
        THEIRS,
        "Ask before a migration",
    }


def test_a_conflict_inside_an_entry_of_many_lines_is_read(machine: Machine, app: Path) -> None:
    path = app / ".satchel" / "instincts.yaml"
    path.write_text(
        "version: 1\ninstincts:\n<<<<<<< HEAD\n  - id: inst-1\n    rule: Use tabs\n=======\n"
        "  - id: inst-2\n    rule: Never push on Fridays\n>>>>>>> theirs\n    confidence: 0.7\n",
        "utf-8",
    )
    assert _rules(machine, app) == {"Use tabs", "Never push on Fridays"}


def test_a_conflict_in_instructions_is_named(machine: Machine, app: Path) -> None:
    text = "## Learned Rules\n\n<<<<<<< HEAD\n- One.\n=======\n- Two.\n>>>>>>> theirs\n"
    (app / "CLAUDE.md").write_text(text, "utf-8")
    told = machine.run("doctor", at=app).out
    assert "line 3 is a git conflict marker" in told
    assert "CLAUDE.md merge=union" in told


def test_a_suggestion_for_a_file_in_conflict_is_refused_for_that_reason(tmp_path: Path) -> None:
    with temporary_workspace(git=True) as work:
        rules = Path(work.project.tracked.place("instincts"))
        rules.parent.mkdir(exist_ok=True)
        sides = ("Use tabs", "=======", "Never push on Fridays")
        entry = '  - {{id: "inst-{0}", rule: "{0}"}}'
        lines = [one if one[0] == "=" else entry.format(one) for one in sides]
        rules.write_text(
            "\n".join(["instincts:", "<<<<<<< HEAD", *lines, ">>>>>>> b", ""]), "utf-8"
        )
        made = Transcript(work.project.place.root).person("I prefer small commits with a reason")
        Reflection(work).reflect(paths=[made.agent("OK.").write(str(tmp_path / "s.jsonl"))])
        with Review(work) as review:
            (one,) = review.pending()
            ((_, why),) = review.accept([one.proposal]).failed
        assert "git conflict marker in line 2" in why
