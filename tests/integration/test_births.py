"""Each memory knows the commit and the branch that it was learnt at."""

from __future__ import annotations

import time

import pytest

from integration.installed import Machine, needs_command
from satchel.testing import run_git, temporary_workspace

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


def test_a_memory_knows_where_it_was_learnt_however_late_it_is_drained(machine: Machine) -> None:
    shop = machine.repository()
    first = run_git(str(shop), "rev-parse", "HEAD").strip()
    run_git(str(shop), "checkout", "-q", "-b", "tax")
    machine.says('bd comment BD-1 "LEARNED: taxes round half up"', shop)
    run_git(str(shop), "commit", "-q", "--allow-empty", "-m", "second")
    second = run_git(str(shop), "rev-parse", "HEAD").strip()
    run_git(str(shop), "pack-refs", "--all")
    machine.ok("learn", "the office rounds down", at=shop)
    run_git(str(shop), "checkout", "-q", "--detach", first)
    machine.ok("learn", "nobody is on a branch", at=shop)
    machine.ok("learn", "--user", "of me, not of this repository", at=shop)
    found = machine.json("memory", "list", "--kind", "learned", at=shop)
    assert {one["content"]: (one.get("branch"), one.get("commit")) for one in found} == {
        "taxes round half up": ("tax", first),
        "the office rounds down": ("tax", second),
        "nobody is on a branch": (None, first),
        "of me, not of this repository": (None, None),
    }


def test_recall_at_a_commit_and_the_log_of_a_branch(machine: Machine) -> None:
    shop = machine.repository()
    for name in ("tax", "mail"):
        run_git(str(shop), "checkout", "-q", "-b", name, "HEAD" if name == "tax" else "tax~1")
        machine.ok("learn", "--agent", "coder", f"send_{name}() is slow", at=shop)
        run_git(str(shop), "commit", "-q", "--allow-empty", "-m", f"Work on {name}")
    machine.ok("upkeep", "branches", at=shop)
    told = machine.ok("recall", "what is slow", at=shop)
    assert "  learnt on branch tax, not merged here" in told
    assert "branch mail" not in told
    for name, other in (("tax", "mail"), ("mail", "tax")):
        found = machine.json("recall", "what is slow", "--at", name, at=shop)["items"]
        assert [one["content"] for one in found] == [f"send_{name}() is slow"]
        log = machine.ok("log", "--branch", name, at=shop)
        assert f"send_{name}()" in log
        assert other not in log
        run_git(str(shop), "branch", "-m", name, f"{name}-2")
        assert machine.ok("log", "--branch", f"{name}-2", at=shop) == log
        run_git(str(shop), "branch", "-m", f"{name}-2", name)
    (slow,) = [
        one
        for one in machine.json("recall", "what is slow", at=shop)["items"]
        if one["branch"] == "tax"
    ]
    assert slow["git"]["state"] == "elsewhere"
    assert "learnt on branch tax, not merged here" in machine.ok("why", slow["id"], at=shop)
    told = machine.fails(2, "recall", "what is slow", "--at", "nowhere", at=shop)
    assert "a commit, branch or tag that git has" in told


def test_of_code_on_another_branch_nobody_says_that_it_is_gone(machine: Machine) -> None:
    shop = machine.repository()
    run_git(str(shop), "checkout", "-q", "-b", "tax")
    (shop / "tax.py").write_text("RATE = 19\n", "utf-8")
    run_git(str(shop), "add", "tax.py")
    run_git(str(shop), "commit", "-q", "-m", "Tax")
    machine.ok(
        "learn", "--agent", "coder", "The rate is looked up each day", "--at", "tax.py", at=shop
    )
    run_git(str(shop), "checkout", "-q", "main")
    machine.ok("upkeep", "branches", at=shop)
    told = machine.ok("recall", "how often is the rate looked up", at=shop)
    assert "learnt on branch tax, not merged here" in told
    assert "code gone" not in told
    run_git(str(shop), "merge", "-q", "tax")
    (shop / "tax.py").unlink()
    machine.ok("upkeep", "branches", at=shop)
    assert "code gone: tax.py" in machine.ok("recall", "how often is the rate looked up", at=shop)


def test_a_list_marks_what_is_not_part_of_what_is_checked_out(machine: Machine) -> None:
    shop = machine.repository()
    run_git(str(shop), "checkout", "-q", "-b", "tax")
    machine.ok("learn", "--agent", "coder", "send_tax() is slow", at=shop)
    (shop / "tax.py").write_text("def send_tax():\n    return 19\n", "utf-8")
    run_git(str(shop), "add", "tax.py")
    run_git(str(shop), "commit", "-q", "-m", "Work on tax")
    machine.ok("upkeep", "branches", at=shop)
    assert "tax)" not in machine.ok("list", at=shop)
    assert "git" not in machine.json("list", at=shop)[0]
    run_git(str(shop), "checkout", "-q", "-")
    machine.ok("upkeep", "branches", at=shop)
    assert "send_tax() is slow  (on branch tax)" in machine.ok("list", at=shop)
    assert machine.json("list", at=shop)[0]["git"]["state"] == "elsewhere"
    run_git(str(shop), "merge", "-q", "--no-ff", "-m", "Merge tax", "tax")
    run_git(str(shop), "revert", "--no-edit", "-m", "1", "HEAD")
    machine.ok("upkeep", "branches", at=shop)
    assert "send_tax() is slow  (reverted)" in machine.ok("list", at=shop)


def test_a_time_that_is_a_tag_is_taken_as_a_time_and_said_to_be(machine: Machine) -> None:
    shop = machine.repository()
    machine.ok("learn", "--agent", "coder", "send_tax() is slow", at=shop)
    run_git(str(shop), "tag", "2020-11-01")
    done = machine.run("recall", "send_tax is slow", "--at", "2020-11-01", at=shop)
    assert "send_tax" not in done.out
    assert "taken as a time. For what git calls so: --at refs/tags/2020-11-01" in done.err
    assert "send_tax" in machine.ok(
        "recall", "send_tax is slow", "--at", "refs/tags/2020-11-01", at=shop
    )
    assert not machine.run("recall", "send_tax is slow", "--at", "2020-11-02", at=shop).err


def test_the_log_of_a_branch_that_is_not_there_says_so(machine: Machine) -> None:
    shop = machine.repository()
    run_git(str(shop), "branch", "quiet")
    assert "no branch 'loud'" in machine.fails(4, "log", "--branch", "loud", at=shop)
    assert "on branch quiet" in machine.ok("log", "--branch", "quiet", at=shop)


def test_asking_at_a_commit_without_a_table_has_one_made(machine: Machine) -> None:
    shop = machine.repository()
    run_git(str(shop), "checkout", "-q", "-b", "tax")
    machine.ok("learn", "--agent", "coder", "send_tax() is slow", at=shop)
    run_git(str(shop), "commit", "-q", "--allow-empty", "-m", "Work")
    run_git(str(shop), "checkout", "-q", "-")
    machine.environment["SATCHEL_EMBED_BACKGROUND"] = "1"
    assert "learnt on branch" not in machine.ok("recall", "send_tax is slow", at=shop)
    made = machine.home / ".satchel" / "projects"
    for _ in range(200):
        if list(made.glob("*/branches/*.table.json")):
            break
        time.sleep(0.1)
    assert "learnt on branch tax" in machine.ok("recall", "send_tax is slow", at=shop)


def test_without_git_or_a_commit_nothing_is_said_of_it() -> None:
    with temporary_workspace() as workspace:
        assert workspace.learn("no git here").commit == ""
        run_git(workspace.project.place.root, "init", "-q", "-b", "main")
    with temporary_workspace(git=True) as workspace:
        assert len(workspace.learn("a commit").commit) == 40
