"""The Foundation's six commands of bd, and what beads' own protocol asks of one, as agents type them."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from integration.installed import Machine, needs_command
from satchel.testing import run_git

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


@pytest.fixture
def app(machine: Machine) -> Path:
    app = machine.repository(layout="beads")
    run_git(str(app), "config", "user.name", "Ada")
    run_git(str(app), "config", "user.email", "ada@example.org")
    return app


class Bd:
    """`satchel bd` in one project."""

    def __init__(self, machine: Machine, app: Path) -> None:
        self.machine, self.app = machine, app

    def json(self, *words: str) -> Any:
        return self.machine.json("bd", *words, at=self.app)

    def create(self, *words: str) -> str:
        made = self.json("create", *words)
        assert made["status"] == "open"
        return str(made["id"])

    def show(self, ident: str) -> dict[str, Any]:
        (shown,) = self.json("show", ident)
        assert isinstance(shown, dict)
        return shown

    def ready(self) -> list[str]:
        return [one["id"] for one in self.json("ready")]

    def ok(self, *words: str) -> str:
        return self.machine.ok("bd", *words, at=self.app)

    def refused(self, *words: str) -> str:
        """What must end with exit code 1; return the complaint."""
        done = self.machine.run("bd", *words, at=self.app)
        assert done.code == 1, done
        return done.err


@pytest.fixture
def bd(machine: Machine, app: Path) -> Bd:
    return Bd(machine, app)


def test_the_six_commands_of_the_foundation(bd: Bd) -> None:
    first = bd.create("Design the schema")
    second = bd.create("Write the API", "--discovered-from", first)
    gate = bd.create("Sign off", "--blocks", second)
    assert bd.ready() == [first, gate]
    shown = bd.show(second)
    links = {(d["id"], d["dependency_type"]) for d in shown["dependencies"]}
    assert links == {(first, "discovered-from"), (gate, "blocks")}
    assert "waits for" in bd.ok("show", second)
    bd.ok("update", first, "--status", "in_progress")
    assert bd.show(first)["started_at"]
    (closed,) = bd.json("close", first, "--summary", "Three tables")
    assert (closed["status"], closed["close_reason"]) == ("closed", "Three tables")
    assert "now ready" in bd.ok("close", gate, "--summary", "Signed")
    assert bd.ready() == [second]
    assert "committed" in bd.ok("sync")
    log = run_git(str(bd.app), "show", "--stat", "--format=%s", "HEAD")
    assert ".beads/issues.jsonl" in log
    assert "Nothing to commit" in bd.ok("sync")
    rows = [json.loads(one) for one in (bd.app / ".beads/issues.jsonl").read_text().splitlines()]
    assert {row["id"] for row in rows} == {first, second, gate}
    assert all(row["_type"] == "issue" for row in rows)


def test_what_a_task_taught_is_remembered_when_it_is_closed(bd: Bd) -> None:
    task = bd.create("Design the schema")
    bd.ok("update", task, "--notes", "LEARNED: The cache needs a warm-up")
    told = bd.ok("close", task, "--summary", "Done.\nDECISION: Three tables, one for each kind")
    assert "remembered as decision: Three tables, one for each kind" in told
    known = bd.machine.json("memory", "list", at=bd.app)
    assert {(one["content"], one["bead"]) for one in known} == {
        ("The cache needs a warm-up", task),
        ("Three tables, one for each kind", task),
    }


def test_the_file_of_the_foundations_script_is_read_and_written_in_its_words(
    machine: Machine, app: Path
) -> None:
    path = app / ".beads" / "beads.jsonl"
    path.parent.mkdir(exist_ok=True)
    rows = [
        {"id": "bd-001", "title": "Preflight", "status": "pending", "blocks": ["bd-003"],
         "blocked_by": [], "assigned_to": "seldon", "created_at": "2026-02-01T00:00:00Z",
         "closed_at": None, "summary": None},
        {"id": "bd-002", "title": "Deploy", "status": "pending", "blocks": [],
         "blocked_by": ["bd-001"], "assigned_to": "daneel", "created_at": "2026-02-02T00:00:00Z",
         "closed_at": None, "summary": None},
        {"id": "bd-003", "title": "Tell", "status": "in-progress", "blocks": [], "blocked_by": [],
         "assigned_to": "seldon", "created_at": "2026-02-03T00:00:00Z"},
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    bd = Bd(machine, app)
    assert bd.ready() == ["bd-001"]
    told = {one["id"] for one in bd.show("bd-003")["dependencies"]}
    assert told == {"bd-001"}, "what is told from the far end counts too"
    bd.ok("close", "bd-001", "--summary", "Checked")
    first = json.loads(path.read_text().splitlines()[0])
    assert (first["status"], first["summary"], first["blocks"]) == (
        "completed", "Checked", ["bd-003"],
    )  # fmt: skip
    bd.ok("update", "bd-002", "--status", "in-progress")
    assert json.loads(path.read_text().splitlines()[1])["status"] == "in-progress"
    assert not (app / ".beads" / "issues.jsonl").exists(), "the tasks lie in The Foundation's file"
    machine.ok("task", "states", at=app)


def test_the_states_of_the_foundation_from_preflight_to_archival(bd: Bd) -> None:
    ident = bd.create("One life")

    def stage() -> list[str]:
        counts = bd.json("states")
        assert list(counts) == [
            "preflight", "pending", "blocked", "in_progress", "review", "completed", "archived",
        ]  # fmt: skip
        return [name for name, count in counts.items() if count]

    for word, expected in (
        ("preflight", "preflight"), ("pending", "pending"), ("blocked", "blocked"),
        ("in-progress", "in_progress"), ("inreview", "review"), ("completed", "completed"),
        ("archived", "archived"), ("open", "pending"),
    ):  # fmt: skip
        bd.ok("update", ident, "--status", word)
        assert stage() == [expected]
        assert bd.ready() == ([ident] if expected == "pending" else [])
    assert "closed_at" not in bd.show(ident)


# What beads' own protocol suite asks: its behaviours, in our words.


def test_ready_goes_by_priority(bd: Bd) -> None:
    for priority in ("4", "0", "2", "1", "3"):
        bd.create("--title", f"P{priority}", "--type", "task", "--priority", priority)
    assert [one["priority"] for one in bd.json("ready")] == [0, 1, 2, 3, 4]


def test_blocking_follows_chains_and_diamonds(bd: Bd) -> None:
    a, b, c, d = (bd.create(name) for name in "abcd")
    for ident, on in ((b, a), (c, a), (d, b), (d, c)):
        bd.ok("dep", "add", ident, on)
    assert bd.ready() == [a]
    bd.ok("close", a, "--reason", "done")
    assert sorted(bd.ready()) == sorted([b, c])
    assert "blocked by" not in bd.ok("list", "--status", "open").partition(d)[0]
    bd.ok("close", b)
    assert bd.ready() == [c]
    bd.ok("dep", "rm", d, c)
    assert sorted(bd.ready()) == sorted([c, d])


def test_conditional_and_waiting_readiness(bd: Bd) -> None:
    test, rollback, cleanup = bd.create("Deploy"), bd.create("Roll back"), bd.create("Clean up")
    bd.ok("dep", "add", rollback, test, "--type", "conditional-blocks")
    bd.ok("dep", "add", cleanup, test, "--type", "waits-for")
    one, two = bd.create("Part one", "--parent", test), bd.create("Part two", "--parent", test)
    assert sorted(bd.ready()) == sorted([test, one, two])
    bd.ok("close", one)
    assert cleanup not in bd.ready(), "a part is still open"
    bd.ok("close", two)
    assert cleanup in bd.ready()
    bd.ok("close", test, "--reason", "done")
    assert rollback not in bd.ready(), "nothing failed"
    bd.ok("reopen", test)
    bd.ok("close", test, "--reason", "the release failed")
    assert rollback in bd.ready()


def test_deferred_tasks_are_not_ready(bd: Bd) -> None:
    ident = bd.create("Later")
    bd.ok("update", ident, "--defer-until", "2099-12-31")
    assert bd.ready() == []
    bd.ok("update", ident, "--defer-until", "")
    assert bd.ready() == [ident]


def test_circles_and_links_to_itself_are_refused(bd: Bd) -> None:
    a, b, c = (bd.create(name) for name in "abc")
    bd.ok("dep", "add", b, a)
    bd.ok("dep", "add", c, b)
    before = (bd.app / ".beads/issues.jsonl").read_bytes()
    assert "cycle" in bd.refused("dep", "add", a, c, "--type", "blocks")
    assert "itself" in bd.refused("dep", "add", a, a, "--type", "blocks")
    assert "cycle" in bd.refused("update", a, "--parent", c)
    assert (bd.app / ".beads/issues.jsonl").read_bytes() == before


def test_the_guard_of_closing(bd: Bd) -> None:
    blocked, blocker, free = bd.create("blocked"), bd.create("blocker"), bd.create("free")
    bd.ok("dep", "add", blocked, blocker)
    bd.ok("dep", "add", free, blocker, "--type", "caused-by")
    assert "blocked by" in bd.refused("close", blocked)
    assert "blocked by" in bd.refused("update", blocked, "--status", "closed")
    assert bd.show(blocked)["status"] == "open"
    assert "blocked by" in bd.refused("close", free, blocked)
    assert bd.show(free)["status"] == "closed", "what could be closed is"
    bd.ok("close", blocked, "--force")
    assert bd.show(blocked)["status"] == "closed"
    epic = bd.create("Epic", "-t", "epic")
    bd.create("Part", "--parent", epic)
    assert "open tasks" in bd.refused("close", epic)


def test_exit_codes_and_json_of_errors(bd: Bd) -> None:
    for words in (
        ("show", "nonexistent-xyz"), ("update", "nonexistent-xyz", "--status", "in_progress"),
        ("close", "nonexistent-xyz"),
    ):  # fmt: skip
        assert "not found" in bd.refused(*words)
        error = json.loads(bd.refused(*words, "--json"))
        assert (error["schema_version"], error["code"]) == (1, "not_found")
    bd.refused("create")
    bd.refused("nonsense")
    assert json.loads(bd.refused("create", "x", "-p", "9", "--json"))["code"] == "invalid_input"
    assert bd.json("ready") == []


def test_json_is_an_array_with_what_beads_needs(bd: Bd) -> None:
    ident = bd.create("Fields", "-l", "a,b", "--acceptance", "it works")
    for found in (bd.json("show", ident), bd.json("ready"), bd.json("list"),
                  bd.json("update", ident, "--notes", "n"), bd.json("close", ident)):  # fmt: skip
        assert isinstance(found, list)
        names = {"id", "title", "status", "priority", "issue_type", "created_at", "updated_at",
                 "dependency_count", "dependent_count", "comment_count"}  # fmt: skip
        assert names <= set(found[0])
    assert bd.show(ident)["labels"] == ["a", "b"]


def test_scalar_changes_leave_labels_links_and_comments_alone(bd: Bd) -> None:
    ident, target = bd.create("Rich"), bd.create("Target")
    for label in ("important", "v2"):
        bd.ok("label", "add", ident, label)
    bd.ok("dep", "add", ident, target)
    bd.ok("comment", ident, "Design review")
    bd.ok("comment", ident, "Started")
    for words in (("--title", "Rich v2"), ("--priority", "0"), ("--description", "d"),
                  ("--assignee", "alice"), ("--notes", "n")):  # fmt: skip
        bd.ok("update", ident, *words)
    shown = bd.show(ident)
    assert sorted(shown["labels"]) == ["important", "v2"]
    assert [one["text"] for one in shown["comments"]] == ["Design review", "Started"]
    assert [one["depends_on_id"] for one in shown["dependencies"]] == [target]


def test_a_child_is_seen_from_both_ends_and_deleting_leaves_no_loose_end(bd: Bd) -> None:
    parent = bd.create("Epic", "-t", "epic")
    child = bd.create("Child", "--parent", parent)
    assert bd.show(child)["dependencies"][0]["dependency_type"] == "parent-child"
    assert [one["id"] for one in bd.show(parent)["dependents"]] == [child]
    after = bd.create("After", "--blocked-by", child)
    bd.ok("delete", child, "--force")
    bd.refused("show", child)
    assert "dependencies" not in bd.show(after)
    assert bd.ready() == [parent, after]
    rows = [json.loads(one) for one in (bd.app / ".beads/issues.jsonl").read_text().splitlines()]
    grave = next(row for row in rows if row["id"] == child)
    assert (grave["status"], grave["original_type"]) == ("tombstone", "task")
    assert os.path.basename(str(bd.app)) in child
