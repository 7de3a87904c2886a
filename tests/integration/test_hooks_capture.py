"""What agents say is captured, through the commands that `init` wrote into the settings."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from integration.installed import Machine, needs_command
from satchel.testing import run_git

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
EVENTS = ("SessionStart", "UserPromptSubmit", "PostToolUse", "SubagentStart", "SubagentStop",
          "PreCompact", "SessionEnd")  # fmt: skip


@pytest.mark.parametrize(
    ("command", "kind", "content"),
    [
        ('bd comment BD-1 "LEARNED: spaces matter"', "learned", "spaces matter"),
        ('bd comments add BD-1 "LEARNED: spaces matter"', "learned", "spaces matter"),
        ("bd comment BD-1 'CONSTRAINT: never force-push'", "constraint", "never force-push"),
        ('bd comment BD-1 "DECISION: we use sqlite"', "decision", "we use sqlite"),
        ('cd x && bd comment BD-1 "NEXT: write docs" && bd close BD-1', "next_step", "write docs"),
        ('bd comment BD-1 "CI_NOTE: the mac job is slow"', "ci_note", "the mac job is slow"),
        ('bd comment BD-1 "CI-NOTE: the mac job is slow"', "ci_note", "the mac job is slow"),
        ('bd comment BD-1 "**LEARNED**: bold words count"', "learned", "bold words count"),
        ('bd comment BD-1 "**LEARNED:** bold words count"', "learned", "bold words count"),
        ('bd comment BD-1 "FACT: api | port | 80"', "fact", "api | port | 80"),
        ('bd comment BD-1 "line one\nLEARNED: line two"', "learned", "line two"),
        ('satchel learn "said by hand"', "learned", "said by hand"),
        ("satchel remember --kind decision 'said by hand'", "decision", "said by hand"),
        ("/opt/bin/satchel  learn 'said by hand'", "learned", "said by hand"),
    ],
)
def test_a_command_is_captured_once(
    machine: Machine, app: Path, command: str, kind: str, content: str
) -> None:
    for _ in range(2):
        machine.says(command, app)
    found = machine.json("memory", "list", at=app)
    assert [(one["type"], one["content"]) for one in found] == [(kind, content)]
    assert found[0]["session"] == "s-1"
    assert found[0]["trust"] == "agent"
    if command.startswith("bd"):
        assert found[0]["bead"] == "BD-1"


@pytest.mark.parametrize(
    "command",
    [
        "ls -la",
        'bd comment BD-1 "nothing was learned here"',
        'echo "LEARNED: not a comment"',
        'git commit -m "LEARNED: no"',
        "grep -rn 'LEARNED:' .",
        'satchel recall "LEARNED: x"',
        'bd comment BD-1 "LEARNED:   "',
    ],
)
def test_what_teaches_nothing_leaves_nothing(machine: Machine, app: Path, command: str) -> None:
    machine.says(command, app)
    assert machine.contents(app) == []


def test_what_the_command_itself_has_written_is_not_written_again(
    machine: Machine, app: Path
) -> None:
    for words in (
        ("learn", "run make lint first"),
        ("remember", "--kind", "constraint", "no force-push"),
    ):
        machine.ok(*words, at=app)
        machine.says("satchel " + " ".join(f"'{word}'" for word in words), app)
    assert sorted(machine.contents(app)) == ["no force-push", "run make lint first"]


def test_what_was_written_for_the_user_is_not_captured_for_the_project(
    machine: Machine, app: Path
) -> None:
    machine.ok("learn", "--user", "answer in Dutch", at=app)
    machine.says("satchel learn --user 'answer in Dutch'", app)
    assert machine.contents(app) == []
    (found,) = machine.json("recall", "Dutch", at=app)["items"]
    assert found["ledger"] == "user"


def test_the_same_rule_said_many_times_in_one_go_is_one_rule(machine: Machine, app: Path) -> None:
    for number in range(70):
        machine.says(
            'bd comment BD-1 "CONSTRAINT: never force-push"', app, session_id=f"s-{number}"
        )
    assert machine.contents(app) == ["never force-push"]


def test_a_capture_is_found_at_once_and_kept_by_every_reader(machine: Machine, app: Path) -> None:
    machine.says('bd comment BD-1 "LEARNED: the parser is recursive"', app)
    for _ in range(2):
        (found,) = machine.json("recall", "parser", at=app)["items"]
        assert found["content"] == "the parser is recursive"


def test_nothing_is_captured_while_settings_are_broken_is_not_the_end_of_it(
    machine: Machine, app: Path
) -> None:
    path = app / ".satchel" / "project.toml"
    before = path.read_text(encoding="utf-8")
    for damage in ("<<<<<<< HEAD\n", "[recall]\nlimt = 3\n", '[layout]\npreset = "oval"\n'):
        path.write_text(before + damage, encoding="utf-8")
        machine.says(f'bd comment BD-1 "LEARNED: said while {len(damage)} was wrong"', app)
    path.write_text(before, encoding="utf-8")
    assert len(machine.contents(app)) == 3


def test_a_dispatch_prompt_is_logged_and_never_recalled_as_a_lesson(
    machine: Machine, app: Path
) -> None:
    for tool in ("Agent", "Task"):
        machine.hook("PostToolUse", app, tool_name=tool, tool_input={
            "subagent_type": "swift-supervisor", "description": "x",
            "prompt": f"BEAD_ID: BD-7\nFix the login with {tool}"})  # fmt: skip
    found = machine.json("memory", "list", "--kind", "activity", at=app)
    logged = [one for one in found if one["data"]["event"] == "dispatch_prompt"]
    assert {one["data"]["prompt"].split()[-1] for one in logged} == {"Agent", "Task"}
    assert {(one["bead"], one["data"]["to"]) for one in logged} == {("BD-7", "swift-supervisor")}
    assert machine.json("recall", "login", at=app)["items"] == []


def test_the_source_is_the_supervisor_in_a_worktree_and_else_the_orchestrator(
    machine: Machine, app: Path
) -> None:
    tree = app / ".worktrees" / "bd-7"
    run_git(str(app), "worktree", "add", "--quiet", "-b", "bd-7", str(tree))
    machine.says('bd comment bd-7 "LEARNED: in the tree"', tree)
    machine.says('bd comment bd-7 "LEARNED: in the main"', app)
    found = {one["content"]: one for one in machine.json("memory", "list", at=app)}
    assert found["in the tree"]["source"] == "supervisor"
    assert (found["in the tree"]["branch"], found["in the tree"]["worktree"]) == ("bd-7", "bd-7")
    assert found["in the main"]["source"] == "orchestrator"


def transcript(path: Path, *messages: tuple[str, str]) -> str:
    lines: list[dict[str, Any]] = [{"type": "summary", "summary": "x", "leafUuid": "9"}]
    for number, (role, text) in enumerate(messages):
        content = text if role == "user" else [{"type": "text", "text": text}]
        lines.append({"type": role, "isSidechain": False, "uuid": f"u{number}",
                      "message": {"role": role, "id": f"m{number}", "content": content}})  # fmt: skip
    lines.append({"type": "user", "isMeta": True, "message": {"role": "user", "content": "meta"}})
    path.write_text("".join(json.dumps(one) + "\n" for one in lines) + '{"type":"us', "utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("event", "more"),
    [
        ("PreCompact", {"trigger": "auto", "custom_instructions": None}),
        ("SessionEnd", {"reason": "other"}),
    ],
)
def test_the_end_of_a_context_leaves_a_checkpoint_for_the_next_session(
    machine: Machine, app: Path, tmp_path: Path, event: str, more: dict[str, Any]
) -> None:
    path = transcript(
        tmp_path / "t.jsonl",
        ("user", "fix the login test"),
        ("assistant", "The test is fixed.\n\n## Next steps\n- run the whole suite\n- tell Ann"),
    )
    assert machine.hook(event, app, transcript_path=path, **more) == {}
    (found,) = machine.json("memory", "list", "--kind", "checkpoint", at=app)
    for part in ("fix the login test", "The test is fixed.", "- run the whole suite"):
        assert part in found["content"]
    assert "meta" not in found["content"]
    context = json.dumps(machine.hook("SessionStart", app, source="startup", session_id="s-2"))
    assert "The test is fixed." in context
    assert "run the whole suite" in context


@pytest.mark.parametrize("path", ["", "/nowhere/t.jsonl", "/dev/zero", "/"])
def test_a_transcript_that_cannot_be_read_costs_nothing(
    machine: Machine, app: Path, path: str
) -> None:
    machine.hook("PreCompact", app, transcript_path=path, trigger="manual")
    assert machine.json("memory", "list", "--kind", "checkpoint", at=app) == []


def test_hooks_touch_no_tracked_file_and_leave_the_work_tree_clean(
    machine: Machine, app: Path, tmp_path: Path
) -> None:
    machine.ok("learn", "shared already", at=app)
    machine.ok("share", "--yes", at=app)
    run_git(str(app), "add", "--all")
    run_git(str(app), "commit", "--quiet", "--message", "share")
    times = {path: path.stat().st_mtime_ns for path in app.rglob("*") if ".git" not in path.parts}
    machine.says('bd comment BD-1 "LEARNED: a new thing about the parser"', app)
    path = transcript(tmp_path / "t.jsonl", ("user", "hello"), ("assistant", "hello"))
    for event in EVENTS:
        machine.hook(event, app, transcript_path=path, prompt="what about the parser thing?",
                     tool_name="Bash", tool_input={"command": "ls"}, agent_type="x", source="startup")  # fmt: skip
    machine.ok("recall", "parser", at=app)
    assert run_git(str(app), "status", "--porcelain") == ""
    after = {path: path.stat().st_mtime_ns for path in app.rglob("*") if ".git" not in path.parts}
    assert after == times


def test_a_secret_is_gone_before_it_reaches_any_file(machine: Machine, app: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    machine.says(f'bd comment BD-1 "LEARNED: push with {secret}"', app)
    machine.says(f'bd comment BD-1 "LEARNED: <private>{secret} and more</private> is set"', app)
    machine.hook("PostToolUse", app, tool_name="Agent", tool_input={"prompt": f"use {secret}"})
    machine.says(f"satchel learn --task {secret} --agent {secret} 'x'", app, agent_type=secret,
                 session_id=secret)  # fmt: skip
    for _ in range(2):
        held = b"".join(p.read_bytes() for p in machine.directory.rglob("*") if p.is_file())
        assert secret.encode() not in held
        machine.contents(app)
    assert "[redacted:" in "".join(machine.contents(app))


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize(
    "payload",
    [b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b'{"session_id":1,"cwd":[],"tool_input":"x"}',
     b'\xef\xbb\xbf{"prompt":"\\ud800 what is it about here"}', b"[" * 100_000,
     b'{"tool_name":"Bash","tool_input":{"command":"bd comment X \\"LEARNED: ' + b"x" * 3_000_000 + b'\\""}}'],
    ids=["nothing", "half", "list", "null", "bytes", "types", "surrogate", "deep", "huge"],
)  # fmt: skip
def test_whatever_the_client_sends_the_hook_ends_well(
    machine: Machine, app: Path, event: str, payload: bytes
) -> None:
    done = machine.run("hook", event, at=app, stdin=payload)
    assert (done.code, done.err) == (0, "")
    if done.out:
        assert isinstance(json.loads(done.out), dict)


def test_outside_any_project_a_hook_does_and_says_nothing(machine: Machine, tmp_path: Path) -> None:
    for event in EVENTS:
        done = machine.run("hook", event, at=tmp_path, stdin=json.dumps({"cwd": str(tmp_path)}))
        assert done == (0, "", "")
    assert not (machine.home / ".satchel" / "projects").exists()


def test_hooks_can_be_switched_off(machine: Machine, app: Path) -> None:
    payload = json.dumps({"cwd": str(app), "tool_name": "Bash",
                          "tool_input": {"command": 'bd comment B "LEARNED: x y z"'}})  # fmt: skip
    machine.run("hook", "PostToolUse", at=app, stdin=payload, environment={"SATCHEL_DISABLED": "1"})
    assert machine.contents(app) == []


def test_a_new_clone_captures_from_its_first_event(
    machine: Machine, app: Path, tmp_path: Path
) -> None:
    machine.ok("learn", "known before the clone", at=app)
    run_git(str(tmp_path), "clone", "--quiet", str(app), "clone")
    machine.says('bd comment B "LEARNED: said in the clone"', tmp_path / "clone")
    assert set(machine.contents(app)) == {"known before the clone", "said in the clone"}


def test_a_template_copy_does_not_mix(machine: Machine, app: Path, tmp_path: Path) -> None:
    machine.ok("learn", "of the template", at=app)
    copy = tmp_path / "copy"
    shutil.copytree(app, copy, ignore=shutil.ignore_patterns(".git"))
    run_git(str(copy), "init", "--quiet")
    machine.says('bd comment B "LEARNED: before its first commit"', copy)
    run_git(str(copy), "add", "--all")
    run_git(str(copy), "commit", "--quiet", "--message", "another beginning")
    machine.says('bd comment B "LEARNED: after its first commit"', copy)
    assert machine.contents(app) == ["of the template"]
    assert len(machine.contents(copy)) == 2


def test_what_waits_in_the_inbox_survives_the_worktree_it_came_from(
    machine: Machine, app: Path, tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    run_git(str(app), "worktree", "add", "--quiet", "-b", "side", str(tree))
    machine.says('bd comment B "LEARNED: said in the tree"', tree)
    run_git(str(app), "worktree", "remove", "--force", str(tree))
    run_git(str(app), "clean", "-fdxq")
    assert not os.path.exists(tree)
    assert machine.contents(app) == ["said in the tree"]
