"""A project to torture: a repository, a user home, the installed command, and worker processes.

Workers import this too: without pytest, which takes four times as long as all of Satchel.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from reliability_kit.oracle import rule_of_three
from satchel.storage.ledger.file import Ledger
from satchel.storage.paths import PrivateState
from satchel.workspace import Workspace

FULL = os.environ.get("SATCHEL_TORTURE") == "full"
SEED = int(os.environ.get("SATCHEL_SEED", "20261122"))
TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PostToolUse",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "SessionEnd",
    "PreToolUse",
)
_WORDS = (  # noqa: SIM905 -- forty quoted words read worse than one text
    "always never build lint before after merge queue worker cache token index ledger commit "
    "branch deploy server client schema table column retry backoff limit timeout header parser "
    "module import layout window button colour review release staging secretary harbour meadow"
).split()


class Ran(NamedTuple):
    """How a command ended."""

    code: int
    out: bytes
    err: bytes
    seconds: float

    @property
    def text(self) -> str:
        """Both outputs, for a test's message."""
        return (self.out + self.err).decode("utf-8", "replace")[-1500:]


def scale(short: int, full: int) -> int:
    """Pick the figure of this run."""
    return full if FULL else short


def say(test: str, trials: int, what: str, *, failures: int = 0) -> None:
    """Print the line that may be quoted."""
    form = "full" if FULL else "short"
    line = f"{test} {form}: n={trials}, seed={SEED}, {rule_of_three(trials, failures)}; {what}"
    print(line)
    path = os.environ.get("SATCHEL_FIGURES")
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(line + "\n")


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which `share` of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def sentence(dice: Any, words: int) -> str:
    """Plain words that no redactor takes for a secret: nouns alone would make a seed phrase."""
    chosen = [dice.choice(_WORDS) for _ in range(words)]
    chosen[10::11] = ["of"] * len(chosen[10::11])
    return " ".join(chosen)


def command() -> str:
    """Return the path of the installed command, beside the interpreter that runs the tests."""
    path = os.path.join(os.path.dirname(sys.executable), "satchel")
    assert os.access(path, os.X_OK), (
        f"{path} is missing: run `make .venv/.installed` and test with .venv/bin/python"
    )
    return path


def git(repo: str, *words: str, env: Mapping[str, str] | None = None) -> str:
    """Run git; a failure fails the test."""
    done = subprocess.run(
        ["git", *words],
        cwd=repo,
        env=dict(env or git_environment()),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"git {' '.join(words)}: {done.stdout}{done.stderr}"
    return done.stdout


def git_environment() -> dict[str, str]:
    """Give git an environment that depends on nobody's configuration."""
    names = {f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER")
             for what in ("NAME", "EMAIL")}  # fmt: skip
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_EDITOR": "true",
        **names,
    }


class Stand:
    """One project in a folder of its own.

    Args:
        root: an empty folder.
        settings: of the user, TOML.
        home: where SATCHEL_HOME is; below `root` unless a test needs another disk.
    """

    def __init__(self, root: str, *, settings: str = "", home: str = "") -> None:
        self.root = root
        self.repo = os.path.join(root, "repo")
        self.home = home or os.path.join(root, "home")
        self.person = os.path.join(root, "person")
        os.makedirs(self.repo)
        os.makedirs(self.person)
        os.makedirs(self.home, exist_ok=True)
        if settings:
            with open(os.path.join(self.home, "config.toml"), "w", encoding="utf-8") as file:
                file.write(settings)
        git(self.repo, "init", "-q", "-b", "main")
        git(self.repo, "commit", "-q", "--allow-empty", "-m", "root")
        # Not what any of these tests is about. Workers, which import this too, make no stand.
        from integration import loaded_command

        words, own = ("init", "--yes", "--no-hooks"), self.env
        own = {name: value for name, value in own.items() if not name.startswith("PYTHON")}
        code, *said = loaded_command.run(words, self.repo, b"", own, 60)
        assert code == 0, said

    @property
    def env(self) -> dict[str, str]:
        """The environment of everything that is started here."""
        paths = [TESTS, *filter(None, [os.environ.get("PYTHONPATH")])]
        return {
            **git_environment(),
            "HOME": self.person,
            "SATCHEL_EMBED_BACKGROUND": "0",
            "SATCHEL_HOME": self.home,
            "PYTHONPATH": os.pathsep.join(paths),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    @property
    def state(self) -> PrivateState:
        """The private state of the project."""
        projects = os.path.join(self.home, "projects")
        (key,) = os.listdir(projects)
        return PrivateState(os.path.join(projects, key))

    def workspace(self) -> Workspace:
        """Open the project in this process, to check it."""
        return Workspace.open(self.repo, home=self.home)

    def satchel(
        self,
        *words: str,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
        cwd: str = "",
        timeout: float = 60,
        before: Sequence[str] = (),
    ) -> Ran:
        """Run the installed command to its end."""
        began = time.monotonic()
        done = subprocess.run(
            [*before, command(), *words],
            cwd=cwd or self.repo,
            env=dict(self.env if env is None else env),
            input=stdin,
            capture_output=True,
            timeout=timeout,
        )
        return Ran(done.returncode, done.stdout, done.stderr, time.monotonic() - began)

    def start(self, worker: str, *words: object, **options: Any) -> subprocess.Popen[bytes]:
        """Start a worker process."""
        line = [sys.executable, "-m", f"reliability.workers.{worker}", *map(str, words)]
        settings: dict[str, Any] = {"cwd": self.repo, "env": self.env}
        return subprocess.Popen(line, **(settings | options))

    def work(self, worker: str, *words: object) -> None:
        """Run a worker to its end."""
        with self.start(worker, *words) as process:
            assert process.wait(timeout=600) == 0

    def path(self, *parts: str) -> str:
        """A path below the root."""
        return os.path.join(self.root, *parts)


def finish(processes: Iterable[subprocess.Popen[bytes]], seconds: float = 1200) -> None:
    """Wait for workers; one that failed fails the test."""
    codes = [process.wait(timeout=seconds) for process in processes]
    assert not any(codes), f"workers ended with {codes}"


def start_together(folder: str, crowd: Sequence[subprocess.Popen[bytes]]) -> None:
    """Let workers go when each of them is ready: a crowd that arrives one by one is none."""
    while sum(name.endswith(".ready") for name in os.listdir(folder)) < len(crowd):
        if any(process.poll() is not None for process in crowd):
            for process in crowd:
                process.kill()
            raise AssertionError("a worker ended before it was ready")
        time.sleep(0.002)
    with open(os.path.join(folder, "go"), "w", encoding="utf-8"):
        pass


def wait_for_all(folder: str, number: object) -> None:
    """In a worker: be ready, and wait for the others."""
    with open(os.path.join(folder, f"{number}.ready"), "w", encoding="utf-8"):
        pass
    parent = os.getppid()
    while not os.path.exists(os.path.join(folder, "go")):
        if os.getppid() != parent:
            sys.exit("the test that started this worker is gone")
        time.sleep(0.001)


def ledger_lines(state: PrivateState, name: str = "knowledge") -> list[bytes]:
    """Every line of a private ledger and of its archive, raw."""
    ledger = Ledger(state.ledger(name), state.lock(name), clock=None)  # type: ignore[arg-type]
    return [line.raw for line in ledger.read()]


def payload(event: str, n: int = 0, *, session: str = "s1", **more: Any) -> bytes:
    """Return what a client sends with an event; PostToolUse teaches something."""
    fields: dict[str, Any] = {"hook_event_name": event, "session_id": session}
    if event == "PostToolUse":
        text = f"Lesson number {n} of the torture run: keep note{n}n in mind"
        fields |= {"tool_name": "Bash", "tool_input": {"command": f'satchel learn "{text}"'}}
    elif event == "PreToolUse":
        fields |= {"tool_name": "Bash", "tool_input": {"command": f"npm install note{n}n"}}
    elif event == "UserPromptSubmit":
        fields["prompt"] = "what must I do about the lint before pushing the branch?"
    elif event.startswith("Subagent"):
        fields["agent_type"] = "helper"
    elif event in ("PreCompact", "SessionEnd"):
        fields["transcript_path"] = "/nonexistent/transcript.jsonl"
    return json.dumps(fields | more).encode()


def judged_output(out: bytes) -> str:
    """Say what is wrong with a hook's answer: it is nothing, or one JSON object."""
    if not out:
        return ""
    try:
        value = json.loads(out)
    except ValueError as error:
        return f"not one JSON value ({error})"
    return "" if isinstance(value, dict) else "JSON, but no object"


def in_this_process(words: Sequence[str]) -> tuple[int, str]:
    """Run a command line in this process; an exception that escapes is what people would see."""
    import contextlib
    import io

    from satchel.interfaces.cli.front import run

    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            code = run(list(words))
        except SystemExit as end:
            code = int(end.code or 0)
    return code, out.getvalue()
