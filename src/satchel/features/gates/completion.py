"""The completion gate: whether a subagent's work may end without losing anything.

It requires the same as beads memory (the state of the work tree, the push and the task), and checks
where the work was done: the work tree named in the report, else the one with the task's branch,
else the agent's current one. What cannot be checked does not block.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from satchel.core.plurals import counted
from satchel.project.place import TRUNKS
from satchel.storage import git
from satchel.storage.commands import CheckFailedError, CommandResult
from satchel.storage.safe_open import is_within
from satchel.storage.work_trees import WorkTree, work_trees


class Allowance:
    """The total time for all commands of one gate.

    Args:
        total: for all commands together.
        each: for each command.
    """

    def __init__(self, total: float, each: float) -> None:
        self._end = time.monotonic() + total
        self._each = each

    def seconds(self) -> float:
        """Return the time left for the next command."""
        return max(0.0, min(self._each, self._end - time.monotonic()))


@contextmanager
def _as_failed_check() -> Iterator[None]:
    try:
        yield
    except git.GitError as error:
        raise CheckFailedError(str(error)) from None


class Git:
    """Git queries from one directory, within one time allowance."""

    def __init__(self, cwd: str, allowance: Allowance) -> None:
        self.cwd = cwd
        self._allowance = allowance

    def ask(self, *words: str) -> CommandResult:
        """Run git; the caller checks the exit code."""
        with _as_failed_check():
            return git.ask(self.cwd, *words, seconds=self._allowance.seconds())

    def output(self, *words: str) -> str:
        """Return git's output; raise `CheckFailedError` if it fails."""
        with _as_failed_check():
            return git.answer(self.cwd, *words, seconds=self._allowance.seconds())

    def work_trees(self) -> list[WorkTree]:
        """Return every work tree of this repository, the main one first."""
        with _as_failed_check():
            return work_trees(self.cwd, seconds=self._allowance.seconds())

    def uncommitted(self) -> list[str]:
        """Return changed and untracked paths below this work tree's top."""
        # Checking a submodule would use the submodule's own configuration.
        words = (
            "status",
            "--porcelain=v1",
            "-z",
            "--untracked-files=all",
            "--ignore-submodules=dirty",
        )
        parts = iter(self.output(*words).split("\0"))
        found = []
        for part in parts:
            if not part:
                continue
            found.append(part[3:])
            if "R" in part[:2] or "C" in part[:2]:
                found.append(next(parts, ""))  # what it was called before
        return [path for path in found if path]

    def not_pushed(self, branch: str) -> str:
        """Describe what is not on a remote; "" if everything is, or there is no remote.

        Git's record of the last push or fetch decides. A single-branch clone has no record of other
        branches: only then is the remote contacted.
        """
        remotes = self.output("remote").split()
        if not remotes:
            return ""
        remote = self._remote_of(branch, remotes)
        own = f"refs/remotes/{remote}/{branch}"
        if self.ask("rev-parse", "--verify", "--quiet", own).code == 0:
            return self._ahead(branch, own, f"{remote}/{branch}")
        if self._upstream_holds_all(branch):
            return ""
        listed = self._on_remote(remote, branch)
        if not listed:
            return f"branch {branch} is not on {remote}"
        if listed[0] == self.output("rev-parse", f"refs/heads/{branch}").strip():
            return ""
        return f"branch {branch} differs from {remote}/{branch}"

    def _on_remote(self, remote: str, branch: str) -> list[str]:
        with _as_failed_check():
            done = git.ask_remote(
                self.cwd,
                "ls-remote",
                remote,
                f"refs/heads/{branch}",
                seconds=self._allowance.seconds(),
                variables={"GIT_ASKPASS": "", "SSH_ASKPASS_REQUIRE": "never"},
            )
        if done.code:
            raise CheckFailedError(f"git ls-remote: {git.reason(done)}")
        return done.out.split()

    def _remote_of(self, branch: str, remotes: list[str]) -> str:
        settings = f"branch.{branch}.pushRemote", "remote.pushDefault", f"branch.{branch}.remote"
        for name in settings:
            value = self.ask("config", "--get", name).out.strip()
            if value in remotes:
                return value
        return "origin" if "origin" in remotes else remotes[0]

    def _ahead(self, branch: str, other: str, name: str) -> str:
        count = int(self.output("rev-list", "--count", f"{other}..refs/heads/{branch}"))
        if not count:
            return ""
        commits = counted(count, "commit that is", "commits that are")
        return f"branch {branch} has {commits} not on {name}"

    def _upstream_holds_all(self, branch: str) -> bool:
        upstream = self.ask("rev-parse", "--symbolic-full-name", f"{branch}@{{upstream}}")
        name = upstream.out.strip()
        return upstream.code == 0 and bool(name) and not self._ahead(branch, name, name)


#: Less than a client's ten seconds for a hook, leaving time for the task's status.
_TOTAL_SECONDS = 6.0
_GIT_SECONDS = 2.0
_MOST_NAMED = 5
_CLAIM = re.compile(
    r"\bBEAD[ \t]+[*`{\[]{0,3}([A-Za-z0-9][\w.-]{0,80}?)[*`}\]]{0,3}\s+COMPLETED?\b"
)
_WORK_TREE = re.compile(
    r"^[^\w\n]{0,20}work ?tree\W{0,3}:([^\n]{1,4096})$", re.IGNORECASE | re.MULTILINE
)
_TASK_IN_BRANCH = re.compile(r"bd-[a-z0-9]+(?:\.\d+)*", re.IGNORECASE)


class Rules(NamedTuple):
    """The gate's rules: exempt agent types, accepted task states, whether pushing is required."""

    exempt: tuple[str, ...] = ("worker-supervisor",)
    accepted: tuple[str, ...] = ("inreview", "closed")
    needs_push: bool = True


def check_completion(
    *,
    cwd: str,
    agent_type: str,
    last_message: str,
    rules: Rules,
    owned: Sequence[str],
    task_status: Callable[[str], str | None],
    note: Callable[[str], None],
) -> list[str]:
    """Return why this work may not end yet; empty if it may.

    Args:
        cwd: the agent's directory.
        owned: paths below the top of a work tree whose changes are Satchel's, not the agent's.
        task_status: returns a task's status; None if unknown.
        note: called with what could not be checked, and why.
    """
    claimed = _CLAIM.search(last_message)
    is_supervisor = "supervisor" in agent_type.casefold()
    if agent_type in rules.exempt or not (is_supervisor or claimed):
        return []
    reasons: list[str] = []
    task = claimed[1] if claimed else ""
    branch = ""
    try:
        git = Git(cwd, Allowance(_TOTAL_SECONDS, _GIT_SECONDS))
        trees = git.work_trees()
        tree, missing = _place_of(trees, cwd, _named_path(last_message), task)
        if missing:
            reasons.append(missing)
        if tree:
            branch = tree.branch
            git.cwd = tree.path
            reasons += _changes(git, trees, owned)
            reasons += _push(git, branch, rules, note)
    except CheckFailedError as error:
        note(str(error))
    return reasons + _task_reasons(task, branch, rules, task_status, note)


def _named_path(message: str) -> str:
    named = _WORK_TREE.search(message)
    return named[1].strip(' \t\r*`"') if named else ""


def _place_of(
    trees: list[WorkTree], cwd: str, named: str, task: str
) -> tuple[WorkTree | None, str]:
    """Return the work tree to check, or why there is none."""
    if named:
        starts = [tree.path for tree in trees[:1]] + [cwd]
        paths = {os.path.realpath(os.path.join(s, os.path.expanduser(named))) for s in starts}
        tree = next((tree for tree in trees if tree.path in paths), None)
        if tree and os.path.isdir(tree.path):
            return tree, ""
        there = any(os.path.isdir(path) for path in paths)
        what = "is not a work tree of this repository" if there else "does not exist"
        return None, f"the work tree {named} that the report names {what}"
    branches = (task, f"bd-{task}")
    for tree in trees:
        if task and tree.branch.rsplit("/", 1)[-1] in branches and os.path.isdir(tree.path):
            return tree, ""
    here = os.path.realpath(cwd)
    holding = [t for t in trees if is_within(here, t.path)]
    return max(holding, key=lambda tree: len(tree.path), default=None), ""


def _changes(git: Git, trees: Iterable[WorkTree], owned: Sequence[str]) -> list[str]:
    # A linked work tree inside this one looks untracked; it is checked separately.
    inside = [
        os.path.relpath(tree.path, git.cwd) for tree in trees if tree.path.startswith(git.cwd + "/")
    ]
    ignored = [path.replace(os.sep, "/") for path in (*owned, *inside)]
    try:
        changed = [path for path in git.uncommitted() if not _below(path.rstrip("/"), ignored)]
    except CheckFailedError as error:
        raise CheckFailedError(f"uncommitted changes were not checked: {error}") from None
    if not changed:
        return []
    names = ", ".join(path.encode("utf-8", "replace").decode() for path in changed[:_MOST_NAMED])
    more = f" and {len(changed) - _MOST_NAMED} more" if len(changed) > _MOST_NAMED else ""
    return [f"{git.cwd} has uncommitted changes: {names}{more}; commit or revert them"]


def _below(path: str, places: Iterable[str]) -> bool:
    return any(path == place or path.startswith(place + "/") for place in places)


def _push(git: Git, branch: str, rules: Rules, note: Callable[[str], None]) -> list[str]:
    if not rules.needs_push or not branch:
        return []
    try:
        missing = git.not_pushed(branch)
    except CheckFailedError as error:
        note(f"the push was not checked: {error}")
        return []
    return [f"{missing}; push it"] if missing else []


def _task_reasons(
    task: str,
    branch: str,
    rules: Rules,
    task_status: Callable[[str], str | None],
    note: Callable[[str], None],
) -> list[str]:
    if not rules.accepted:
        return []
    accepted = {_plain(status) for status in rules.accepted}
    for name in [task] if task else _tasks_of(branch):
        try:
            status = task_status(name)
        except CheckFailedError as error:
            note(f"the status of task {name} was not checked: {error}")
            return []
        if status is None:
            continue
        if _plain(status) in accepted:
            return []
        wanted = " or ".join(rules.accepted)
        return [f"task {name} is {status}, not {wanted}; update it first"]
    if task:
        note(f"the status of task {task}, which a report calls complete, is not known")
    return []


def _tasks_of(branch: str) -> list[str]:
    """Return possible task names of a branch: bd-a3f8, bd-a3f8-fix-login, bd-BD-001."""
    name = branch.rsplit("/", 1)[-1]
    if name in TRUNKS:
        return []
    found = [name]
    head = _TASK_IN_BRANCH.match(name)
    if head:
        found += [head[0], name[3:]]
    return list(dict.fromkeys(one for one in found if one))


def _plain(status: str) -> str:
    return re.sub(r"[\W_]", "", status.casefold())
