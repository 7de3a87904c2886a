"""A repository whose configuration names programs: no question of ours starts one of them."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from satchel.storage import git
from satchel.storage.work_trees import work_trees
from satchel.testing import run_git

_PLAIN = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")


class Hostile:
    """A repository in which every setting that names a program names one that leaves a mark."""

    def __init__(self, directory: Path) -> None:
        self.root = directory / "repository"
        self.marks = directory / "marks"
        self.marks.mkdir()
        self.root.mkdir()
        self.git("init", "-q")
        (self.root / "a.txt").write_text("one\n")
        (self.root / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n")
        self.git("add", "--all")
        self.git("commit", "-qm", "first")
        (self.root / "a.txt").write_text("two\n")
        self.git("commit", "-qam", "second")
        self._arm()
        # Another time than the index knows, so that git has to look at what the file says.
        os.utime(self.root / "a.txt", (1, 1))
        (self.root / "new.txt").write_text("new\n")

    def git(self, *words: str) -> str:
        """Run git as the person who made this: nothing of ours."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
        environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        done = subprocess.run(["git", *_PLAIN, *words], cwd=self.root, check=True, text=True,
                              capture_output=True, env=environment)  # fmt: skip
        return done.stdout.strip()

    def program(self, name: str) -> str:
        """Return a command that leaves the mark `name`."""
        path = self.marks.parent / f"{name}.sh"
        last = "cat" if name in ("filter", "own-filter", "textconv") else "exit 1"
        path.write_text(f"#!/bin/sh\n: > '{self.marks}/{name}'\n{last}\n")
        path.chmod(0o755)
        return str(path)

    def started(self) -> set[str]:
        """Names of the programs that were started."""
        return {path.name for path in self.marks.iterdir()}

    def let_commit(self) -> None:
        """Change a file, and take out what would refuse a person's own commit of it."""
        (self.root / "a.txt").write_text("three\n")
        self.git("config", "commit.gpgSign", "false")
        for name in ("process", "required"):
            self.git("config", "--unset", f"filter.evil.{name}")

    def _arm(self) -> None:
        hooks = self.root / "hooks"
        hooks.mkdir()
        for name in ("post-index-change", "reference-transaction", "pre-commit", "pre-push",
                     "post-checkout", "pre-auto-gc"):  # fmt: skip
            (hooks / name).write_text(
                Path(self.program("hook")).read_text().replace("exit 1", "exit 0")
            )
            (hooks / name).chmod(0o755)
        settings = {
            "core.fsmonitor": "fsmonitor", "core.pager": "pager", "pager.log": "pager",
            "core.editor": "editor", "sequence.editor": "editor", "filter.evil.clean": "filter",
            "filter.evil.smudge": "filter", "filter.evil.process": "filter",
            "diff.evil.textconv": "textconv", "diff.evil.command": "external",
            "diff.external": "external", "merge.evil.driver": "merge", "core.sshCommand": "ssh",
            "core.askPass": "askpass", "core.gitProxy": "proxy", "gpg.program": "gpg",
            "remote.origin.uploadpack": "uploadpack", "remote.origin.receivepack": "uploadpack",
            "credential.https://127.0.0.1.helper": "credential", "credential.helper": "credential",
        }  # fmt: skip
        for key, name in settings.items():
            self.git("config", key, self.program(name))
        for name in ("status", "log", "diff", "ls-files", "rev-parse"):
            self.git("config", f"alias.{name}", "!" + self.program("alias"))
        plain = {
            "core.hooksPath": str(hooks), "log.showSignature": "true", "commit.gpgSign": "true",
            "protocol.ext.allow": "always", "filter.evil.required": "true",
            "remote.origin.url": str(self.root), "remote.ssh.url": "ssh://127.0.0.1:1/x",
            "remote.ext.url": "ext::" + self.program("ext"),
            "remote.https.url": "https://127.0.0.1:1/x",
        }  # fmt: skip
        for key, value in plain.items():
            self.git("config", key, value)
        included = self.root / "included"
        included.write_text(f'[filter "more"]\n\tclean = {self.program("included")}\n')
        self.git("config", "include.path", str(included))
        with (self.root / ".gitattributes").open("a") as file:
            file.write("new.txt filter=more\n")
        for mark in self.marks.iterdir():
            mark.unlink()


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hostile:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    made = Hostile(tmp_path)
    # What a terminal, or git around one of its hooks, would hand on.
    for name in ("GIT_PAGER", "GIT_EDITOR", "GIT_EXTERNAL_DIFF"):
        monkeypatch.setenv(name, made.program("environment"))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    return made


COMMANDS = (
    ("status", "--porcelain=v2", "--untracked-files=all"),
    ("diff",), ("diff", "HEAD"), ("diff", "--cached"), ("diff", "HEAD~1", "HEAD"),
    ("log", "-p"), ("log", "--all", "--reflog", "-i", "--pickaxe-regex", "-Stwo"),
    ("show", "HEAD"), ("show", "HEAD:./a.txt"), ("rev-list", "--all"), ("rev-parse", "HEAD"),
    ("ls-files", "--cached", "--others"), ("ls-files", "--stage", "-t"), ("worktree", "list"),
    ("check-attr", "filter", "--", "a.txt"), ("config", "user.name"), ("remote",),
    ("update-index", "--add", "--", "a.txt", "new.txt"), ("add", "--all"),
    ("hash-object", "-w", "--path=a.txt", "--", "a.txt"),
    ("update-ref", "refs/satchel/changes", "HEAD"), ("read-tree", "HEAD"), ("write-tree",),
)  # fmt: skip
COMMIT = ("commit", "-m", "third", "--", "a.txt")
WHO = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@x", "GIT_COMMITTER_NAME": "A",
       "GIT_COMMITTER_EMAIL": "a@x"}  # fmt: skip
QUESTIONS: dict[str, Callable[[str], object]] = {
    "answer": lambda root: git.answer(root, "status", "--porcelain"),
    "is_repository": git.is_repository,
    "is_ignored": lambda root: git.is_ignored(root, "a.txt"),
    "is_tracked": lambda root: git.is_tracked(root, "a.txt"),
    "attribute": lambda root: git.attribute(root, "merge", "a.txt"),
    "files": git.files,
    "work_trees": work_trees,
}


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_question_starts_nothing_that_the_repository_names(
    hostile: Hostile, words: tuple[str, ...]
) -> None:
    done = git.ask(str(hostile.root), *words)
    assert (done.code, done.err) == (0, "") or words[0] in ("config", "add")
    assert hostile.started() == set()


@pytest.mark.parametrize("name", QUESTIONS)
def test_no_function_starts_anything_that_the_repository_names(hostile: Hostile, name: str) -> None:
    assert QUESTIONS[name](str(hostile.root)) or name == "is_ignored"
    assert hostile.started() == set()


@pytest.mark.parametrize("remote", ["origin", "ssh", "https", "ext"])
def test_a_remote_is_asked_with_nothing_that_the_repository_names(
    hostile: Hostile, remote: str
) -> None:
    done = git.ask_remote(str(hostile.root), "ls-remote", remote)
    assert (done.code == 0) == (remote == "origin")
    assert hostile.started() == set()


def test_a_commit_of_a_person_runs_their_hooks_and_filters_and_nothing_else(
    hostile: Hostile,
) -> None:
    hostile.let_commit()
    assert git.ask_as_person(str(hostile.root), *COMMIT, variables=WHO).code == 0
    assert hostile.started() == {"hook", "filter"}


@pytest.mark.parametrize(
    ("missing", "expected"),
    [("_QUIET", "fsmonitor"), ("_NO_PROGRAMS", "hook"), ("_FILTER", "filter"),
     ("_DIFFS", "external"), ("_DIFFS", "textconv"), ("_NOWHERE", "uploadpack")],
)  # fmt: skip
def test_each_part_of_the_hardening_is_needed(
    hostile: Hostile, missing: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = {"_FILTER": re.compile("(?!)"), "_DIFFS": set(), "_NOWHERE": {}}
    monkeypatch.setattr(git, missing, nothing.get(missing, ()))
    if missing == "_DIFFS":
        hostile.git("config", "--remove-section", "filter.evil")
    for words in (*COMMANDS, ("ls-remote", "origin")):
        git.ask(str(hostile.root), *words)
    assert expected in hostile.started()


def test_the_way_to_remotes_is_closed_by_looking_at_it(
    hostile: Hostile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "_WAY_TO_REMOTES", re.compile("(?!)"))
    for remote in ("ssh", "https"):
        git.ask_remote(str(hostile.root), "ls-remote", remote)
    assert "ssh" in hostile.started()


def test_a_persons_own_ssh_is_used_for_their_remotes(
    hostile: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    own.write_text(f"[core]\n\tsshCommand = {hostile.program('own')}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own))
    git.ask_remote(str(hostile.root), "ls-remote", "ssh")
    assert hostile.started() == {"own"}


def test_a_persons_own_filter_runs_in_place_of_the_repositorys(
    hostile: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    own.write_text(f'[filter "evil"]\n\tclean = {hostile.program("own-filter")}\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own))
    for name in ("process", "required"):
        hostile.git("config", "--unset", f"filter.evil.{name}")
    assert git.ask(str(hostile.root), "hash-object", "--path=a.txt", "--", "a.txt").code == 0
    assert hostile.started() == {"own-filter"}


def test_a_directory_laid_out_as_a_bare_repository_is_not_believed(hostile: Hostile) -> None:
    bare = hostile.root / "vendored"
    for name in ("objects", "refs"):
        (bare / name).mkdir(parents=True)
    (bare / "HEAD").write_text("ref: refs/heads/main\n")
    monitor = hostile.program("bare")
    (bare / "config").write_text(
        f'[core]\n\tbare = false\n\tworktree = "{bare}"\n\tfsmonitor = {monitor}\n'
    )
    for words in COMMANDS:
        git.ask(str(bare), *words)
    assert not git.is_repository(str(bare))
    assert hostile.started() == set()


def test_what_a_partial_clone_lacks_is_not_fetched(hostile: Hostile) -> None:
    hostile.git("config", "core.repositoryFormatVersion", "1")
    hostile.git("config", "extensions.partialClone", "origin")
    hostile.git("config", "remote.origin.promisor", "true")
    blob = hostile.git("rev-parse", "HEAD~1:a.txt")
    os.unlink(hostile.root / ".git" / "objects" / blob[:2] / blob[2:])
    assert git.ask(str(hostile.root), "log", "-p").code != 0
    assert hostile.started() == set()


def test_a_setting_that_cannot_be_overridden_is_not_passed_over(hostile: Hostile) -> None:
    hostile.git("config", "filter.a=b.clean", hostile.program("named"))
    with pytest.raises(git.GitError, match="cannot override"):
        git.ask(str(hostile.root), "status")
    assert hostile.started() == set()


def test_a_git_that_hangs_is_ended(hostile: Hostile) -> None:
    with pytest.raises(git.GitError, match="no time was left"):
        git.ask(str(hostile.root), "status", seconds=0)
    hostile.let_commit()
    slow = hostile.root / "hooks" / "pre-commit"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    with pytest.raises(git.GitError, match="git commit: no answer"):
        git.ask_as_person(str(hostile.root), *COMMIT, variables=WHO, seconds=0.5)


@pytest.mark.parametrize("skipped", [False, True])
def test_a_repository_shows_no_files_of_another_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, skipped: bool
) -> None:
    """An unpacked archive may name any directory as its work tree; the seeded bug believes it."""
    evil, theirs = tmp_path / "evil", tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "a.txt").write_text("the person's own\n")
    (evil / "deep").mkdir(parents=True)
    run_git(str(evil), "init", "--quiet")
    (evil / "a.txt").write_text("one\n")
    (evil / "deep" / "b.txt").write_text("two\n")
    run_git(str(evil), "add", "--all")
    run_git(str(evil), "commit", "--quiet", "--message", "first")
    run_git(str(evil), "config", "core.worktree", str(theirs))
    if skipped:
        monkeypatch.setattr(git, "_FILTER", re.compile("(?!)"))
    told = [
        git.ask(str(evil), *words).out
        for words in (("blame", "--", "a.txt"), ("diff",), ("grep", "-n", "o"))
    ]
    assert ("own" in "".join(told)) == skipped
    if not skipped:
        assert git.ask(str(evil / "deep"), "blame", "--", "b.txt").out.endswith("two\n")
        assert git.ask(str(evil / "deep"), "diff", "HEAD").out == ""
