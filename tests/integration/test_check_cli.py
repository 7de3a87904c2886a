"""`satchel check` as a build server runs it."""

import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

from integration.installed import Machine, needs_command
from integration.seeded_bugs import plant
from satchel.features.checks.templates import source_of, workflow
from satchel.testing import run_git

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


def test_a_fresh_clone_on_another_machine_answers_from_what_is_tracked(
    machine: Machine, app: Path
) -> None:
    machine.ok("check", "--init", at=app)
    path = app / ".satchel" / "checks.yaml"
    text = path.read_text("utf-8")
    path.write_text(
        text + "  - name: pm\n    query: package manager\n    must_return: [pnpm]\n", "utf-8"
    )
    machine.ok("remember", "--kind", "constraint", "Use pnpm as package manager", at=app)
    assert "5 of 5 hold" in machine.ok("check", at=app)
    server = machine.of_somebody_else("ci")
    report = app / "report.xml"
    done = server.run("check", "--junit", str(report), at=app)
    assert done.code == 1, "what is private is not there for others"
    suite = ET.parse(report).getroot()[0]  # noqa: S314 -- Satchel wrote it
    assert [case.get("name") for case in suite if len(case)] == ["pm"]
    machine.ok("share", "--yes", at=app)
    told = server.json("check", "pm", at=app)
    assert (told["passed"], told["failed"]) == (1, 0)


@pytest.mark.parametrize("kind", ["learned", "decision"])
def test_what_a_merge_brings_against_a_rule_fails_from_the_merge_on(
    machine: Machine, app: Path, kind: str
) -> None:
    def git(*words: str) -> None:
        run_git(str(app), *words)

    machine.ok("remember", "--kind", "constraint", "Never use pnpm here, always use npm", at=app)
    git("add", "--all")
    git("commit", "-q", "--allow-empty", "-m", "Begin")
    git("checkout", "-q", "-b", "side")
    words = ("learn", "--kind", kind, "--agent", "coder", "Use pnpm here, not npm")
    machine.ok(*words, at=app)
    git("commit", "-q", "--allow-empty", "-m", "Use pnpm")
    git("checkout", "-q", "-")
    assert machine.run("check", at=app).code == 0, "it is not true here yet"
    git("merge", "-q", "--no-ff", "--no-edit", "side")
    done = machine.run("check", at=app)
    assert done.code == 1
    assert "'Never use pnpm here, always use npm' / 'Use pnpm here, not npm'" in done.out


@pytest.mark.parametrize(
    ("seed", "kind"),
    [
        ("ProjectChecks._here = lambda self, records: list(records)", "decision"),
        ("_LESSONS = ('insight',)", "learned"),
    ],
)
def test_a_check_that_does_not_follow_git_is_noticed(
    machine: Machine, app: Path, seed: str, kind: str
) -> None:
    plant(machine, "satchel.application.health.run_checks", seed)
    with pytest.raises(AssertionError):
        test_what_a_merge_brings_against_a_rule_fails_from_the_merge_on(machine, app, kind)


def test_a_line_of_claude_md_that_contradicts_a_memory_is_told_with_its_place(
    machine: Machine, app: Path
) -> None:
    machine.ok("remember", "--kind", "decision", "We moved from uv to pip-tools", at=app)
    assert machine.run("check", at=app).code == 0
    (app / "CLAUDE.md").write_text("# Here\n\n- Run tests with `uv run pytest`\n", "utf-8")
    done = machine.run("check", at=app)
    assert done.code == 1
    assert "against CLAUDE.md line 3: 'We moved from uv to pip-tools'" in done.out
    (app / "CLAUDE.md").write_text("# Here\n\n- Run tests with `pytest -q`\n", "utf-8")
    assert machine.run("check", at=app).code == 0


def test_bad_files_and_bad_words_end_in_the_usual_way(machine: Machine, app: Path) -> None:
    assert "--init" in machine.ok("check", at=app)
    assert "(no_contradictions, built in)" in machine.ok("check", "--list", at=app)
    machine.ok("check", "--init", at=app)
    machine.fails(7, "check", "--init", at=app)
    machine.fails(4, "check", "nothing is called so", at=app)
    machine.fails(2, "check", "--junit", "/nowhere/x.xml", at=app)
    assert "no_stale_anchors" in machine.ok("check", "--list", at=app)
    path = app / ".satchel" / "checks.yaml"
    path.write_text("checks:\n  - query: x\n    must: [a]\n", "utf-8")
    assert "checks.yaml, line 2" in machine.fails(2, "check", at=app)


def test_the_workflow_installs_from_an_address_and_never_by_a_name(
    machine: Machine, app: Path
) -> None:
    machine.ok("check", "--init", at=app)
    made = (app / ".github/workflows/satchel-check.yml").read_text()
    steps = yaml.safe_load(made)["jobs"]["check"]["steps"]
    installs = [step for step in steps if "pip install" in step.get("run", "")]
    assert [step["env"] for step in installs] == [{"SATCHEL": "${{ vars.SATCHEL }}"}]
    bare = subprocess.run(
        ["sh", "-c", installs[0]["run"]], capture_output=True, text=True, env={}, check=False
    )
    assert bare.returncode != 0
    assert "set the repository variable SATCHEL" in bare.stderr


_HASH = {"hashes": {"sha256": "cd"}}


@pytest.mark.parametrize(
    ("url", "about", "source"),
    [
        (
            "https://h.example/s.git",
            {"vcs_info": {"commit_id": "a1"}},
            "git+https://h.example/s.git@a1",
        ),
        ("https://h.example/s.whl", {"archive_info": _HASH}, "https://h.example/s.whl#sha256=cd"),
        ("https://h.example/s.whl", {"archive_info": {}}, ""),
        ("file:///home/ann/s.whl", {"archive_info": _HASH}, ""),
        ("https://ann:pw@h.example/s.git", {"vcs_info": {"commit_id": "a1"}}, ""),
        ("https://h.example/s' }}", {"vcs_info": {"commit_id": "a1"}}, ""),
        ("", {}, ""),
    ],
)
def test_it_names_where_this_satchel_came_from_if_others_can_reach_it(
    url: str, about: dict[str, object], source: str
) -> None:
    assert source_of(json.dumps({"url": url, **about}) if url else "") == source
    assert (f"|| '{source}'" in workflow(source)) == bool(source)


def test_code_of_a_branch_that_is_not_here_is_not_missed(machine: Machine, app: Path) -> None:
    run_git(str(app), "checkout", "-q", "-b", "tax")
    (app / "pay.py").write_text("def total_of(items):\n    return sum(items)\n", "utf-8")
    run_git(str(app), "add", "--all")
    run_git(str(app), "commit", "-q", "-m", "Totals")
    machine.ok("learn", "--at", "pay.py:total_of", "totals are in cents", at=app)
    machine.ok("check", "--init", at=app)
    assert machine.run("check", at=app).code == 0
    run_git(str(app), "checkout", "-q", "-")
    assert not (app / "pay.py").exists()
    done = machine.run("check", at=app)
    assert done.code == 0, done.out
    run_git(str(app), "checkout", "-q", "tax")
    (app / "pay.py").unlink()
    assert machine.run("check", at=app).code == 1
