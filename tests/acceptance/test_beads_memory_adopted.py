"""Living with, and taking over from, the hook scripts of beads memory."""

import json
from pathlib import Path

import pytest

from acceptance.test_beads_memory import ARCHIVE, LEDGER, app, line
from integration.installed import Machine, needs_command

__all__ = ["app"]
pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


SCRIPTS = (
    "memory-capture.sh",
    "validate-completion.sh",
    "log-dispatch-prompt.sh",
    "session-start.sh",
)


@pytest.fixture
def theirs(machine: Machine) -> Path:
    path = machine.repository("theirs", init=False)
    hooks = path / ".claude" / "hooks"
    hooks.mkdir(parents=True)
    groups = []
    for name in SCRIPTS:
        script = hooks / name
        script.write_text(f'#!/bin/sh\necho {name} >> "$CLAUDE_PROJECT_DIR/ran"\n', "utf-8")
        script.chmod(0o755)
        command = f'"$CLAUDE_PROJECT_DIR"/.claude/hooks/{name}'
        groups.append({"hooks": [{"type": "command", "command": command}]})
    settings = {"hooks": {"PostToolUse": [groups[0], groups[2]], "SubagentStop": [groups[1]],
                          "SessionStart": [groups[3]]}}  # fmt: skip
    (path / ".claude" / "settings.json").write_text(json.dumps(settings), "utf-8")
    (path / ".beads" / "memory").mkdir(parents=True)
    (path / LEDGER).write_text(line("theirs", 1), "utf-8")
    (path / ARCHIVE).write_text(line("older", 1), "utf-8")
    return path


def test_adopting_asks_whose_hooks_shall_run(machine: Machine, theirs: Path) -> None:
    machine.ok("init", "--yes", "--no-hooks", at=theirs)
    complaint = machine.fails(2, "adopt", at=theirs)
    assert "--replace" in complaint
    assert "--beside" in complaint


def test_adopting_to_replace_leaves_our_hooks_alone_and_the_files_in_place(
    machine: Machine, theirs: Path
) -> None:
    machine.ok("init", "--yes", at=theirs)
    machine.ok("adopt", "--replace", "--yes", at=theirs)
    machine.says('bd comment BD-1 "LEARNED: said after"', theirs)
    assert not (theirs / "ran").exists()
    assert set(machine.contents(theirs)) == {"theirs", "older", "said after"}
    assert all((theirs / ".claude" / "hooks" / name).exists() for name in SCRIPTS)
    # The validator's effect is kept: the gate looks in its place.
    told = json.loads((theirs / ".claude" / "settings.json").read_text("utf-8"))
    (gate,) = told["hooks"]["SubagentStop"][0]["hooks"]
    assert gate["command"].endswith("hook SubagentStop --gate")
    (capture,) = [h for g in told["hooks"]["PostToolUse"] for h in g["hooks"]]
    assert capture["async"] is True
    machine.ok("undo", "--setup", "--yes", at=theirs)
    assert "memory-capture.sh" in (theirs / ".claude" / "settings.json").read_text("utf-8")


def test_replacing_keeps_every_byte_of_other_hooks(machine: Machine, theirs: Path) -> None:
    path = theirs / ".claude" / "settings.json"
    own = '{ "matcher":"Edit",  "hooks": [ {"type":"command", "command":"make  fmt"} ] }'
    path.write_text(
        '{"permissions": {"allow":  ["Bash(ls)"]},\n "hooks": {"PostToolUse": [\n'
        '  {"hooks": [{"type": "command", "command": "x/.claude/hooks/memory-capture.sh"}]},\n'
        f"  {own}\n ]}}\n}}\n",
        "utf-8",
    )
    before = path.read_bytes()
    machine.ok("init", "--yes", "--no-hooks", at=theirs)
    machine.ok("adopt", "--replace", "--yes", at=theirs)
    after = path.read_text("utf-8")
    assert own in after
    assert '{"allow":  ["Bash(ls)"]}' in after
    assert "memory-capture.sh" not in after
    machine.ok("undo", "--setup", "--yes", at=theirs)
    assert path.read_bytes() == before


def test_a_dispatch_prompt_reaches_its_task(machine: Machine, app: Path) -> None:
    task = machine.json("task", "create", "Fair locks", at=app)["id"]
    given = {"prompt": f"BEAD_ID: {task}\nMake the lock fair", "subagent_type": "builder"}
    machine.hook("PostToolUse", app, tool_name="Task", tool_input=given)
    assert "Dispatched builder" in machine.ok("task", "show", task, at=app)


def test_beside_nothing_changes_nothing(machine: Machine, app: Path) -> None:
    before = (app / ".satchel" / "project.toml").read_bytes()
    assert "nothing is changed" in machine.ok("adopt", "--beside", "--yes", at=app)
    assert (app / ".satchel" / "project.toml").read_bytes() == before
    machine.says('bd comment B "LEARNED: one two"', app)
    assert machine.contents(app) == ["one two"]


def test_undo_of_beside_brings_capture_and_modes_back(machine: Machine, theirs: Path) -> None:
    script = theirs / ".beads" / "memory" / "recall.sh"
    script.write_text("#!/bin/bash\necho theirs\n", "utf-8")
    script.chmod(0o640)
    machine.ok("init", "--yes", "--no-hooks", at=theirs)
    machine.ok("adopt", "--beside", "--yes", at=theirs)
    elsewhere = ("config", "get", "hooks.capture_elsewhere")
    assert machine.json(*elsewhere, at=theirs)["hooks.capture_elsewhere"]
    machine.ok("undo", "--setup", "--yes", at=theirs)
    assert not machine.json(*elsewhere, at=theirs)["hooks.capture_elsewhere"]
    machine.ok("undo", "--setup", "--yes", at=theirs)
    assert script.read_text("utf-8") == "#!/bin/bash\necho theirs\n"
    assert script.stat().st_mode & 0o777 == 0o640


def test_living_beside_captures_no_line_twice(machine: Machine, theirs: Path) -> None:
    machine.ok("init", "--yes", at=theirs)
    machine.ok("adopt", "--beside", "--yes", at=theirs)
    # Their script writes; ours only reads.
    payload = json.dumps({"cwd": str(theirs), "tool_name": "Bash",
                          "tool_input": {"command": 'bd comment B "LEARNED: said beside"'}})  # fmt: skip
    machine.run("hook", "PostToolUse", at=theirs, stdin=payload)
    with (theirs / LEDGER).open("a", encoding="utf-8") as file:
        file.write(line("said beside", 5))
    assert sorted(machine.contents(theirs)) == ["older", "said beside", "theirs"]
    assert machine.json("init", "--yes", at=theirs)["preset"] == "beads"


def test_another_layout_imports_their_ledger_and_archive_once(
    machine: Machine, theirs: Path
) -> None:
    machine.ok("init", "--yes", "--layout", "default", at=theirs)
    for expected in (2, 0):
        report = machine.json("adopt", "--replace", "--yes", at=theirs)
        assert report["imported"][LEDGER]["written"] == expected
    assert sorted(machine.contents(theirs)) == ["older", "theirs"]


def test_adopt_and_approve_agree_on_what_waits(machine: Machine) -> None:
    for name, more in (("asked", ()), ("agreed", ("--yes",))):
        app = machine.repository(name)
        (app / ".beads/memory").mkdir(parents=True)
        (app / LEDGER).write_text(line("Use WAL", 1), "utf-8")
        told = machine.ok("adopt", *more, at=app)
        waits = "1 thing waits for a person's approval: `satchel approve`"
        assert (waits in told, "1 thing that waited" in told) == (not more, bool(more))
        assert ("Nothing waits" in machine.ok("approve", at=app)) == bool(more)
        assert ("Approved 1 thing." in machine.ok("approve", "--all", "--yes", at=app)) == (
            not more
        )
        assert machine.ok("approve", "--all", "--yes", at=app) == (
            "Nothing waits for your approval.\n"
        )
