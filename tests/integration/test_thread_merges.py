"""A merge was asked for by nobody: `satchel why` tells of it what it brought, and who asked for that."""

from __future__ import annotations

import pytest

from integration.installed import Machine, needs_command
from integration.thread_made import Repository, new_repository
from integration.thread_story import feature_branch, main_branch

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


def _merged(machine: Machine) -> Repository:
    made = new_repository(machine)
    main_branch(made, machine.home)
    feature_branch(made, machine.home)
    made.git("switch", "--quiet", "main")
    made.git("merge", "--quiet", "--no-ff", "-m", "Merge the branch of mails", "mail-4")
    return made


def test_a_merge_is_told_with_what_it_brought(machine: Machine) -> None:
    root = _merged(machine).root
    machine.ok("approve", "--author", "ann@example.org", "--yes", at=root)
    told = machine.json("why", "HEAD", at=root)
    merge, *brought = told["commits"]
    assert (merge["subject"], merge["brings"], merge["links"]) == (
        "Merge the branch of mails",
        4,
        [],
    )
    assert [one["subject"] for one in brought] == [
        "Do not tax refunds",
        "Send many receipts at once",
        "Leave out receipts without an address",
        "Send receipts by mail",
    ]
    assert {one["links"][0]["confidence"] for one in brought} == {"certain"}
    asked = [prompt["text"] for one in told["sessions"] for prompt in one["prompts"]]
    assert "Send the receipt by mail, with its number in the subject" in asked
    shown = machine.ok("why", "HEAD", at=root)
    assert "merges 4 commits" in shown
    assert "from no session" not in shown
    edges = machine.ok("graph", "show", "HEAD", at=root)
    assert "merges commit" in edges
    assert "“Do not tax refunds”  (certain, git's history says so)" in edges


def test_a_commit_that_merges_nothing_brings_none(machine: Machine) -> None:
    root = _merged(machine).root
    (commit,) = machine.json("why", "HEAD^2", at=root)["commits"]
    assert (commit["subject"], commit["brings"]) == ("Do not tax refunds", 0)
