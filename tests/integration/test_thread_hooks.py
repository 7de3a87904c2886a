"""What hooks see of commits is evidence by itself: no transcript of these sessions exists."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from integration.installed import Machine, needs_command
from integration.seeded_bugs import plant
from satchel.testing import run_git

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

SESSION = "5d3a1c9e-0000-4000-8000-00000000c0de"


def commits(
    machine: Machine, app: Path, command: str, *, printed: str | None = None, **payload: Any
) -> str:
    """An agent runs a command in its shell, and the client tells the hook; return HEAD."""
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=app,
        env={**machine.environment, "PATH": "/usr/bin:/bin", "GIT_AUTHOR_NAME": "Ann",
             "GIT_COMMITTER_NAME": "Ann"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    told = done.stdout if printed is None else printed
    given = {
        "session_id": SESSION,
        "tool_response": {"stdout": told, "stderr": "", "interrupted": False},
        **payload,
    }
    answer = machine.hook(
        "PostToolUse", app, tool_name="Bash", tool_input={"command": command}, **given
    )
    assert answer == {}
    return run_git(str(app), "rev-parse", "HEAD").strip()


def write(app: Path, text: str) -> None:
    (app / "pay.py").write_text(text, encoding="utf-8")


LINE = "def tax_of(total): return total * RATE\n"
COMMIT = "git add -A && git commit -m 'Round the tax to cents'"


def noted_in(machine: Machine, app: Path) -> Any:
    listed = machine.json("memory", "list", "--limit", "1000", at=app)
    (noted,) = [one for one in listed if one["key"] == "activity-commit"]
    return noted


def links_of(machine: Machine, app: Path, what: str = "HEAD") -> list[tuple[str, str, str]]:
    (commit,) = machine.json("why", what, at=app)["commits"]
    return [
        (one["session"], one["confidence"], one["evidence"][0]["kind"]) for one in commit["links"]
    ]


def test_a_commit_is_of_the_session_whose_hook_saw_it(machine: Machine, app: Path) -> None:
    write(app, LINE)
    commits(machine, app, COMMIT)
    assert links_of(machine, app) == [(SESSION, "certain", "committed")]
    told = machine.json("why", "pay.py:1", at=app)
    (line,) = told["lines"]
    assert [one["session"] for one in line["origin"]] == [SESSION]
    (session,) = told["sessions"]
    assert (session["session"], session["archived"]) == (SESSION, False)
    # Both directions, and what is kept: session, client, branch, and the commit itself.
    came = machine.json("thread", SESSION[:8], at=app)
    assert [one["subject"] for one in came["commits"]] == ["Round the tax to cents"]
    noted = noted_in(machine, app)
    branch = run_git(str(app), "branch", "--show-current").strip()
    assert (noted["session"], noted["branch"], noted["client"]) == (SESSION, branch, "claude-code")
    assert noted["commit"] == run_git(str(app), "rev-parse", "HEAD").strip()


def test_a_commit_without_a_word_is_known_by_the_log_of_head(machine: Machine, app: Path) -> None:
    write(app, LINE)
    commits(machine, app, COMMIT.replace("commit", "commit -q"))
    assert links_of(machine, app) == [(SESSION, "certain", "committed")]


@pytest.mark.parametrize(
    "command",
    [
        "git add -A; git commit -qm 'Round the tax; to cents'",
        "git add -A && git commit -qm 'Round the tax; to cents' 2>&1 && git status -s",
        "git add -A && (git commit \\\n -qm 'Round the tax; to cents' >/dev/null)",
        "git add -A && git commit -q -m \"$(cat <<'EOF'\nRound the tax; to cents\n\nIt's due.\nEOF\n)\"",
        "git add -A && git commit -q -F - <<'EOF'\nRound the tax; to cents\n\nIt's due.\nEOF\n",
    ],
)
def test_a_command_that_cannot_succeed_without_its_commit_made_it(
    machine: Machine, app: Path, command: str
) -> None:
    write(app, LINE)
    commits(machine, app, command)
    assert links_of(machine, app) == [(SESSION, "certain", "committed")]


@pytest.mark.parametrize(
    "command",
    [
        "git add -A; git commit -qm 'work in progress' || true",
        "git commit -qm 'work in progress' >/dev/null 2>&1; true",
        "git commit -qm 'work in progress' >/dev/null\ntrue",
        "git commit -qm 'work in progress' | cat",
        "git diff --cached --quiet || git commit -qm 'work in progress'",
        "if ! git diff --cached --quiet; then git commit -qm 'work in progress'; fi",
    ],
)
def test_a_command_that_may_succeed_without_its_commit_claims_nobody_elses(
    machine: Machine, app: Path, command: str
) -> None:
    write(app, LINE)
    run_git(str(app), "add", "--all")
    run_git(str(app), "commit", "--quiet", "--message", "work in progress")
    commits(machine, app, command)
    assert links_of(machine, app) == []


@pytest.mark.parametrize(
    ("command", "payload"),
    [
        ("git log -1 --format=%s; git merge HEAD", {}),
        ("git commit --dry-run; git log -1 --format='[main %h] %s'", {}),
        ("git -c core.pager=cat status; echo no commit of mine", {}),
        # Its message is not in the command: who made it is not known.
        ("git status -s; echo about to commit", {}),
        (
            "true || git commit -qm 'Add the taxes of last year'",
            {"tool_response": {"stdout": "", "exit_code": 1}},
        ),
    ],
)
def test_what_made_no_commit_claims_none(
    machine: Machine, app: Path, command: str, payload: dict[str, Any]
) -> None:
    write(app, LINE)
    run_git(str(app), "add", "--all")
    run_git(str(app), "commit", "--quiet", "--message", "Add the taxes of last year")
    commits(machine, app, command, **payload)
    assert links_of(machine, app) == []


def test_it_survives_amending_and_a_rebuild(machine: Machine, app: Path) -> None:
    write(app, LINE + "RATE = Decimal('0.19')\nCENT = Decimal('0.01')\n")
    commits(machine, app, COMMIT)
    machine.ok("why", "HEAD", at=app)
    run_git(str(app), "commit", "--quiet", "--amend", "--message", "As the tax office wants")
    assert links_of(machine, app) == [(SESSION, "certain", "same change")]
    before = machine.json("why", "HEAD", at=app)["commits"]
    machine.ok("rebuild", "--only", "thread", at=app)
    assert machine.json("why", "HEAD", at=app)["commits"] == before


def test_a_memory_and_a_commit_of_one_command_are_both_kept(machine: Machine, app: Path) -> None:
    write(app, LINE)
    commits(machine, app, COMMIT + " && : bd comment BD-1 'LEARNED: halves go up'")
    assert links_of(machine, app) == [(SESSION, "certain", "committed")]


def test_what_is_forgotten_is_no_evidence_any_more(machine: Machine, app: Path) -> None:
    write(app, LINE)
    commits(machine, app, COMMIT)
    assert links_of(machine, app)
    machine.ok("forget", noted_in(machine, app)["id"], "--yes", at=app)
    assert links_of(machine, app) == []


def _after_a_commit_of_a_person(machine: Machine, app: Path) -> None:
    test_a_command_that_may_succeed_without_its_commit_claims_nobody_elses(
        machine, app, "git commit -qm 'work in progress' || true"
    )


BUGS = [
    (
        "hooks pass over commits",
        "interfaces.hooks.commits",
        "commits_told = lambda text: []; _PLAIN = _FIRST = _AMENDED = 'never'",
        test_a_commit_is_of_the_session_whose_hook_saw_it,
    ),
    (
        "the log of HEAD is not read",
        "interfaces.hooks.commits",
        "last_move = lambda start: ('', 0, '')",
        test_a_commit_without_a_word_is_known_by_the_log_of_head,
    ),
    (
        "a commit that may have failed counts",
        "interfaces.hooks.commits",
        "_fails_with_its_commit = lambda command: ' commit' in command",
        _after_a_commit_of_a_person,
    ),
    (
        "what was noted is not read",
        "features.thread.service",
        "heard_in = lambda ledger: []",
        test_it_survives_amending_and_a_rebuild,
    ),
    (
        "deleted lines still count",
        "features.thread.service",
        "stamp_of = lambda ledger: 'always'",
        test_what_is_forgotten_is_no_evidence_any_more,
    ),
]


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug[0])
def test_a_seeded_bug_is_noticed(machine: Machine, app: Path, bug: Any) -> None:
    _, module, seed, test = bug
    plant(machine, f"satchel.{module}", seed)
    with pytest.raises((AssertionError, LookupError, ValueError)) as caught:
        test(machine, app)
    assert "Traceback" not in str(caught.value)


def test_a_hook_that_claims_whatever_head_is_is_noticed(machine: Machine, app: Path) -> None:
    seed = "commits_of = lambda call, command: [last_move(call.cwd)[0][:12] + ' x']"
    plant(machine, "satchel.interfaces.hooks.commits", seed)
    with pytest.raises(AssertionError):
        test_what_made_no_commit_claims_none(machine, app, "git log -1; git merge HEAD", {})
