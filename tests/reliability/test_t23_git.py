"""T23: the user's own git works as if Satchel were not there, and merges keep every memory."""

import os
import subprocess
from collections.abc import Sequence

import pytest

from reliability.stand import Stand, finish, git, git_environment, say, scale
from satchel.application.approval import approve_repository
from satchel.engine.search.documents import Filter
from satchel.storage.ledger.lines import decode
from satchel.workspace import Workspace

pytestmark = pytest.mark.torture


def tried(repo: str, *words: str) -> str:
    """Run the user's git; return what it complained about."""
    done = subprocess.run(["git", *words], cwd=repo, env=git_environment(), capture_output=True,
                          text=True, timeout=60)  # fmt: skip
    return f"git {' '.join(words)}: {done.stdout}{done.stderr}" if done.returncode else ""


def edit(repo: str, name: str, text: str) -> None:
    with open(os.path.join(repo, name), "a", encoding="utf-8") as file:
        file.write(text + "\n")


def one_round(repo: str, n: int) -> list[str]:
    """A morning's work with git."""
    side, tree = f"side{n}", os.path.join(os.path.dirname(repo), f"tree{n}")
    edit(repo, "main.txt", f"round {n}")
    steps: list[Sequence[str]] = [
        ("status", "--porcelain"), ("add", "main.txt"), ("commit", "-qm", f"main {n}"),
        ("checkout", "-qb", side), ("@", "side.txt"), ("add", "-A"), ("commit", "-qm", f"s {n}"),
        ("checkout", "-q", "main"), ("@", "main.txt"), ("commit", "-qam", f"more {n}"),
        ("rebase", "-q", "main", side), ("checkout", "-q", "main"),
        ("merge", "-q", "--no-ff", "--no-edit", side), ("@", "main.txt"), ("stash", "-q"),
        ("stash", "pop", "-q"), ("commit", "-qam", f"popped {n}"),
        ("worktree", "add", "-q", tree, "-b", f"w{n}"), ("worktree", "remove", "--force", tree),
        ("branch", "-qD", side, f"w{n}"), ("gc", "-q", "--auto"),
    ]  # fmt: skip
    wrong = []
    for words in steps:
        if words[0] == "@":
            edit(repo, words[1], f"{n}")
        else:
            wrong.append(tried(repo, *words))
    return [one for one in wrong if one]


def test_the_users_git_never_fails_or_sees_us(tmp_path: os.PathLike[str]) -> None:
    stand = Stand(os.fspath(tmp_path))
    git(stand.repo, "add", "-A")
    git(stand.repo, "commit", "-qm", "a Satchel project")
    folder = stand.path("agents")
    os.mkdir(folder)
    agents, rounds = scale(3, 8), scale(6, 100)
    crowd = [stand.start("busy_agent", stand.repo, n, folder) for n in range(agents)]
    wrong, commands = [], 0
    try:
        for n in range(rounds):
            wrong += one_round(stand.repo, n)
            commands += 19
            wrong += dirt(stand.repo)
    finally:
        edit(folder, "stop", "")
        finish(crowd)
    assert not wrong, wrong[:4]
    assert tried(stand.repo, "fsck", "--strict") == ""
    assert not [name for name in os.listdir(os.path.join(stand.repo, ".git")) if ".lock" in name]
    learnt = 0
    for n in range(agents):
        with open(os.path.join(folder, f"{n}.done"), encoding="utf-8") as file:
            learnt += int(file.read())
    with stand.workspace() as workspace:
        workspace.listening.drain(60)
        items = workspace.memories.list(Filter(), 100_000)
    assert sum("learnt thing" in item.record.content for item in items) == learnt
    say("T23", commands, f"{commands} git commands of the user beside {agents} agents, 0 failed, "
        f"{learnt} memories kept, nothing of ours in `git status`, fsck clean")  # fmt: skip


def dirt(repo: str) -> list[str]:
    """What `git status` would show of ours; and what we did to the index."""
    shown = git(repo, "status", "--porcelain")
    return [f"git status shows {shown!r}"] if shown else []


def test_hooks_leave_the_users_index_as_it_is(tmp_path: os.PathLike[str]) -> None:
    stand = Stand(os.fspath(tmp_path))
    edit(stand.repo, "a.txt", "one")
    git(stand.repo, "add", "-A")
    path = os.path.join(stand.repo, ".git", "index")
    os.utime(path, (1, 1))  # a refresh of the index would write it again
    before = os.stat(path)
    folder = stand.path("agents")
    os.mkdir(folder)
    with stand.start("busy_agent", stand.repo, 0, folder):
        import time

        time.sleep(2)
        edit(folder, "stop", "")
    after = os.stat(path)
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


class Team:
    """Two clones of one project, each with private memories of its own, and what they share."""

    def __init__(self, root: str) -> None:
        self.stand = Stand(root)
        git(self.stand.repo, "add", "-A")
        git(self.stand.repo, "commit", "-qm", "a Satchel project")
        self.ours, self.theirs = os.path.join(root, "ours"), os.path.join(root, "theirs")
        for clone in (self.ours, self.theirs):
            git(root, "clone", "-q", self.stand.repo, clone)
            # What is not pushed yet is one's own only where git knows one's address.
            git(clone, "config", "user.email", "t@example.org")
        self.homes = {self.ours: self.stand.path("home1"), self.theirs: self.stand.path("home2")}

    def share(self, clone: str, *contents: str) -> None:
        env = {**self.stand.env, "SATCHEL_HOME": self.homes[clone]}
        for content in contents:
            ran = self.stand.satchel("learn", content, cwd=clone, env=env)
            assert ran.code == 0, ran.text
        ran = self.stand.satchel("share", "--yes", cwd=clone, env=env)
        assert ran.code == 0, ran.text
        git(clone, "add", "-A")
        git(clone, "commit", "-qm", "shared")

    def visible(self, clone: str) -> list[str]:
        """What a third person sees there, with no private memory."""
        home = self.stand.path(f"eyes{len(os.listdir(self.stand.root))}")
        os.makedirs(home)
        with Workspace.open(clone, home=home) as workspace:
            approve_repository(workspace)
            return sorted(item.record.content for item in workspace.memories.list(Filter(), 1000))


def test_merges_in_either_direction_show_the_same_memories(tmp_path: os.PathLike[str]) -> None:
    rounds = scale(3, 50)
    for n in range(rounds):
        team = Team(os.path.join(tmp_path, str(n)))
        team.share(team.ours, "ours: always lint", "both: the harbour is closed")
        team.share(team.theirs, "theirs: never push", "both: the harbour is closed")
        git(team.ours, "remote", "add", "other", team.theirs)
        git(team.theirs, "remote", "add", "other", team.ours)
        for clone in (team.ours, team.theirs):
            git(clone, "fetch", "-q", "other")
        git(team.ours, "branch", "before")
        git(team.ours, "checkout", "-qb", "rebased")
        git(team.ours, "rebase", "-q", "other/main")
        by_rebase = team.visible(team.ours)
        git(team.ours, "checkout", "-q", "main")
        git(team.ours, "merge", "-q", "--no-edit", "other/main")
        git(team.theirs, "merge", "-q", "--no-edit", "other/main")
        merged = team.visible(team.ours)
        assert merged == ["both: the harbour is closed", "ours: always lint", "theirs: never push"]
        assert team.visible(team.theirs) == merged
        assert by_rebase == merged
        path = os.path.join(team.ours, ".satchel", "knowledge.jsonl")
        with open(path, "rb") as file:
            lines = file.read().splitlines()
        assert all(decode(line).record for line in lines), "a conflict marker, or a torn line"
        git(team.ours, "merge", "-q", "--no-edit", "other/main")
        assert team.visible(team.ours) == merged
        git(team.ours, "revert", "--no-edit", "-m", "1", "HEAD")
        assert "ours: always lint" in team.visible(team.ours)
        git(team.ours, "revert", "--no-edit", "HEAD")
        assert team.visible(team.ours) == merged
    say("T23 merges", rounds, f"{rounds} teams: merge either way, rebase, merge again, revert and "
        "back: the same memories each time, no conflict")  # fmt: skip


def test_a_seeded_bug_is_caught(tmp_path: os.PathLike[str]) -> None:
    """Without the union driver two clones that shared cannot merge."""
    team = Team(os.fspath(tmp_path))
    team.share(team.ours, "ours: always lint")
    team.share(team.theirs, "theirs: never push")
    for clone in (team.ours, team.theirs):
        for folder in (".satchel", "."):
            path = os.path.join(clone, folder, ".gitattributes")
            if os.path.exists(path):
                os.unlink(path)
        git(clone, "commit", "-qam", "no attributes")
    git(team.ours, "fetch", "-q", team.theirs)
    assert "CONFLICT" in tried(team.ours, "merge", "--no-edit", "FETCH_HEAD")


def test_a_writer_in_the_work_tree_is_caught(tmp_path: os.PathLike[str]) -> None:
    """A seeded bug: a hook that leaves its notes beside the user's files."""
    stand = Stand(os.fspath(tmp_path))
    git(stand.repo, "add", "-A")
    git(stand.repo, "commit", "-qm", "a Satchel project")
    assert dirt(stand.repo) == []
    edit(stand.repo, os.path.join(".satchel", "events.jsonl"), "{}")
    assert dirt(stand.repo)
