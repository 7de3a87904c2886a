"""A machine of its own: a home, repositories, and the installed command run in processes."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from integration import loaded_command
from satchel.testing import run_git

COMMAND = os.path.join(os.path.dirname(sys.executable), "satchel")
#: prctl: take a capability out of what programs started from here may ever have.
_PR_CAPBSET_DROP = 24
_CAPS_OF_THE_SUPERUSER = (1, 2, 3)  # override permissions, read everything, ignore ownership
_RUN_BEFORE: set[tuple[str | bytes, ...]] = set()
#: What no terminal and no model may be shown: escapes, direction marks, tags, half characters.
FORBIDDEN = ("\x1b", "\x9b", "\x07", "\u202e", "\u2066", "\u200b", "\ufeff", "\U000e0041", "\x00")


class Done(NamedTuple):
    """What one command came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed, as JSON."""
        return json.loads(self.out)


def as_ordinary_user() -> None:
    """Give up what lets the superuser write anywhere; for use between fork and exec."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for capability in _CAPS_OF_THE_SUPERUSER:
            if libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0):
                os._exit(99)


class Machine:
    """A person's machine with nothing on it but Satchel.

    Args:
        directory: where everything lies.
        home: name of the person's home in it.
    """

    def __init__(self, directory: Path, home: str = "home") -> None:
        self.directory = directory
        self.home = directory / home
        self.home.mkdir()
        self.environment = {
            "HOME": str(self.home),
            "PATH": f"{os.path.dirname(COMMAND)}:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            # Directories of tests go away under processes that outlive them.
            "SATCHEL_EMBED_BACKGROUND": "0",
        }

    def of_somebody_else(self, name: str) -> Machine:
        """The same disk with another person's home."""
        return Machine(self.directory, "home of " + name)

    def run(
        self,
        *words: str | bytes,
        at: Path | str | None = None,
        stdin: str | bytes = b"",
        environment: dict[str, str] | None = None,
        before: Callable[[], None] | None = None,
    ) -> Done:
        """Run `satchel` with these words and say what came of it; tracebacks fail the test."""
        code, printed, said = run_command(
            words,
            at or self.directory,
            stdin.encode() if isinstance(stdin, str) else stdin,
            {**self.environment, **(environment or {})},
            before,
        )
        out, err = printed.decode("utf-8"), said.decode("utf-8")
        assert "Traceback" not in err, err
        assert code >= 0
        for text in (out, err):
            assert not [mark for mark in FORBIDDEN if mark in text], text
        return Done(code, out, err)

    def ok(self, *words: str, at: Path | str | None = None, stdin: str = "") -> str:
        """Run what must succeed; return what it printed."""
        done = self.run(*words, at=at, stdin=stdin)
        assert done.code == 0, done
        return done.out

    def json(self, *words: str, at: Path | str | None = None) -> Any:
        """Run what must succeed with `--json`; return the value."""
        return json.loads(self.ok(*words, "--json", at=at))

    def fails(
        self, code: int, *words: str | bytes, at: Path | str | None = None, stdin: str | bytes = b"",
        **options: Any,
    ) -> str:  # fmt: skip
        """Run what must fail with this exit code, silent on stdout; return the complaint."""
        done = self.run(*words, at=at, stdin=stdin, **options)
        assert done.code == code, done
        assert done.err.startswith("satchel: ")
        return done.err

    def repository(self, name: str = "app", *, init: bool = True, layout: str = "") -> Path:
        """Make a repository with one commit and, if asked, make it a project."""
        path = self.directory / name
        path.mkdir(parents=True)
        (path / "README").write_text("A program.\n", encoding="utf-8")
        run_git(str(path), "init", "--quiet")
        run_git(str(path), "config", "user.email", "test@example.org")
        if init:
            more = ("--layout", layout) if layout else ()
            self.ok("init", "--yes", *more, at=path)
        run_git(str(path), "add", "--all")
        run_git(str(path), "commit", "--quiet", "--message", "first")
        return path

    def hook(self, event: str, at: Path, **payload: Any) -> dict[str, Any]:
        """Run one event's hooks as the client does: from the settings file, through `sh -c`.

        Returns the answer's JSON object, {} for none.
        """
        settings = json.loads((root_of(at) / ".claude" / "settings.json").read_text("utf-8"))
        answer: dict[str, Any] = {}
        given = {"session_id": "s-1", "transcript_path": "", "cwd": str(at),
                 "permission_mode": "default", "hook_event_name": event, **payload}  # fmt: skip
        for group in settings["hooks"].get(event, []):
            for handler in group["hooks"]:
                done = subprocess.run(
                    ["sh", "-c", handler["command"]],
                    cwd=at,
                    input=json.dumps(given).encode(),
                    env={**self.environment, "CLAUDE_PROJECT_DIR": str(root_of(at))},
                    capture_output=True,
                    timeout=10,
                    check=False,
                )
                assert (done.returncode, done.stderr) == (0, b""), done
                if done.stdout:
                    assert not answer
                    answer = json.loads(done.stdout)
        return answer

    def says(self, command: str, at: Path, **payload: Any) -> None:
        """An agent has run a shell command."""
        answer = self.hook(
            "PostToolUse",
            at,
            tool_name="Bash",
            tool_input={"command": command, "description": "x"},
            tool_response={"stdout": "", "stderr": "", "interrupted": False, "isImage": False},
            tool_use_id="toolu_01",
            **payload,
        )
        assert answer == {}

    def contents(self, at: Path, *more: str) -> list[str]:
        """Contents of the project's live memories, activities left out, newest first."""
        found = self.json("memory", "list", "--limit", "1000", *more, at=at)
        return [
            one["content"] for one in found if one["type"] != "activity" and one["ledger"] != "user"
        ]


def run_command(
    words: tuple[str | bytes, ...],
    at: Path | str,
    given: bytes,
    environment: dict[str, str],
    before: Callable[[], None] | None = None,
) -> tuple[int, bytes, bytes]:
    """Run the installed command to its end; return its code and what it printed."""
    if not before and not is_first(words) and loaded_command.can_run(environment):
        return loaded_command.run(words, os.path.abspath(at), given, environment, 60)
    done = subprocess.run(
        [COMMAND, *words],
        cwd=at,
        input=given,
        env=environment,
        capture_output=True,
        timeout=60,
        preexec_fn=before,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def is_first(words: tuple[str | bytes, ...]) -> bool:
    """Return whether this worker has not run this action of this command before.

    Then it is started from nothing, so that what each loads by itself is seen too.
    """
    action = words[: 1 + words[1:2][0].isalpha()] if words[1:] else words
    if action in _RUN_BEFORE:
        return False
    _RUN_BEFORE.add(action)
    return True


def root_of(path: Path) -> Path:
    """The directory with the settings file: `path` or one above it."""
    for candidate in (path, *path.parents):
        if (candidate / ".claude" / "settings.json").is_file():
            return candidate
    raise AssertionError(f"no hooks above {path}")


def context_of(answer: dict[str, Any], event: str) -> str:
    """The text that an answer injects; its form is checked."""
    if not answer:
        return ""
    beside = {"systemMessage"} if event == "SessionStart" else set()
    assert set(answer) - beside == {"hookSpecificOutput"}
    assert answer.get("systemMessage", "Satchel: ").startswith("Satchel: ")
    inner = answer["hookSpecificOutput"]
    assert sorted(inner) == ["additionalContext", "hookEventName"]
    assert inner["hookEventName"] == event
    text = inner["additionalContext"]
    assert isinstance(text, str)
    assert len(text) < 9500
    return text


def needs_command() -> str:
    """Why tests of the installed command cannot run here; "" if they can."""
    return "" if shutil.which(COMMAND) else f"satchel is not installed beside {sys.executable}"
