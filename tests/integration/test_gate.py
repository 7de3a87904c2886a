import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import satchel
from satchel.features.gates.beads import status_from_bd
from satchel.features.gates.completion import Rules, check_completion
from satchel.storage.commands import CheckFailedError
from satchel.storage.inbox.faults import faults

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(satchel.__file__)))
REPORT = "BEAD {task} COMPLETE\nWorktree: {tree}\nFiles: a.py\nTests: pass\nSummary: done\n"


class Repository:
    """A main work tree with a linked one for task bd-7, and a bare remote that has both."""

    def __init__(self, tmp_path: Path) -> None:
        self.tmp = tmp_path
        self.main = tmp_path / "main tree"
        self.remote = tmp_path / "remote.git"
        self.home = tmp_path / "home"
        self.bin = tmp_path / "bin"
        self.bin.mkdir()
        self.home.mkdir()
        self.environment = {
            "HOME": str(self.home),
            "SATCHEL_HOME": str(tmp_path / "satchel"),
            "PATH": f"{self.bin}:/usr/bin:/bin",
            "PYTHONPATH": SOURCE,
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        subprocess.run(["git", "init", "-q", "--bare", str(self.remote)], check=True)
        subprocess.run(["git", "init", "-q", "-b", "main", str(self.main)], check=True)
        for name, value in (("user.name", "T"), ("user.email", "t@example.org")):
            self.git("config", name, value)
        self.write("a.py", "a = 1\n")
        self.write(".satchel/project.toml", '[project]\nid = "01JGATE"\n')
        (tmp_path / "satchel").mkdir()
        self.settings = tmp_path / "satchel" / "config.toml"
        self.settings.write_text("[hooks]\ngate_subagent_stop = true\n")
        self.write(".gitignore", "ignored/\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "first")
        self.git("remote", "add", "origin", str(self.remote))
        self.git("push", "-q", "-u", "origin", "main")
        self.tree = self.main / ".worktrees" / "bd-7"
        self.git("worktree", "add", "-q", "-b", "bd-7", str(self.tree))
        self.git("push", "-q", "origin", "bd-7", at=self.tree)

    def git(self, *words: str, at: Path | None = None) -> str:
        done = subprocess.run(
            ["git", *words],
            cwd=at or self.main,
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def write(self, name: str, text: str, at: Path | None = None) -> None:
        path = (at or self.main) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def commit(self, at: Path) -> None:
        self.write("a.py", f"a = {time.monotonic_ns()}\n", at)
        self.git("commit", "-qam", "more", at=at)

    def bd(self, script: str) -> None:
        path = self.bin / "bd"
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(0o755)

    def bd_says(self, answer: Any) -> None:
        self.bd(f"cat <<'END'\n{json.dumps(answer)}\nEND\n")

    def stop(
        self,
        agent: str = "backend-supervisor",
        message: str = "",
        cwd: Path | None = None,
        **more: Any,
    ) -> str:
        """What the real hook answers: the reason why it blocks, or "" if the agent may end."""
        payload = {
            "hook_event_name": "SubagentStop",
            "session_id": "s1",
            "cwd": str(cwd or self.tree),
            "agent_type": agent,
            "last_assistant_message": message,
            "stop_hook_active": False,
            **more,
        }
        done = subprocess.run(
            [sys.executable, "-m", "satchel", "hook", "SubagentStop"],
            input=json.dumps(payload),
            env=self.environment,
            cwd=self.tmp,
            capture_output=True,
            text=True,
            timeout=30,
        )
        assert (done.returncode, done.stderr) == (0, "")
        if not done.stdout:
            return ""
        answer = json.loads(done.stdout)
        assert answer["decision"] == "block"
        assert set(answer) == {"decision", "reason"}
        return str(answer["reason"])

    def noted(self) -> str:
        found = (self.tmp / "satchel" / "projects").glob("*/faults.jsonl")
        return "\n".join(str(one["what"]) for path in found for one in faults(str(path)))

    def report(self, task: str = "bd-7", tree: str = ".worktrees/bd-7") -> str:
        return REPORT.format(task=task, tree=tree)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_clean_pushed_work_may_end_and_says_nothing(repository: Repository) -> None:
    assert repository.stop() == ""
    assert repository.stop(message=repository.report()) == ""
    assert repository.stop(message=repository.report(), cwd=repository.main) == ""


def test_uncommitted_and_untracked_changes_block_and_are_named(repository: Repository) -> None:
    repository.write("a.py", "a = 2\n", repository.tree)
    repository.write("new dir/new é.py", "", repository.tree)
    repository.write("ignored/x", "", repository.tree)
    reason = repository.stop()
    assert "a.py" in reason
    assert "new dir/new é.py" in reason
    assert "ignored" not in reason


def test_a_renamed_file_is_a_change_and_its_old_name_is_no_entry_of_its_own(
    repository: Repository,
) -> None:
    repository.git("mv", "a.py", "b.py", at=repository.tree)
    assert "b.py, a.py;" in repository.stop()


def test_satchels_own_files_and_linked_work_trees_are_no_changes(repository: Repository) -> None:
    for name in (".satchel/knowledge.jsonl", ".satchel/.gitattributes", ".gitattributes"):
        repository.write(name, "x\n", repository.tree)
    assert repository.stop() == ""
    # In the main tree, `.worktrees/bd-7` is untracked and not ignored.
    assert ".worktrees" in repository.git("status", "--porcelain")
    assert repository.stop(cwd=repository.main) == ""
    repository.write(".worktrees/notes.txt", "")
    assert ".worktrees/notes.txt" in repository.stop(cwd=repository.main)


def test_the_beads_preset_owns_its_ledger_and_what_lies_beside_it(repository: Repository) -> None:
    text = '[project]\nid = "01JGATE"\n[layout]\npreset = "beads"\n'
    repository.write(".satchel/project.toml", text, repository.tree)
    for name in ("knowledge.jsonl", "knowledge.archive.jsonl", ".gitattributes"):
        repository.write(f".beads/memory/{name}", "x\n", repository.tree)
    assert repository.stop() == ""
    repository.write(".beads/memory/mine.txt", "", repository.tree)
    reason = repository.stop()
    assert ".beads/memory/mine.txt" in reason
    assert "knowledge" not in reason


def test_the_tree_that_the_report_names_is_looked_at_wherever_the_agent_stands(
    repository: Repository,
) -> None:
    repository.write("a.py", "a = 2\n", repository.tree)
    assert "a.py" in repository.stop(message=repository.report(), cwd=repository.main)
    absolute = f"**BEAD bd-7 COMPLETE**\n- **Worktree:** `{repository.tree}`\n"
    assert "a.py" in repository.stop(message=absolute, cwd=repository.main)
    no_tree_named = "BEAD bd-7 COMPLETE"
    assert "a.py" in repository.stop(message=no_tree_named, cwd=repository.main)


def test_a_tree_that_is_not_there_or_none_of_this_repository_blocks(
    repository: Repository,
) -> None:
    missing = repository.report(tree=".worktrees/bd-8")
    assert ".worktrees/bd-8 that the report names does not exist" in repository.stop(
        message=missing
    )
    elsewhere = repository.report(tree=str(repository.home))
    assert "is not a work tree of this repository" in repository.stop(message=elsewhere)


def test_commits_that_are_not_pushed_block_until_they_are(repository: Repository) -> None:
    repository.commit(repository.tree)
    repository.commit(repository.tree)
    assert "branch bd-7 has 2 commits that are not on origin/bd-7" in repository.stop()
    repository.git("push", "-q", "origin", "bd-7", at=repository.tree)
    assert repository.stop() == ""


def test_a_branch_the_remote_does_not_have_blocks(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "bd-9", at=repository.tree)
    repository.commit(repository.tree)
    assert "branch bd-9 is not on origin" in repository.stop()


def test_a_push_that_git_noted_nowhere_is_asked_of_the_remote(repository: Repository) -> None:
    """A clone of one branch notes no other; its first push must not look like none."""
    repository.git("config", "remote.origin.fetch", "+refs/heads/main:refs/remotes/origin/main")
    repository.git("checkout", "-q", "-b", "bd-9", at=repository.tree)
    repository.commit(repository.tree)
    repository.git("push", "-q", "origin", "bd-9", at=repository.tree)
    assert "origin/bd-9" not in repository.git("branch", "-a")
    assert repository.stop() == ""
    repository.commit(repository.tree)
    assert "branch bd-9 differs from origin/bd-9" in repository.stop()


def test_an_upstream_of_another_name_counts_only_while_it_holds_everything(
    repository: Repository,
) -> None:
    repository.git("checkout", "-q", "-b", "bd-9", "--track", "origin/main", at=repository.tree)
    assert repository.stop() == ""
    repository.commit(repository.tree)
    assert "branch bd-9 is not on origin" in repository.stop()


def test_without_a_remote_or_with_the_setting_off_nothing_needs_a_push(
    repository: Repository,
) -> None:
    repository.commit(repository.tree)
    assert repository.stop() != ""
    repository.environment["SATCHEL_HOOKS_GATE_NEEDS_PUSH"] = "false"
    assert repository.stop() == ""
    del repository.environment["SATCHEL_HOOKS_GATE_NEEDS_PUSH"]
    repository.git("remote", "remove", "origin")
    assert repository.stop() == ""


@pytest.mark.parametrize(
    "answer",
    [
        [{"id": "bd-7", "status": "in_progress"}],
        {"id": "bd-7", "status": "in_progress", "schema_version": 1},
        {"schema_version": 1, "data": [{"id": "bd-7", "status": "in_progress"}]},
        {"schema_version": 1, "data": {"id": "bd-7", "status": "in_progress"}},
    ],
)
def test_a_task_in_the_wrong_state_blocks_in_every_shape_of_answer(
    repository: Repository, answer: Any
) -> None:
    repository.bd_says(answer)
    assert "task bd-7 is in_progress, not inreview or closed" in repository.stop()
    assert "task bd-7 is in_progress" in repository.stop(message=repository.report())


def test_an_accepted_state_passes_in_either_spelling(repository: Repository) -> None:
    for status in ("inreview", "in_review", "closed"):
        repository.bd_says([{"id": "bd-7", "status": status}])
        assert repository.stop(message=repository.report()) == ""
    repository.environment["SATCHEL_HOOKS_GATE_TASK_STATUS"] = "closed"
    repository.bd_says([{"id": "bd-7", "status": "inreview"}])
    assert "not closed" in repository.stop()


def test_bd_is_asked_for_the_envelope_and_for_the_branch_s_task(repository: Repository) -> None:
    asked = repository.tmp / "asked"
    repository.bd(
        f'echo "$BD_JSON_ENVELOPE $*" >> {asked}\n'
        '[ "$2" = bd-7 ] && echo \'{"data":{"status":"open"}}\' && exit 0\n'
        'echo \'{"error":"no such","code":"not_found"}\' >&2; exit 1\n'
    )
    repository.git("checkout", "-q", "-b", "bd-7-fix-login", at=repository.tree)
    repository.git("push", "-q", "origin", "bd-7-fix-login", at=repository.tree)
    assert "task bd-7 is open" in repository.stop()
    assert asked.read_text() == "1 show bd-7-fix-login --json\n1 show bd-7 --json\n"


def test_without_bd_the_tasks_files_are_asked(repository: Repository) -> None:
    line = '{"id":"bd-7","title":"t","status":"open","issue_type":"task"}\n'
    repository.write(".beads/issues.jsonl", line, repository.tree)
    repository.git("add", "-A", at=repository.tree)
    repository.git("commit", "-qm", "tasks", at=repository.tree)
    repository.git("push", "-q", "origin", "bd-7", at=repository.tree)
    assert "task bd-7 is open, not inreview or closed" in repository.stop()


def test_every_reason_is_told_at_once(repository: Repository) -> None:
    repository.bd_says([{"id": "bd-7", "status": "open"}])
    repository.commit(repository.tree)
    repository.write("a.py", "a = 3\n", repository.tree)
    reason = repository.stop()
    for part in ("uncommitted changes", "not on origin/bd-7", "task bd-7 is open"):
        assert part in reason


def test_exempt_and_other_agents_and_a_second_stop_pass(repository: Repository) -> None:
    repository.write("a.py", "a = 2\n", repository.tree)
    assert repository.stop() != ""
    assert repository.stop(agent="worker-supervisor") == ""
    assert repository.stop(agent="worker-supervisor", message=repository.report()) == ""
    assert repository.stop(agent="scout") == ""
    assert repository.stop(agent="scout", message=repository.report()) != ""
    assert repository.stop(stop_hook_active=True) == ""
    repository.environment["SATCHEL_HOOKS_GATE_EXEMPT"] = "backend-supervisor"
    assert repository.stop() == ""
    assert repository.stop(agent="worker-supervisor") != ""


def test_the_gate_is_closed_only_where_it_was_asked_for(repository: Repository) -> None:
    repository.settings.unlink()
    repository.write("a.py", "a = 2\n", repository.tree)
    assert repository.stop() == ""
    text = '[project]\nid = "01JGATE"\n\n[hooks]\ngate_subagent_stop = true\n'
    repository.write(".satchel/project.toml", text, repository.tree)
    assert repository.stop() == "", "no repository closes a gate for whoever clones it"


@pytest.mark.parametrize(
    ("script", "cause"),
    [
        ("sleep 60\n", "no answer within"),
        ("echo locked >&2; exit 3\n", "locked"),
        ("echo '{nonsense'\n", "not JSON"),
        ("sleep 60 & sleep 60\n", "no answer within"),
    ],
)
def test_a_bd_that_hangs_or_fails_passes_and_is_noted(
    repository: Repository, script: str, cause: str
) -> None:
    repository.bd(script)
    started = time.monotonic()
    assert repository.stop(message=repository.report()) == ""
    assert time.monotonic() - started < 8
    assert "status of task bd-7 was not checked" in repository.noted()
    assert cause in repository.noted()


def test_a_bd_that_fails_does_not_hide_what_git_says(repository: Repository) -> None:
    repository.bd("exit 3\n")
    repository.write("a.py", "a = 2\n", repository.tree)
    assert "uncommitted" in repository.stop()


def test_a_remote_that_is_gone_passes_and_is_noted(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "bd-9", at=repository.tree)
    repository.commit(repository.tree)
    repository.remote.rename(repository.tmp / "away")
    assert repository.stop() == ""
    assert "the push was not checked" in repository.noted()


@pytest.mark.parametrize("script", ["exec sleep 60\n", "echo broken >&2; exit 128\n"])
def test_a_git_that_hangs_or_fails_passes_in_time_and_is_noted(
    repository: Repository, script: str
) -> None:
    assert repository.stop() == ""  # registers the work tree, with the real git
    repository.write("a.py", "a = 2\n", repository.tree)
    path = repository.bin / "git"
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o755)
    started = time.monotonic()
    assert repository.stop() == ""
    assert time.monotonic() - started < 8
    assert "git" in repository.noted()


def test_variables_of_a_surrounding_git_do_not_mislead_the_gate(repository: Repository) -> None:
    other = repository.tmp / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    repository.environment["GIT_DIR"] = str(other / ".git")
    repository.environment["GIT_WORK_TREE"] = str(other)
    Path(repository.tree, "a.py").write_text("a = 2\n")
    assert "a.py" in repository.stop()


def test_a_repository_s_own_monitor_program_is_not_started(repository: Repository) -> None:
    started = repository.tmp / "started"
    program = repository.tmp / "monitor"
    program.write_text(f"#!/bin/sh\ntouch '{started}'\nexit 1\n")
    program.chmod(0o755)
    repository.git("config", "core.fsmonitor", str(program))
    repository.write("a.py", "a = 2\n", repository.tree)
    assert "a.py" in repository.stop()
    assert not started.exists()


def test_the_gate_changes_nothing_in_the_repository(repository: Repository) -> None:
    repository.write("a.py", "a = 2\n", repository.tree)
    index = repository.main / ".git" / "worktrees" / "bd-7" / "index"
    before = (index.read_bytes(), index.stat().st_mtime_ns)
    repository.stop()
    assert (index.read_bytes(), index.stat().st_mtime_ns) == before


def test_outside_any_repository_nothing_is_claimed(tmp_path: Path) -> None:
    noted: list[str] = []
    reasons = check_completion(
        cwd=str(tmp_path),
        agent_type="x-supervisor",
        last_message="",
        rules=Rules(),
        owned=(),
        task_status=lambda _: "open",
        note=noted.append,
    )
    assert reasons == []
    assert len(noted) == 1


def test_a_task_that_looks_like_an_option_is_never_given_to_bd(repository: Repository) -> None:
    assert status_from_bd("--version", str(repository.tmp)) is None
    with pytest.raises(CheckFailedError):
        status_from_bd("bd-7", str(repository.tmp / "nowhere"))


def test_a_long_message_of_punctuation_is_read_in_no_time(repository: Repository) -> None:
    for message in ("BEAD " * 50_000, "*- \n" * 100_000, "work tree:" * 50_000):
        started = time.monotonic()
        repository_free = check_completion(
            cwd=str(repository.tree),
            agent_type="scout",
            last_message=message,
            rules=Rules(),
            owned=(),
            task_status=lambda _: None,
            note=lambda _: None,
        )
        assert repository_free == []
        assert time.monotonic() - started < 1
