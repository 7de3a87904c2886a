"""Git's view of a work tree. Read-only; takes no lock that another git could wait for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from satchel.storage import git
from satchel.storage.commands import CheckFailedError, CommandResult


class Allowance:
    """The time that all commands of one gate may take together.

    Args:
        total: for all of them.
        each: for any one.
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

    def work_trees(self) -> list[git.WorkTree]:
        """Return every work tree of this repository, the main one first."""
        with _as_failed_check():
            return git.work_trees(self.cwd, seconds=self._allowance.seconds())

    def uncommitted(self) -> list[str]:
        """Return changed and untracked paths below this work tree's top."""
        # A look into a submodule would be one by its own configuration.
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

        What git noted at the last push or fetch decides. A clone of a single branch notes
        nothing about others: only then is the remote itself asked.
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
        commits = "commit that is" if count == 1 else "commits that are"
        return f"branch {branch} has {count} {commits} not on {name}"

    def _upstream_holds_all(self, branch: str) -> bool:
        upstream = self.ask("rev-parse", "--symbolic-full-name", f"{branch}@{{upstream}}")
        name = upstream.out.strip()
        return upstream.code == 0 and bool(name) and not self._ahead(branch, name, name)
