"""People with homes of their own, who work in repositories and clone each other's."""

from __future__ import annotations

import json
import os
from pathlib import Path

from integration.installed import run_command
from satchel.storage.git import ask_as_person

ANN = ("Ann", "ann@example.org")


class Somebody:
    """A person with a home of their own, at work in one repository.

    Args:
        directory: holds the home and the work tree.
        who: name and e-mail address, as git knows them.
    """

    def __init__(self, directory: Path, who: tuple[str, str]) -> None:
        self.home, self.root, self.who = directory / "home", directory / "repository", who
        self.home.mkdir(parents=True)
        #: More variables of the environment that commands run in.
        self.variables: dict[str, str] = {}

    def git(self, *words: str, at: Path | None = None) -> str:
        name, address = self.who
        own = (
            "-c",
            f"user.name={name}",
            "-c",
            f"user.email={address}",
            "-c",
            "init.defaultBranch=main",
            "-c",
            "protocol.file.allow=always",
        )
        done = ask_as_person(str(at or self.root), *own, *words)
        assert done.code == 0, done.err
        return done.out

    def satchel(self, *words: str, stdin: str = "", code: int = 0) -> str:
        ended, out, err = self._run(words, stdin)
        assert ended == code, out + err
        return out

    def complaint(self, *words: str) -> str:
        """Return what a command says on standard error."""
        return self._run(words, "")[2]

    def _run(self, words: tuple[str, ...], stdin: str) -> tuple[int, str, str]:
        environment = {
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "HOME": str(self.home),
            "SATCHEL_HOME": str(self.home / ".satchel"),
            "SATCHEL_EMBED_BACKGROUND": "0",
            "SATCHEL_SESSIONS_IMPORT": "0",
            **self.variables,
        }
        code, out, err = run_command(words, self.root, stdin.encode(), environment)
        return code, out.decode(), err.decode()

    def starts(self) -> str:
        """Return what a session of Claude Code starts with here."""
        payload = json.dumps({"session_id": "s", "hook_event_name": "SessionStart"})
        answer = self.satchel("hook", "SessionStart", stdin=payload)
        return json.loads(answer)["hookSpecificOutput"]["additionalContext"] if answer else ""

    def asks(self, prompt: str) -> str:
        payload = json.dumps(
            {"session_id": "p", "hook_event_name": "UserPromptSubmit", "prompt": prompt}
        )
        return self.satchel("hook", "UserPromptSubmit", stdin=payload)

    def shares(self, *texts: str, kind: str = "constraint") -> None:
        for text in texts:
            self.satchel("remember", "--kind", kind, text)
        self.satchel("share", "--yes")
        self.commits()

    def commits(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "work")

    def writes(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


def begun(directory: Path, who: tuple[str, str]) -> Somebody:
    """Make a repository with a project that begins in it."""
    one = Somebody(directory, who)
    one.root.mkdir()
    one.git("init", "--quiet")
    one.git("config", "user.email", who[1])
    one.satchel("init", "--yes", "--no-hooks")
    one.commits()
    return one


def cloned(directory: Path, other: Somebody, who: tuple[str, str] = ANN) -> Somebody:
    """Clone somebody's repository, with a home that has never seen it."""
    one = Somebody(directory, who)
    one.git("clone", "--quiet", str(other.root), str(one.root), at=directory)
    return one
