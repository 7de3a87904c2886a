"""Beads memory, as its own users know it: its file, its script's arguments, its output."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from integration.installed import Machine, context_of, needs_command
from satchel.testing import run_git

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
LEDGER = ".beads/memory/knowledge.jsonl"
ARCHIVE = ".beads/memory/knowledge.archive.jsonl"
GROUPS = "Use TaskGroup, not DispatchGroup: the latter crashes on macOS 15 (see #42)"


@pytest.fixture
def app(machine: Machine) -> Path:
    return machine.repository(layout="beads")


def line(content: str, ts: int, **fields: object) -> str:
    from satchel.core.ids import memory_key

    kind = str(fields.pop("type", "learned"))
    return json.dumps({
        "key": memory_key(kind, content), "type": kind, "content": content,
        "source": "supervisor", "tags": [kind, "crash"], "ts": ts, "bead": "bd-a1b2.1", **fields,
    }) + "\n"  # fmt: skip


def recall_sh(machine: Machine, app: Path, *words: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        ["/bin/sh", ".beads/memory/recall.sh", *words],
        cwd=app, env=machine.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done


def test_the_script_is_there_and_can_be_run(app: Path) -> None:
    script = app / ".beads" / "memory" / "recall.sh"
    assert script.stat().st_mode & 0o111
    assert script.read_text("utf-8").startswith("#!/bin/sh\n")


def test_a_search_prints_what_the_script_printed(machine: Machine, app: Path) -> None:
    (app / LEDGER).write_text(line(GROUPS, 1706360000), "utf-8")
    for words in (("taskgroup",), ("TASKGROUP",), ("bd-a1b2",), ("crash",), ("not DispatchGroup",)):
        done = recall_sh(machine, app, *words)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == (
            "[LEARN] learned-use-taskgroup-not-dispatchgroup-the-latter-crashes-on-maco\n"
            f"  {GROUPS}\n"
            "  source=supervisor bead=bd-a1b2.1 tags=learned,crash\n"
            "\n"
        )


def test_a_search_that_finds_nothing_says_so_and_is_no_failure(machine: Machine, app: Path) -> None:
    done = recall_sh(machine, app, "nothinghere")
    assert (done.returncode, done.stdout) == (0, "No knowledge entries matching 'nothinghere'\n")
    done = recall_sh(machine, app, "--recent", "5")
    assert (done.returncode, done.stdout) == (0, "No knowledge entries yet.\n")


def test_without_a_question_it_explains_itself_and_fails(machine: Machine, app: Path) -> None:
    done = recall_sh(machine, app)
    assert done.returncode == 1
    assert done.stdout.startswith(
        "Usage: recall.sh <keyword> [--type learned|investigation] [--all]\n"
    )


def test_the_type_narrows_and_the_same_key_counts_once(machine: Machine, app: Path) -> None:
    (app / LEDGER).write_text(
        line("Old words about groups", 1, key="learned-groups")
        + line("New words about groups", 9, key="learned-groups")
        + line("Groups under investigation", 5, type="investigation"),
        "utf-8",
    )
    learned = recall_sh(machine, app, "groups", "--type", "learned").stdout
    assert "New words" in learned
    assert "Old words" not in learned
    assert "investigation" not in learned
    both = recall_sh(machine, app, "groups").stdout
    assert both.index("New words") < both.index("Groups under investigation")


def test_the_newest_are_listed_with_their_source(machine: Machine, app: Path) -> None:
    (app / LEDGER).write_text(
        "".join(line(f"Lesson {n} " + "x" * 200, n) for n in range(1, 9)), "utf-8"
    )
    done = recall_sh(machine, app, "--recent", "3").stdout
    head, blank, *rest = done.splitlines()
    assert (head, blank) == ("## Recent Knowledge (3 entries)", "")
    assert rest == [
        f"  [LEARN] {(f'Lesson {n} ' + 'x' * 200)[:120]}  (supervisor)" for n in (8, 7, 6)
    ]


def test_the_archive_is_asked_with_all_alone(machine: Machine, app: Path) -> None:
    (app / LEDGER).write_text(line("Young lesson", 9), "utf-8")
    (app / ARCHIVE).write_text(line("Old lesson", 1), "utf-8")
    assert "Old lesson" not in recall_sh(machine, app, "lesson").stdout
    both = recall_sh(machine, app, "lesson", "--all").stdout
    assert both.index("Young lesson") < both.index("Old lesson")


def test_an_old_version_in_the_archive_does_not_come_back(machine: Machine, app: Path) -> None:
    (app / LEDGER).write_text(line("New words", 9, key="learned-k"), "utf-8")
    (app / ARCHIVE).write_text(line("Old words", 1, key="learned-k"), "utf-8")
    assert "Old words" not in recall_sh(machine, app, "words", "--all").stdout


def test_the_counts_are_the_scripts(machine: Machine, app: Path) -> None:
    (app / LEDGER).write_text(
        line("a", 1) + line("b", 2) + line("b", 3) + line("c", 4, type="investigation"), "utf-8"
    )
    (app / ARCHIVE).write_text(line("z", 1), "utf-8")
    done = recall_sh(machine, app, "--stats").stdout
    assert done.startswith("## Knowledge Base Stats\n\n")
    for row in (
        "Active entries: 3",
        "Unique keys: 3",
        "Learned: 3",
        "Investigation: 1",
        "Archived: 1",
    ):
        assert f"  {row}\n" in done


def test_the_script_answers_from_a_subdirectory_and_a_worktree(
    machine: Machine, app: Path, tmp_path: Path
) -> None:
    (app / LEDGER).write_text(line(GROUPS, 1), "utf-8")
    run_git(str(app), "add", "--all")
    run_git(str(app), "commit", "--quiet", "--message", "lesson")
    tree = app / ".worktrees" / "bd-1"
    run_git(str(app), "worktree", "add", "--quiet", "-b", "bd-1", str(tree))
    machine.says('bd comment bd-1 "LEARNED: said in the worktree"', tree)
    assert "TaskGroup" in recall_sh(machine, tree, "taskgroup").stdout
    assert "said in the worktree" in recall_sh(machine, app, "worktree").stdout


def test_a_comment_becomes_the_seeds_line_with_its_seven_fields(
    machine: Machine, app: Path
) -> None:
    tree = app / ".worktrees" / "bd-a1b2"
    run_git(str(app), "worktree", "add", "--quiet", "-b", "bd-a1b2", str(tree))
    machine.says(f'bd comment bd-a1b2.1 "LEARNED: {GROUPS}"', tree)
    machine.ok("share", "--yes", at=app)
    (text,) = (app / LEDGER).read_text("utf-8").splitlines()
    fields = json.loads(text)
    assert list(fields)[:7] == ["key", "type", "content", "source", "tags", "ts", "bead"]
    assert {
        name: fields[name] for name in ("key", "type", "content", "source", "tags", "bead")
    } == {
        "key": "learned-use-taskgroup-not-dispatchgroup-the-latter-crashes-on-maco",
        "type": "learned",
        "content": GROUPS,
        "source": "supervisor",
        "tags": ["learned", "crash"],
        "bead": "bd-a1b2.1",
    }
    # jq, which the scripts of beads memory read with, sees the same.
    grep = subprocess.run(
        ["grep", "-c", '"type":"learned"', LEDGER],
        cwd=app,
        capture_output=True,
        text=True,
        check=True,
    )
    assert grep.stdout == "1\n"


def test_a_session_begins_with_the_five_newest_as_beads_memory_shows_them(
    machine: Machine, app: Path
) -> None:
    (app / LEDGER).write_text("".join(line(f"Lesson {n}.", n) for n in range(1, 13)), "utf-8")
    context = context_of(machine.hook("SessionStart", app, source="startup"), "SessionStart")
    assert "## Recent Knowledge (12 entries)" in context
    shown = [n for n in range(1, 13) if f"[LEARN] Lesson {n}. (supervisor" in context]
    assert shown == [8, 9, 10, 11, 12]
    assert "Search: " in context


def test_rotation_moves_five_hundred_and_loses_none(machine: Machine, app: Path) -> None:
    (app.parent / "many.jsonl").write_text(
        "".join(line(f"Lesson {n}.", n) for n in range(1, 1002)), "utf-8"
    )
    machine.ok("import", str(app.parent / "many.jsonl"), at=app)
    machine.ok("upkeep", "rotate", at=app)
    (archive,) = machine.home.rglob("knowledge.archive.jsonl")
    assert len(archive.read_text("utf-8").splitlines()) == 500
    assert len(machine.contents(app, "--limit", "5000")) == 1001
    assert "[LEARN]" not in recall_sh(machine, app, "Lesson 7[.]").stdout
    assert "[LEARN] learned-lesson-7\n" in recall_sh(machine, app, "Lesson 7[.]", "--all").stdout


def test_the_word_is_an_expression_as_grep_has_it(machine: Machine, app: Path) -> None:
    (app / LEDGER).write_text(line("Use WAL mode", 1) + line("Cost is $5 (net", 2), "utf-8")
    for word in ("wal.mode", "use.*mode", "^learned-use", "mode$", "redis\\|wal", "W[AO]L"):
        assert "Use WAL mode" in recall_sh(machine, app, word).stdout, word
    assert "Cost" not in recall_sh(machine, app, "wal").stdout
    for word in ("(net", "$5 (net$"):  # characters, where they have no backslash
        assert "Cost" in recall_sh(machine, app, word).stdout, word
    assert "Cost" not in recall_sh(machine, app, "C++").stdout


def test_the_counts_add_up_with_every_kind(machine: Machine, app: Path) -> None:
    (app / LEDGER).write_text(
        line("a", 1) + line("b", 2, type="decision") + line("c", 3, type="investigation"), "utf-8"
    )
    (app / ARCHIVE).write_text(line("z", 1, type="decision"), "utf-8")
    counts = dict(re.findall(r"  (.+): (\d+)", recall_sh(machine, app, "--stats").stdout))
    assert counts.pop("Unique keys") == "3"
    whole = int(counts.pop("Active entries")) + int(counts.pop("Archived"))
    assert whole == sum(map(int, counts.values())) == 4
    assert counts["Decision"] == "2"


def test_the_tracked_ledger_rotates_when_it_is_shared_to(machine: Machine, app: Path) -> None:
    (app.parent / "many.jsonl").write_text(
        "".join(line(f"Lesson {n}.", n) for n in range(1, 1207)), "utf-8"
    )
    machine.ok("import", str(app.parent / "many.jsonl"), at=app)
    done = machine.run("share", "--yes", at=app)
    assert "lines are in .beads/memory/knowledge.archive.jsonl now" in done.err
    assert len((app / LEDGER).read_text("utf-8").splitlines()) <= 1000
    kept = (app / LEDGER).read_text("utf-8") + (app / ARCHIVE).read_text("utf-8")
    assert len(kept.splitlines()) == 1206
    assert "Nothing waits" in machine.ok("share", "--yes", at=app)
    assert "Lesson 1200." in recall_sh(machine, app, "Lesson 1200.").stdout
    assert "[LEARN]" in recall_sh(machine, app, "Lesson 7[.]", "--all").stdout


def test_a_decision_is_told_once_in_a_brief(machine: Machine, app: Path) -> None:
    for session in ("s1", "s2"):
        machine.says('bd comment BD-1 "DECISION: Use the queue for mails"', app, session_id=session)
    # It is of the task, and a decision: two sections could show it.
    for asked in (("brief",), ("brief", "--task", "BD-1")):
        assert machine.ok(*asked, at=app).count("Use the queue for mails") == 1


@pytest.mark.parametrize(
    "command",
    [
        "bd comments add BD-1 -f said.md",
        "cd notes && bd comments add BD-1 --file=../said.md",
        "test -f notes/other.md && bd comments add BD-1 -f 'said.md'",
    ],
)
def test_a_comment_from_a_file_is_captured(machine: Machine, app: Path, command: str) -> None:
    (app / "notes").mkdir()
    (app / "notes" / "other.md").write_text("Nothing.\n", "utf-8")
    (app / "said.md").write_text("I looked.\n\nLEARNED: The lock is fair\n", "utf-8")
    machine.says(command, app)
    (one,) = machine.json("memory", "list", at=app)
    assert (one["content"], one["bead"]) == ("The lock is fair", "BD-1")


def test_a_task_that_is_closed_tells_what_it_taught(machine: Machine, app: Path) -> None:
    for program, option in (("bd", "--reason"), ("scripts/bd.sh", "--summary")):
        machine.says(f'{program} close BD-1 {option} "LEARNED: told by {option}"', app)
    assert machine.contents(app) == ["told by --summary", "told by --reason"]


def test_what_the_shell_did_not_find_is_not_captured(machine: Machine, app: Path) -> None:
    failed = {"tool_name": "Bash", "tool_input": {"command": 'bd comment B "LEARNED: one two"'}}
    machine.hook("PostToolUseFailure", app, error="Exit code 127\nbd: command not found", **failed)
    machine.hook("PostToolUse", app, tool_response={"exit_code": 127}, **failed)
    assert machine.contents(app) == []
    # The client of a command that went on says it on standard error alone.
    said = {"stdout": "done", "stderr": "/bin/sh: 1: bd: not found", "interrupted": False}
    machine.hook("PostToolUse", app, tool_response=said, **failed)
    failed["tool_input"] = {"command": 'bd comment B "LEARNED: three" && bd close B'}
    machine.hook("PostToolUse", app, tool_response={"exit_code": 127}, **failed)
    assert machine.contents(app) == []
    failed["tool_input"] = {"command": 'bd comment B "LEARNED: one two"'}
    machine.hook("PostToolUseFailure", app, error="Exit code 1\nno such issue", **failed)
    assert machine.contents(app) == ["one two"]
