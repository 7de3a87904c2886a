"""What git says about one work tree. Reads only; takes no lock that another git could meet."""

from __future__ import annotations

import os
from typing import NamedTuple

from satchel.storage.git import Allowance, CheckFailedError, Done, run


class WorkTree(NamedTuple):
    """One work tree of a repository: its top, and its branch ("" if detached)."""

    path: str
    branch: str


class Git:
    """Questions to git, from one directory, within one allowance."""

    def __init__(self, cwd: str, allowance: Allowance) -> None:
        self.cwd = cwd
        self._allowance = allowance

    def ask(self, *words: str) -> Done:
        """Run git as it is: the caller looks at the exit code."""
        # A repository names programs in its configuration; a check must not start this one.
        quiet = ("git", "--no-optional-locks", "-c", "core.fsmonitor=false")
        return run([*quiet, *words], self.cwd, self._allowance.seconds())

    def answer(self, *words: str) -> str:
        """Return what git says; `CheckFailedError` if it says that it failed."""
        done = self.ask(*words)
        if done.code:
            first = (done.err.strip().splitlines() or ["no reason given"])[0]
            raise CheckFailedError(f"git {words[0]}: {first[:200]}")
        return done.out

    def work_trees(self) -> list[WorkTree]:
        """Every work tree of this repository, the main one first."""
        found = []
        for block in self.answer("worktree", "list", "--porcelain").split("\n\n"):
            fields = dict(line.partition(" ")[::2] for line in block.splitlines())
            if "worktree" in fields and "bare" not in fields:
                branch = fields.get("branch", "").removeprefix("refs/heads/")
                found.append(WorkTree(os.path.realpath(fields["worktree"]), branch))
        return found

    def uncommitted(self) -> list[str]:
        """Changed and untracked paths below the top of this work tree."""
        words = ("status", "--porcelain=v1", "-z", "--untracked-files=all")
        parts = iter(self.answer(*words).split("\0"))
        found = []
        for part in parts:
            if not part:
                continue
            found.append(part[3:])
            if "R" in part[:2] or "C" in part[:2]:
                found.append(next(parts, ""))  # what it was called before
        return [path for path in found if path]

    def not_pushed(self, branch: str) -> str:
        """Say what of this branch is not on a remote; "" if all of it is, or there is no remote.

        What git noted at the last push or fetch decides. A clone of a single branch notes
        nothing about others: only then is the remote itself asked.
        """
        remotes = self.answer("remote").split()
        if not remotes:
            return ""
        remote = self._remote_of(branch, remotes)
        own = f"refs/remotes/{remote}/{branch}"
        if self.ask("rev-parse", "--verify", "--quiet", own).code == 0:
            return self._ahead(branch, own, f"{remote}/{branch}")
        if self._upstream_holds_all(branch):
            return ""
        listed = self.answer("ls-remote", remote, f"refs/heads/{branch}").split()
        if not listed:
            return f"branch {branch} is not on {remote}"
        if listed[0] == self.answer("rev-parse", f"refs/heads/{branch}").strip():
            return ""
        return f"branch {branch} differs from {remote}/{branch}"

    def _remote_of(self, branch: str, remotes: list[str]) -> str:
        settings = f"branch.{branch}.pushRemote", "remote.pushDefault", f"branch.{branch}.remote"
        for name in settings:
            value = self.ask("config", "--get", name).out.strip()
            if value in remotes:
                return value
        return "origin" if "origin" in remotes else remotes[0]

    def _ahead(self, branch: str, other: str, name: str) -> str:
        count = int(self.answer("rev-list", "--count", f"{other}..refs/heads/{branch}"))
        if not count:
            return ""
        commits = "commit that is" if count == 1 else "commits that are"
        return f"branch {branch} has {count} {commits} not on {name}"

    def _upstream_holds_all(self, branch: str) -> bool:
        upstream = self.ask("rev-parse", "--symbolic-full-name", f"{branch}@{{upstream}}")
        name = upstream.out.strip()
        return upstream.code == 0 and bool(name) and not self._ahead(branch, name, name)
