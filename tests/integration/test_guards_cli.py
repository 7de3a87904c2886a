"""Guards as a person, and as an agent's client, meets them."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
NPM = {"tool_name": "Bash", "tool_input": {"command": "npm install"}}


def guarded(machine: Machine, app: Path, *more: str) -> str:
    """An approved guard against npm, with the hook that it needs."""
    added = machine.json(
        "guards", "add", "--message", "Use pnpm.", "--command", r"\bnpm\s", "--blocks", "npm i",
        "--allows", "pnpm i", *more, at=app,
    )  # fmt: skip
    ident: str = added["added"][0]["id"]
    machine.ok("guards", "approve", ident, "--yes", at=app)
    machine.ok("guards", "install", "--yes", at=app)
    return ident


def ask(machine: Machine, app: Path, payload: Mapping[str, object]) -> dict[str, object]:
    said: dict[str, object] = machine.hook("PreToolUse", app, **payload)
    return said


def test_a_correction_becomes_a_guard_that_the_client_obeys(machine: Machine, app: Path) -> None:
    machine.ok("learn", "Never use npm here, use pnpm.", at=app)
    (memory,) = machine.json("memory", "list", at=app)
    assert "forbids the command `npm`" in machine.ok(
        "guards", "from", memory["id"], "--dry-run", at=app
    )
    assert machine.json("guards", at=app)["guards"] == []
    (made,) = machine.json("guards", "from", memory["id"], at=app)["added"]
    machine.ok("guards", "test", at=app)
    machine.fails(2, "guards", "approve", made["id"], at=app)
    machine.ok("guards", "install", "--yes", at=app)
    assert ask(machine, app, NPM) == {}
    machine.ok("guards", "approve", made["id"], "--yes", at=app)
    assert ask(machine, app, NPM) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": f"Never use npm here, use pnpm. ({made['id']})",
        }
    }
    other = {"tool_name": "Bash", "tool_input": {"command": "pnpm install"}}
    assert ask(machine, app, other) == {}
    assert machine.json("guards", at=app)["guards"][0]["fired"] == 1
    stats = machine.json("guards", "stats", at=app)
    assert stats["firings"] == {made["id"]: 1}
    assert stats["before"]["corrections"] == 1


def test_an_id_that_could_be_several_names_them_and_examples_name_their_tool(
    machine: Machine, app: Path
) -> None:
    first = guarded(machine, app)
    second = guarded(machine, app, "--tool", "Bash", "--id", "guard-other")
    told = machine.fails(2, "guards", "approve", "guard-", at=app)
    assert first in str(told)
    assert second in str(told)
    assert "acts on: Bash npm i" in machine.ok("guards", "show", first, at=app)


@pytest.mark.parametrize("action", ["warn", "ask", "deny"])
def test_each_action_is_spelled_as_the_client_reads_it(
    machine: Machine, app: Path, action: str
) -> None:
    guarded(machine, app, "--do", action)
    said = ask(machine, app, NPM)
    output = said["hookSpecificOutput"]
    assert isinstance(output, dict)
    assert output["hookEventName"] == "PreToolUse"
    if action == "warn":
        assert output["additionalContext"].startswith("Use pnpm.")
        assert "permissionDecision" not in output
        assert "Use pnpm." in str(said["systemMessage"])
    else:
        assert output["permissionDecision"] == action


def test_an_edit_changes_nothing_until_it_is_approved(machine: Machine, app: Path) -> None:
    ident = guarded(machine, app)
    before = ask(machine, app, NPM)
    path = app / ".satchel" / "guards.yaml"
    path.write_text(path.read_text("utf-8").replace("Use pnpm.", "Use anything."), "utf-8")
    assert ask(machine, app, NPM) == before != {}
    assert "it acts as you approved it" in machine.ok("guards", at=app)
    machine.ok("guards", "approve", ident, "--yes", at=app)
    assert "Use anything." in str(ask(machine, app, NPM))


def test_approve_says_in_which_clients_the_guard_acts(machine: Machine, app: Path) -> None:
    machine.ok("install", "gemini", "--hooks", "--yes", at=app)
    machine.ok("guards", "add", "--id", "g", "--message", "m", "--command", "npm", "--blocks",
               "npm i", "--allows", "ls", at=app)  # fmt: skip
    done = machine.run("guards", "approve", "g", "--yes", at=app)
    assert "not installed" in done.err
    machine.ok("guards", "install", "--yes", at=app)
    said = machine.ok("guards", "approve", "g", "--yes", at=app)
    assert "It acts in Claude Code." in said
    assert "Not in Gemini CLI: `satchel install gemini --hooks --guard`." in said
    machine.ok("install", "gemini", "--hooks", "--guard", "--yes", at=app)
    assert "It acts in Claude Code, Gemini CLI." in machine.ok(
        "guards", "approve", "g", "--yes", at=app
    )


def test_two_guards_of_one_beginning_are_named(machine: Machine, app: Path) -> None:
    for ident in ("guard-1", "guard-2"):
        machine.ok("guards", "add", "--id", ident, "--message", "m", "--command", "npm", at=app)
    assert "guard-1, guard-2" in machine.fails(2, "guards", "approve", "guard-", "--yes", at=app)


@pytest.mark.parametrize(
    "broken", ["snapshot", "file", "pipe", "ledger", "gone", "payload", "large"]
)
def test_whatever_is_broken_nothing_is_blocked(machine: Machine, app: Path, broken: str) -> None:
    import os

    guarded(machine, app)
    (state,) = (Path(machine.environment["HOME"]) / ".satchel" / "projects").iterdir()
    snapshot, path = state / "guards.json", app / ".satchel" / "guards.yaml"
    if broken == "snapshot":
        snapshot.write_text('{"format": 1, "guards": {"x": 3}, "roots": 7')
        assert ask(machine, app, NPM) != {}  # it is derived: made again from file and ledger
        for whole in (
            json.dumps({"format": 1, "guards": {}, "roots": {str(app): {"stamp": 3}}}),
            "[]",
        ):
            snapshot.write_text(whole)
            assert ask(machine, app, NPM) != {}
        return
    if broken == "file":
        path.write_text("guards: [broken\n")
    elif broken == "pipe":
        path.unlink()
        os.mkfifo(path)
    elif broken == "ledger":
        snapshot.unlink()
        (state / "ledgers" / "guards.jsonl").write_text("no line\n")
    elif broken == "gone":
        path.unlink()
    elif broken == "large":
        path.write_text(path.read_text("utf-8") + "# long\n" * 40_000)
    payload: Mapping[str, object] = (
        {"tool_name": ["x"], "tool_input": "npm i"} if broken == "payload" else NPM
    )
    unreadable = broken in ("file", "pipe", "large")
    assert bool(ask(machine, app, payload)) == unreadable  # what was approved acts on
    assert ask(machine, app, {"tool_name": "Bash", "tool_input": {"command": "ls"}}) == {}
    if unreadable:
        assert "guards.yaml" in machine.run("doctor", at=app).out


def test_a_clone_brings_guards_and_no_approval(machine: Machine, app: Path) -> None:
    guarded(machine, app)
    other = machine.of_somebody_else("eve")
    listed = other.json("guards", at=app)["guards"]
    assert [one["state"] for one in listed] == ["waiting"]
    assert other.hook("PreToolUse", app, **NPM) == {}


def test_installing_leaves_other_entries_alone_and_init_keeps_it(
    machine: Machine, app: Path
) -> None:
    path = app / ".claude" / "settings.json"
    before = json.loads(path.read_text("utf-8"))
    assert "PreToolUse" not in before["hooks"]
    machine.ok("guards", "install", "--yes", at=app)
    after = json.loads(path.read_text("utf-8"))
    assert {k: v for k, v in after["hooks"].items() if k != "PreToolUse"} == before["hooks"]
    machine.ok("init", "--yes", at=app)
    assert json.loads(path.read_text("utf-8")) == after
    assert "already" in machine.ok("guards", "install", at=app)
    machine.ok("undo", "--setup", "--yes", at=app)
    assert json.loads(path.read_text("utf-8")) == before


def test_a_failing_example_fails_the_test_and_try_tells(machine: Machine, app: Path) -> None:
    machine.ok("guards", "add", "--id", "g", "--message", "Use pnpm.", "--command", r"npm\s",
               "--blocks", "npm i", "--allows", "pnpm i", at=app)  # fmt: skip
    done = machine.run("guards", "test", at=app)
    assert (done.code, "should let pass: pnpm i" in done.out) == (1, True)
    said = machine.ok("guards", "try", "--all", at=app, stdin=json.dumps(NPM))
    assert said == "warn: Use pnpm. (g)\n"
    assert "No guard acts" in machine.ok("guards", "try", at=app, stdin=json.dumps(NPM))
    assert machine.run("guards", "try", at=app, stdin="no json").code == 2
    machine.fails(2, "guards", "add", "--message", "m", "--command", "(a+", at=app)
    machine.fails(4, "guards", "off", "nobody", at=app)
    machine.ok("guards", "remove", "g", at=app)
    assert machine.json("guards", at=app)["guards"] == []
