import json
import os
import subprocess
from pathlib import Path

import pytest

from integration.installed_hooks import (
    USERS,
    commands_in,
    install,
    journal,
    made_command,
    made_root,
    write,
)
from satchel.clients.claude_code.wiring import check_claude_code
from satchel.clients.settings_files.hook_entries import EVENTS
from satchel.clients.settings_files.jsonc import Document
from satchel.clients.settings_files.plan import FileChange, Plan, apply, undo
from satchel.clients.setup.beads_memory_scripts import (
    plan_replace_scripts,
    recall_shim,
    scripts_present,
)
from satchel.core.errors import NotFoundError, NotReadableError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return made_root(tmp_path)


@pytest.fixture
def command(root: Path) -> str:
    return made_command(root)


def test_undo_deletes_what_was_created_and_the_directory_made_for_it(
    root: Path, command: str
) -> None:
    path = install(root, command)
    assert undo(journal(root)) == [f"{path}: deleted, as it was not there before"]
    assert not (root / ".claude").exists()
    assert not os.path.exists(journal(root))
    with pytest.raises(NotFoundError):
        undo(journal(root))


def test_undo_after_a_hand_edit_takes_out_only_our_entries(root: Path, command: str) -> None:
    path = write(root, USERS)
    install(root, command)
    edited = path.read_text().replace('"ratio": 1.50', '"ratio": 2.50, "mine": [1,2]')
    late = {"type": "command", "command": "late"}
    document = Document(edited.encode(), str(path))
    edited = document.with_value(("hooks", "SessionEnd", 0, "hooks", -1), late).text
    path.write_text(edited)
    assert "late" in commands_in(path)
    (line,) = undo(journal(root))
    assert line == f"{path}: edited since; only Satchel's entries were taken out"
    assert commands_in(path) == ["./mine.sh", "bd prime --hook-json", "late"]
    assert path.read_text().endswith('"ratio": 2.50, "mine": [1,2]\n}\n')


def test_undo_after_a_file_was_deleted_leaves_it_so(root: Path, command: str) -> None:
    path = install(root, command)
    path.unlink()
    undo(journal(root))
    assert not path.exists()


def test_undo_after_an_upgrade_goes_back_to_the_very_first_bytes(root: Path, command: str) -> None:
    path = write(root, USERS)
    install(root, command, events=EVENTS[:2])
    install(root, command)
    undo(journal(root))
    assert path.read_text() == USERS


def test_undo_after_an_edit_between_two_installations_keeps_the_edit(
    root: Path, command: str
) -> None:
    path = write(root, USERS)
    install(root, command, events=EVENTS[:2])
    path.write_text(path.read_text().replace("1.50", "9.75"))
    install(root, command)
    undo(journal(root))
    assert "9.75" in path.read_text()
    assert commands_in(path) == ["./mine.sh", "bd prime --hook-json"]


def test_undo_of_a_damaged_journal_says_so_and_touches_nothing(root: Path, command: str) -> None:
    path = install(root, command)
    before = path.read_bytes()
    Path(journal(root)).write_text("{")
    with pytest.raises(NotReadableError):
        undo(journal(root))
    assert path.read_bytes() == before


BEADS_MEMORY = {
    "permissions": {"allow": []},
    "hooks": {
        "PostToolUse": [
            {
                "matcher": "Bash",
                "hooks": [
                    {
                        "type": "command",
                        "command": '"$CLAUDE_PROJECT_DIR"/.claude/hooks/memory-capture.sh',
                    },
                    {"type": "command", "command": "./mine.sh"},
                ],
            },
            {
                "matcher": "Task",
                "hooks": [
                    {"type": "command", "command": "bash .claude/hooks/log-dispatch-prompt.sh"}
                ],
            },
        ],
        "SubagentStop": [
            {"hooks": [{"type": "command", "command": ".claude/hooks/validate-completion.sh"}]}
        ],
        "SessionStart": [
            {"hooks": [{"type": "command", "command": ".claude/hooks/session-start.sh"}]}
        ],
        "PreToolUse": [
            {"hooks": [{"type": "command", "command": ".claude/hooks/enforce-branch.sh"}]}
        ],
    },
}


def test_the_four_scripts_of_beads_memory_are_replaced_and_nothing_else(
    root: Path, command: str
) -> None:
    path = write(root, json.dumps(BEADS_MEMORY, indent=2))
    script = root / ".claude" / "hooks" / "memory-capture.sh"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n")
    assert scripts_present(str(root)) == (
        "memory-capture.sh",
        "validate-completion.sh",
        "log-dispatch-prompt.sh",
        "session-start.sh",
    )
    before = path.read_bytes()
    plan = plan_replace_scripts(str(root), command)
    assert len(plan.notes) == 5  # the gate takes the validator's place
    apply(plan, journal(root))
    assert scripts_present(str(root)) == ()
    theirs = [one for one in commands_in(path) if " hook " not in one]
    assert theirs == ["./mine.sh", ".claude/hooks/enforce-branch.sh"]
    assert script.exists()
    assert check_claude_code(str(root)) == []
    assert plan_replace_scripts(str(root), command).changes == ()
    undo(journal(root))
    assert path.read_bytes() == before


def test_undo_after_an_edit_names_the_scripts_it_does_not_put_back(
    root: Path, command: str
) -> None:
    path = write(root, json.dumps(BEADS_MEMORY, indent=2))
    apply(plan_replace_scripts(str(root), command), journal(root))
    path.write_text(path.read_text() + "\n")
    (line,) = undo(journal(root))
    assert "not put back" in line
    assert "session-start.sh" in line
    assert os.path.exists(journal(root))


def test_the_doctor_sees_the_scripts_of_beads_memory_beside_ours(root: Path, command: str) -> None:
    write(root, json.dumps(BEADS_MEMORY))
    install(root, command)
    beside = [one for one in check_claude_code(str(root)) if "runs beside" in one]
    assert len(beside) == 4


def test_the_recall_shim_runs_the_program_with_every_argument(root: Path, command: str) -> None:
    shim = root / "recall.sh"
    plan = Plan((FileChange(str(shim), None, recall_shim().encode(), "shim"),), ())
    (root / ".local/bin").mkdir(parents=True)
    (root / ".local/bin/satchel").symlink_to(command)
    apply(plan, journal(root))
    out = root / "out"
    subprocess.run(
        [str(shim), "two words", "--all"],
        input=b"",
        env={"OUT": str(out), "HOME": str(root), "PATH": "/usr/bin:/bin"},
        check=True,
        cwd="/",
    )
    assert out.read_text() == "recall-sh|two words|--all|"
