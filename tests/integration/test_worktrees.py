"""Work trees, checkouts, merges: real git moves the tracked ledger, reading follows."""

import json
import shutil
from pathlib import Path
from uuid import uuid4

import pytest

from integration.installed import Machine, needs_command
from satchel.testing import run_git

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
LEDGER = ".satchel/knowledge.jsonl"


def committed(path: Path, message: str) -> None:
    run_git(str(path), "add", "--all")
    run_git(str(path), "commit", "--quiet", "--message", message)


def shared(machine: Machine, path: Path, content: str) -> None:
    """Write a lesson into the tracked ledger alone, as a teammate would, and commit."""
    teammate = machine.of_somebody_else(content)
    teammate.ok("learn", content, at=path)
    teammate.ok("share", "--yes", at=path)
    committed(path, content)


def test_two_work_trees_see_their_own_tracked_ledger_and_share_the_private_one(
    machine: Machine, app: Path, tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    run_git(str(app), "worktree", "add", "--quiet", "-b", "side", str(tree))
    shared(machine, app, "tracked in main")
    shared(machine, tree, "tracked in side")
    machine.ok("learn", "private to both", at=tree)
    for _ in range(2):
        assert set(machine.contents(app)) == {"tracked in main", "private to both"}
        assert set(machine.contents(tree)) == {"tracked in side", "private to both"}
    assert (
        machine.json("recall", "tracked in side", at=app)["items"][0]["content"]
        != "tracked in side"
    )


def test_reading_follows_checkout_and_pull(machine: Machine, app: Path, tmp_path: Path) -> None:
    shared(machine, app, "before")
    run_git(str(app), "checkout", "--quiet", "-b", "other")
    shared(machine, app, "on the other branch")
    assert set(machine.contents(app)) == {"before", "on the other branch"}
    run_git(str(app), "checkout", "--quiet", "main")
    assert machine.contents(app) == ["before"]
    run_git(str(tmp_path), "clone", "--quiet", str(app), "clone")
    clone = tmp_path / "clone"
    shared(machine, app, "pushed later")
    assert machine.contents(clone) == ["before"]
    run_git(str(clone), "pull", "--quiet")
    assert set(machine.contents(clone)) == {"before", "pushed later"}


@pytest.mark.parametrize("direction", ["into main", "into side", "rebase"])
def test_both_sides_of_a_merge_are_there_without_a_conflict(
    machine: Machine, app: Path, direction: str
) -> None:
    shared(machine, app, "common ground")
    run_git(str(app), "checkout", "--quiet", "-b", "side")
    shared(machine, app, "learnt on side")
    run_git(str(app), "checkout", "--quiet", "main")
    shared(machine, app, "learnt on main")
    if direction == "into main":
        run_git(str(app), "merge", "--quiet", "side", "--no-edit")
    else:
        run_git(str(app), "checkout", "--quiet", "side")
        if direction == "rebase":
            run_git(str(app), "rebase", "--quiet", "main")
        else:
            run_git(str(app), "merge", "--quiet", "main", "--no-edit")
    assert b"<<<<" not in (app / LEDGER).read_bytes()
    assert set(machine.contents(app)) == {"common ground", "learnt on side", "learnt on main"}
    machine.ok("rebuild", at=app)
    assert set(machine.contents(app)) == {"common ground", "learnt on side", "learnt on main"}


def test_a_revert_takes_back_what_it_reverts(machine: Machine, app: Path) -> None:
    shared(machine, app, "stays")
    shared(machine, app, "goes")
    run_git(str(app), "revert", "--no-edit", "HEAD")
    assert machine.contents(app) == ["stays"]


def test_a_hand_edit_is_kept_and_marked(machine: Machine, app: Path) -> None:
    shared(machine, app, "the port is 80 by default")
    path = app / LEDGER
    path.write_text(path.read_text("utf-8").replace("port is 80", "port is 8080"), "utf-8")
    (found,) = machine.json("recall", "port", at=app)["items"]
    assert found["content"] == "the port is 8080 by default"
    assert found["edited"] is True
    assert found["trust"] == "imported"


def test_conflict_markers_take_nothing_with_them(machine: Machine, app: Path) -> None:
    shared(machine, app, "one")
    path = app / LEDGER
    before = path.read_text("utf-8")
    path.write_text("<<<<<<< HEAD\n" + before + "=======\n{half a line\n>>>>>>> side\n", "utf-8")
    assert machine.contents(app) == ["one"]
    kept = [p.read_bytes() for p in machine.home.rglob("*.raw")]
    assert b"{half a line" in kept
    path.write_text(before, "utf-8")
    assert machine.contents(app) == ["one"]


def test_line_endings_of_another_system_change_nothing(machine: Machine, app: Path) -> None:
    shared(machine, app, "one")
    path = app / LEDGER
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    (found,) = machine.json("memory", "list", at=app)
    assert "edited" not in found


def test_nothing_private_is_lost_with_the_work_tree(
    machine: Machine, app: Path, tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    run_git(str(app), "worktree", "add", "--quiet", "-b", "side", str(tree))
    machine.ok("learn", "said in the tree", at=tree)
    run_git(str(app), "worktree", "remove", "--force", str(tree))
    run_git(str(app), "clean", "-fdxq")
    shutil.rmtree(app)
    run_git(str(tmp_path), "init", "--quiet", "fresh")
    assert not app.exists()
    for ledger in machine.home.rglob("knowledge.jsonl"):
        assert "said in the tree" in ledger.read_text("utf-8")


def test_the_users_git_never_trips_over_satchel(machine: Machine, app: Path) -> None:
    shared(machine, app, "one")
    for number in range(5):
        branch = f"b{number}"
        run_git(str(app), "checkout", "--quiet", "-b", branch)
        machine.says(f'bd comment B "LEARNED: lesson {number} of the loop"', app)
        machine.contents(app)
        (app / f"{number}").write_text("x", "utf-8")
        committed(app, branch)
        run_git(str(app), "checkout", "--quiet", "main")
        run_git(str(app), "merge", "--quiet", "--no-edit", branch)
        assert run_git(str(app), "status", "--porcelain") == ""
    assert len(machine.contents(app)) == 6


def accepted(machine: Machine, app: Path, said: str) -> None:
    """Let a person say something to an agent in this work tree, and accept what was suggested."""
    key = "".join(c if c.isalnum() else "-" for c in str(app))
    path = machine.home / ".claude" / "projects" / key / "s.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    line: dict[str, object] = {"type": "user", "sessionId": "s", "cwd": str(app), "uuid": "u1"}
    line |= {"timestamp": "2026-11-22T10:00:00Z", "message": {"role": "user", "content": said}}
    path.write_text(json.dumps(line) + "\n", "utf-8")
    machine.ok("reflect", at=app)
    machine.ok("review", "Y", at=app)


@pytest.mark.parametrize(
    "said",
    ["don't put constants in pay.py, they go in src/limits.py", "I prefer tables over long lists"],
)
def test_a_rule_accepted_in_one_work_tree_is_told_in_the_others_until_it_is_merged(
    machine: Machine, app: Path, tmp_path: Path, said: str
) -> None:
    tree, title = tmp_path / "tree", "## Rules accepted in another work tree"
    run_git(str(app), "worktree", "add", "--quiet", "-b", "side", str(tree))
    before = tracked_texts(app)
    accepted(machine, app, said)
    said = said.removeprefix("I ")  # whoever reads a shared rule did not say it
    rule = said[0].upper() + said[1:]
    here, there = begun(machine, app), begun(machine, tree)
    assert title not in here
    assert f"{title}, not merged here yet\n- {rule}" in there
    written = tracked_texts(app)
    for path, text in before.items():
        (app / path).write_text(text, "utf-8")
    for path in written.keys() - before.keys():
        (app / path).unlink()
    assert rule not in begun(machine, tree), "it was taken out again"
    for path, text in written.items():
        (app / path).write_text(text, "utf-8")
    committed(app, "rules")
    run_git(str(tree), "merge", "--quiet", "main")
    assert title not in begun(machine, tree)


def begun(machine: Machine, at: Path) -> str:
    """What a session that begins here is told."""
    told = machine.hook("SessionStart", at, session_id=uuid4().hex, source="startup")
    return str(told["hookSpecificOutput"]["additionalContext"])


def tracked_texts(app: Path) -> dict[str, str]:
    """The files that rules are written to, by name."""
    found = [*app.glob(".satchel/*.md"), *app.glob(".satchel/*.yaml")]
    return {str(path.relative_to(app)): path.read_text("utf-8") for path in found}
