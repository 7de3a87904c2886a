import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from integration.installed_hooks import (
    USERS,
    commands_in,
    install,
    journal,
    made_command,
    made_root,
    write,
)
from satchel.clients.claude_code.wiring import (
    check_claude_code,
    plan_claude_code,
    render_print,
)
from satchel.clients.settings_files.hook_entries import EVENTS, is_ours, without
from satchel.clients.settings_files.plan import FileChange, Plan, apply, diff, undo
from satchel.core.errors import ConflictError, NotReadableError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return made_root(tmp_path)


@pytest.fixture
def command(root: Path) -> str:
    return made_command(root)


def test_a_project_without_settings_gets_one_entry_for_each_event(root: Path, command: str) -> None:
    hooks = json.loads(install(root, command).read_text())["hooks"]
    assert tuple(hooks) == EVENTS
    assert hooks["SessionStart"][0]["matcher"] == "startup|resume|clear|compact|fork"
    assert hooks["PostToolUse"][0]["matcher"] == "Bash|Agent|Task"
    assert "matcher" not in hooks["UserPromptSubmit"][0]
    timeouts = {event: groups[0]["hooks"][0]["timeout"] for event, groups in hooks.items()}
    assert timeouts == dict.fromkeys(EVENTS, 10) | {"UserPromptSubmit": 5, "SessionEnd": 5}


def test_each_command_of_the_written_file_runs_through_a_shell(root: Path, command: str) -> None:
    path = install(root, command)
    for event, line in zip(EVENTS, commands_in(path), strict=True):
        out = root / f"out {event}"
        subprocess.run(["sh", "-c", line], input=b"{}", cwd=root, env={"OUT": str(out)}, check=True)
        assert out.read_text() == f"hook|{event}|{{}}"


def test_everything_of_the_user_stays_to_the_byte_outside_the_hooks(
    root: Path, command: str
) -> None:
    path = write(root, USERS)
    install(root, command)
    after = path.read_text()
    head, tail = (
        USERS.split('"hooks": {\n    "PreToolUse"', maxsplit=1)[0],
        USERS[USERS.index(',\n  "model"') :],
    )
    assert after.startswith(head)
    assert after.endswith(tail)
    hooks = json.loads(after)["hooks"]
    assert list(hooks)[:2] == ["PreToolUse", "SessionStart"]
    assert hooks["PreToolUse"] == json.loads(USERS)["hooks"]["PreToolUse"]
    assert hooks["SessionStart"][0] == json.loads(USERS)["hooks"]["SessionStart"][0]
    assert len(hooks["SessionStart"]) == 2


@pytest.mark.parametrize(
    "content",
    [
        USERS,
        USERS.replace("  ", "    "),
        USERS.replace("  ", "\t"),
        USERS.replace("\n", "\r\n"),
        "\ufeff" + USERS,
        USERS.rstrip(),
        '{"a": 1}',
        '{"a": 1}\n',
        "{}",
        "{\n}\n",
        "",
        '{"hooks": {}, "a": [1,2]}',
        '{\n  "a": "\\ud800",\n  "hooks": {"Stop": []}\n}',
    ],
)
def test_indentation_and_line_ends_stay_and_undo_gives_the_bytes_back(
    root: Path, command: str, content: str
) -> None:
    path = write(root, content)
    install(root, command)
    after = path.read_bytes()
    assert len(set(commands_in(path)) & {c for c in commands_in(path) if " hook " in c}) == 8
    assert (b"\r\n" in after) == ("\r\n" in content)
    assert after.count(b"\n") == after.count(b"\r\n") or "\r\n" not in content
    if "\t" in content:
        assert b"\n  " not in after
    assert after.startswith(b"\xef\xbb\xbf") == content.startswith("\ufeff")
    assert plan_claude_code(str(root), command).changes == ()
    assert undo(journal(root)) == [f"{path}: restored"]
    assert path.read_bytes() == content.encode()


def test_a_second_plan_is_empty_and_applying_it_writes_nothing(root: Path, command: str) -> None:
    path = install(root, command)
    before = path.stat()
    plan = plan_claude_code(str(root), command)
    assert plan.changes == ()
    apply(plan, journal(root))
    assert path.stat() == before


def test_older_entries_of_ours_are_replaced_where_they_stand(root: Path, command: str) -> None:
    path = install(root, command)
    old = json.loads(path.read_text())
    group = old["hooks"]["SessionStart"][0]
    group["matcher"] = "startup"
    group["hooks"][0]["command"] = "/old/place/satchel hook SessionStart"
    old["hooks"]["SessionStart"].append({"hooks": [{"type": "command", "command": "theirs"}]})
    old["hooks"]["SubagentStop"][0]["hooks"].insert(0, {"type": "command", "command": "mixed"})
    old["hooks"]["Stop"] = [{"hooks": [{"type": "command", "command": "satchel hook Stop"}]}]
    path.write_text(json.dumps(old, indent=2))
    install(root, command)
    hooks = json.loads(path.read_text())["hooks"]
    assert "Stop" not in hooks
    assert hooks["SessionStart"][0]["matcher"] == "startup|resume|clear|compact|fork"
    assert hooks["SessionStart"][1]["hooks"][0]["command"] == "theirs"
    assert hooks["SubagentStop"][0]["hooks"] == [{"type": "command", "command": "mixed"}]
    assert sum("hook SessionStart" in one for one in commands_in(path)) == 1
    assert sum("hook SubagentStop" in one for one in commands_in(path)) == 1
    assert plan_claude_code(str(root), command).changes == ()


def test_a_program_with_any_name_is_known_again_by_its_path(root: Path) -> None:
    other = root / "memory tool"
    other.write_text("#!/bin/sh\n")
    install(root, str(other))
    assert plan_claude_code(str(root), str(other)).changes == ()


def test_a_path_within_the_project_becomes_absolute(root: Path, command: str) -> None:
    path = install(root, os.path.relpath(command, root))
    assert all(one.startswith(("'/", "/")) for one in commands_in(path))
    assert check_claude_code(str(root)) == []


def test_a_command_of_several_words_stays_several_words(root: Path) -> None:
    assert commands_in(install(root, "uv run satchel"))[0] == "uv run satchel hook SessionStart"


def test_a_gate_changes_the_end_of_subagents_only_and_can_be_taken_back(
    root: Path, command: str
) -> None:
    path = install(root, command, gate=True)
    assert [one.endswith("--gate") for one in commands_in(path)].count(True) == 1
    install(root, command)
    assert not any("--gate" in one for one in commands_in(path))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{\n  // mine\n  "a": 1\n}', "line 2, column 3: comments are not JSON"),
        ('{\n  "a": 1,\n}', "2, column 9" if sys.version_info >= (3, 13) else "3, column 1"),
        ('{"a": ', "line 1, column 7"),
        ("[]", "no JSON object"),
        ('{"a": {"b": 1, "b": 2}}', "'b' occurs twice"),
        ('{"hooks": []}', '"hooks" is not an object'),
        ('{"hooks": {"SessionStart": {}}}', "hooks.SessionStart is not a list"),
        (b'{"a": "\xff"}', "not UTF-8"),
    ],
)
def test_settings_that_cannot_be_changed_safely_are_refused(
    root: Path, command: str, content: str | bytes, told: str
) -> None:
    path = write(root, content)
    before = path.read_bytes()
    with pytest.raises(ConflictError) as refused:
        plan_claude_code(str(root), command)
    assert told in str(refused.value)
    assert "--print" in refused.value.hint
    assert path.read_bytes() == before


def test_a_linked_settings_file_is_changed_where_it_lies_and_stays_linked(
    root: Path, command: str
) -> None:
    target = root / "dotfiles" / "claude.json"
    target.parent.mkdir()
    target.write_text(USERS)
    target.chmod(0o640)
    (root / ".claude").mkdir()
    link = root / ".claude" / "settings.json"
    link.symlink_to("../dotfiles/claude.json")
    plan = plan_claude_code(str(root), command)
    assert str(target) in plan.notes[0]
    apply(plan, journal(root))
    assert link.is_symlink()
    assert " hook SessionEnd" in target.read_text()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    undo(journal(root))
    assert link.is_symlink()
    assert target.read_text() == USERS


def test_a_file_changed_after_planning_is_not_overwritten(root: Path, command: str) -> None:
    path = write(root, USERS)
    plan = plan_claude_code(str(root), command)
    path.write_text("{}")
    with pytest.raises(ConflictError):
        apply(plan, journal(root))
    assert path.read_text() == "{}"
    assert not os.path.exists(journal(root))
    assert os.listdir(root / ".claude") == ["settings.json"]


def test_a_file_created_after_planning_is_not_overwritten(root: Path, command: str) -> None:
    plan = plan_claude_code(str(root), command)
    path = write(root, "{}")
    with pytest.raises(ConflictError):
        apply(plan, journal(root))
    assert path.read_text() == "{}"


def test_the_journal_stands_before_the_first_file_is_touched(root: Path) -> None:
    blocked = root / "blocked"
    blocked.write_text("a file where a directory is needed")
    first = write(root, "{}")
    plan = Plan(
        (
            FileChange(str(first), b"{}", b'{"hooks": {}}', "first"),
            FileChange(str(root / "new" / "file"), None, b"x", "second"),
            FileChange(str(blocked), blocked.read_bytes(), b"never written", "third"),
        ),
        (),
    )
    os.symlink("/dev/full", root / "full")
    with pytest.raises(NotReadableError):
        apply(plan, str(root / "full"))  # the journal cannot be kept there
    assert first.read_text() == "{}"
    assert not (root / "new").exists()


def test_a_change_that_fails_half_way_puts_the_first_files_back(root: Path) -> None:
    first = write(root, "{}")
    gone = root / "gone"
    plan = Plan(
        (
            FileChange(str(first), b"{}", b'{"a": 1}', "works"),
            FileChange(str(gone), None, None, "nothing is there to delete"),
        ),
        (),
    )
    with pytest.raises(Exception, match="cannot be written"):
        apply(plan, journal(root))
    assert first.read_text() == "{}"


def test_the_journal_is_for_the_user_s_eyes_only(root: Path, command: str) -> None:
    write(root, USERS)
    install(root, command)
    assert stat.S_IMODE(os.stat(journal(root)).st_mode) == 0o600


def test_the_diff_shows_what_comes_and_nothing_of_what_stays(root: Path, command: str) -> None:
    path = write(root, USERS)
    plan = plan_claude_code(str(root), command)
    shown = diff(plan)
    assert shown.startswith(f"--- {path}\n+++ {path}\n")
    assert "hook SessionEnd" in shown
    assert not [one for one in shown.splitlines() if one.startswith("-") and "ratio" in one]
    fresh = diff(Plan((FileChange("a", None, b"x", ""),), ()))
    assert fresh.startswith("--- /dev/null\n+++ a\n")
    assert fresh.endswith("+x\n\\ No newline at end of file\n")


def test_what_print_shows_is_what_is_installed(root: Path, command: str) -> None:
    printed = render_print(str(root), command)
    assert json.loads(printed) == json.loads(install(root, command).read_text())


def test_removing_entries_leaves_those_of_others(root: Path, command: str) -> None:
    path = write(root, USERS)
    install(root, command)
    assert without(json.loads(path.read_text()), is_ours) == json.loads(USERS)


KEEP = st.dictionaries(
    st.text(max_size=4).filter(lambda k: k != "hooks"), st.integers() | st.text(max_size=4)
)
GROUPS = st.lists(
    st.fixed_dictionaries(
        {
            "hooks": st.lists(
                st.fixed_dictionaries({"type": st.just("command"), "command": st.text(max_size=9)})
            )
        },
        optional={"matcher": st.text(max_size=4)},
    ),
    max_size=3,
)
HOOKS = st.dictionaries(st.sampled_from([*EVENTS, "Stop", "PreToolUse"]), GROUPS.filter(bool))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(KEEP, HOOKS.filter(bool), st.sampled_from([None, 2, 4, "\t"]), st.booleans())
def test_installing_then_removing_is_no_change_and_installing_twice_is_once(
    root: Path, keep: dict[str, Any], hooks: dict[str, Any], indent: Any, ascii_only: Any
) -> None:
    theirs = {**keep, "hooks": hooks}
    path = write(root, json.dumps(theirs, indent=indent, ensure_ascii=ascii_only))
    (change,) = plan_claude_code(str(root), "/x/satchel").changes
    path.write_bytes(change.after or b"")
    assert plan_claude_code(str(root), "/x/satchel").changes == ()
    after = json.loads(path.read_text())
    assert without(after, is_ours) == theirs
    assert list(after) == list(theirs)


def test_the_doctor_finds_nothing_wrong_after_installing(root: Path, command: str) -> None:
    install(root, command)
    assert check_claude_code(str(root)) == []


def test_the_doctor_names_what_keeps_hooks_from_working(root: Path, command: str) -> None:
    assert check_claude_code(str(root)) == ["no hook of Satchel is installed for Claude Code"]
    path = install(root, command, events=EVENTS[1:])
    assert check_claude_code(str(root)) == ["the SessionStart hook is missing"]
    install(root, command)
    os.chmod(command, 0o644)
    assert check_claude_code(str(root)) == [f"{command} is not executable: its hooks do nothing"]
    os.unlink(command)
    assert check_claude_code(str(root)) == [f"{command} does not exist: its hooks do nothing"]
    path.write_text("{,")
    assert "line 1, column 2" in check_claude_code(str(root))[0]


def test_the_doctor_sees_hooks_switched_off_and_doubled(root: Path, command: str) -> None:
    install(root, command)
    other = {"hooks": [{"type": "command", "command": f"/bin/satchel hook {EVENTS[0]}"}]}
    local = {"disableAllHooks": True, "hooks": {EVENTS[0]: [other]}}
    write(root, json.dumps(local), "settings.local.json")
    findings = " / ".join(check_claude_code(str(root)))
    assert "disableAllHooks is true" in findings
    assert f"the {EVENTS[0]} hook is installed 2 times" in findings
