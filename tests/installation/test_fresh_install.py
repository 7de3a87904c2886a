"""The built wheel in environments of their own: by hash, offline, on every Python found here."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import satchel
from installation import pythons
from installation.locks import BASE, requirements
from installation.pythons import Python
from installation.wheels import Fresh, build, need_fetched, run

PYTHONS = pythons.found()
EVENTS = (
    "SessionStart", "UserPromptSubmit", "PostToolUse", "SubagentStart", "SubagentStop",
    "PreCompact", "SessionEnd", "PreToolUse",
)  # fmt: skip
#: What each command that wants an extra says without it; nothing else may be said.
WITHOUT_EXTRAS = {
    ("serve",): "server",
    ("serve", "--workers", "2"): "server",
    ("serve", "--database", "postgresql://db.invalid/memory"): "server,postgresql",
    ("mcp",): "mcp",
    ("mcp", "serve", "--http"): "mcp",
    ("team", "init", "postgresql://db.invalid/memory"): "postgresql",
}


class Installed:
    """Satchel, installed for one Python, and a home and a repository that nobody has used."""

    def __init__(self, folder: Path, python: Python) -> None:
        self.python = python
        self.fresh = Fresh(folder / "environment", python)
        self.fresh.install_satchel(build(folder / "wheel", "-t", "wheel"))
        self.home = folder / "home"
        self.repository = folder / "repository"
        for path in (self.home, self.repository):
            path.mkdir()
        subprocess.run(["git", "init", "--quiet", str(self.repository)], check=True)

    @property
    def environment(self) -> dict[str, str]:
        """What a person's shell hands on."""
        path = f"{self.fresh.bin}:/usr/local/bin:/usr/bin:/bin"
        return {"HOME": str(self.home), "PATH": path, "LANG": "C.UTF-8",
                "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull,
                "SATCHEL_EMBED_BACKGROUND": "0"}  # fmt: skip

    def run(
        self, *words: str, stdin: str = "", more: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run the installed command; whatever comes of it, no traceback."""
        done = subprocess.run(
            [str(self.fresh.bin / "satchel"), *words], cwd=self.repository, input=stdin,
            env={**self.environment, **(more or {})}, capture_output=True, text=True, timeout=60,
            check=False,
        )  # fmt: skip
        assert "Traceback" not in done.stderr, done.stderr
        return done

    def ok(self, *words: str, stdin: str = "") -> str:
        """Run what must succeed; notes may stand on standard error."""
        done = self.run(*words, stdin=stdin)
        assert done.returncode == 0, done
        return done.stdout

    def hook(self, event: str, more: dict[str, str] | None = None, **payload: Any) -> str:
        """Call a hook as a client does: it is silent but for its answer."""
        done = self.run("hook", event, stdin=json.dumps({"session_id": "s", **payload}), more=more)
        assert (done.returncode, done.stderr) == (0, ""), done
        return done.stdout

    def files(self) -> dict[str, bytes]:
        """Every file of the home and of the repository."""
        return {
            str(path): path.read_bytes()
            for top in (self.home, self.repository)
            for path in sorted(top.rglob("*"))
            if path.is_file()
        }


@pytest.fixture(
    scope="module",
    params=[
        # One worker makes one environment, and its tests stay there.
        pytest.param(one, id=one.name, marks=pytest.mark.xdist_group(f"python-{one.name}"))
        for one in PYTHONS
    ],
)
def installed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Installed:
    need_fetched()
    python: Python = request.param
    return Installed(tmp_path_factory.mktemp(f"python-{python.name}"), python)


def test_every_python_of_this_machine_is_tried() -> None:
    assert sys.version_info[:2] in [one.version[:2] for one in PYTHONS]
    print("installed with Python", ", ".join(one.name for one in PYTHONS))


def test_only_what_is_locked_is_there(installed: Installed) -> None:
    """Installed with `--require-hashes --no-index` and proxies that lead nowhere."""
    there = {d.name.lower().replace("_", "-"): d.version for d in installed.fresh.distributions()}
    assert there.pop("satchel") == satchel.__version__
    locked = {(one.name, one.version) for one in requirements(BASE)}
    assert set(there.items()) <= locked
    assert {one.name for one in requirements(BASE) if not one.marker} <= set(there)
    assert "scipy" not in there or installed.python.version >= (3, 14)
    checked = installed.fresh.pip("check", check=False)
    assert checked.returncode == 0, checked.stdout


def test_the_base_install_alone_does_the_daily_work(installed: Installed) -> None:
    assert installed.ok("--version") == f"satchel {satchel.__version__}\n"
    assert "is a Satchel project" in installed.ok("init", "--yes")
    said = {"command": 'bd comment BD-1 "LEARNED: rate limits count per API key"'}
    assert installed.hook("PostToolUse", tool_name="Bash", tool_input=said) == ""
    assert "Remembered" in installed.ok("remember", "--kind", "constraint", "Log no bodies.")
    found = json.loads(installed.ok("recall", "rate limits", "--json"))
    assert "rate limits count per API key" in json.dumps(found)
    brief = installed.ok("brief")
    assert "Log no bodies." in brief
    assert "rate limits count per API key" in brief
    start = installed.hook("SessionStart", session_id="two", source="startup")
    assert "rate limits count" in json.loads(start)["hookSpecificOutput"]["additionalContext"]
    for event in EVENTS:
        installed.hook(event, session_id="three", tool_name="Read")
    assert "Nothing is wrong." in installed.ok("doctor")
    (installed.repository / "shop.py").write_text("def charge(card):\n    return card\n")
    subprocess.run(["git", "add", "--all"], cwd=installed.repository, check=True)
    assert "shop.py" in installed.ok("code", "find", "charge")
    assert "charge" in installed.ok("pack", "charge a card")
    for words in (["stats"], ["graph", "stats"], ["task", "list"], ["upkeep"], ["rebuild"],
                  ["memory", "list"], ["mcp", "tools"], ["mcp", "config", "cursor"], ["completion", "bash"],
                  ["help"], ["serve", "token"], ["team", "--help"]):  # fmt: skip
        assert installed.ok(*words)


@pytest.mark.parametrize("words", WITHOUT_EXTRAS, ids=" ".join)
def test_a_command_that_needs_an_extra_names_it(
    installed: Installed, words: tuple[str, ...]
) -> None:
    installed.ok("init", "--yes")
    _commit(installed)
    done = installed.run(*words)
    assert done.returncode in (2, 5), done
    assert done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if line]
    assert len(lines) == 2, done.stderr
    assert lines[0].startswith("satchel: ")
    assert lines[0].endswith("which is not installed.")
    assert lines[1] == f"hint: pip install 'satchel[{WITHOUT_EXTRAS[words]}]'"


def test_a_chosen_store_without_its_driver_stops_no_agent(installed: Installed) -> None:
    installed.ok("init", "--yes")
    _commit(installed)
    chosen = {"SATCHEL_STORE_URL": "postgresql://db.invalid/m", "SATCHEL_STORE_PROJECTS": "*"}
    done = installed.run("remember", "--kind", "fact", "It is red.", more=chosen)
    assert done.returncode == 5
    assert "pip install 'satchel[postgresql]'" in done.stderr
    for event in EVENTS:
        installed.hook(event, chosen, session_id="four")
    doctor = installed.run("doctor", more=chosen)
    assert doctor.returncode == 7
    assert "pip install 'satchel[postgresql]'" in doctor.stdout


def test_asking_for_the_version_loads_next_to_nothing(installed: Installed) -> None:
    """By the list of modules, which no busy machine changes."""
    probe = (
        "import sys; bare = set(sys.modules)\n"
        "from satchel.__main__ import run\n"
        "run(['--version']); print(*sorted(set(sys.modules) - bare))"
    )
    done = run(installed.fresh.python, "-c", probe)
    version, names = done.stdout.splitlines()
    assert version == f"satchel {satchel.__version__}"
    loaded = {name.partition(".")[0] for name in names.split()}
    # Beside Satchel's own: C code, or a few lines of the standard library.
    assert loaded - {"satchel"} <= {
        "__future__", "_collections_abc", "_functools", "_signal", "collections", "errno", "fcntl",
        "gc", "itertools", "keyword", "operator", "_operator", "_collections", "reprlib", "os",
        "types", "time",
    }  # fmt: skip
    ours = {name for name in names.split() if name.startswith("satchel.")}
    assert ours <= {"satchel.__main__", "satchel.core.errors", "satchel.storage", "satchel.storage.files", "satchel.core", "satchel.core.values",
                    "satchel.interfaces", "satchel.interfaces.cli", "satchel.interfaces.cli.front",
                    "satchel.interfaces.cli.commands", "satchel.interfaces.cli.endings"}  # fmt: skip


def test_taking_the_package_away_leaves_every_file(installed: Installed, tmp_path: Path) -> None:
    """Last of its environment: uninstalled, and what clients then do with entries left behind."""
    installed.ok("init", "--yes")
    installed.ok("learn", "Kept for good.")
    installed.ok("install", "--yes", "copilot", "cursor", "codex", "gemini")
    before = installed.files()
    assert [name for name in before if name.endswith("knowledge.jsonl")]
    taken = installed.fresh.pip("uninstall", "--yes", "satchel")
    assert "Successfully uninstalled" in taken.stdout
    assert not (installed.fresh.bin / "satchel").exists()
    assert installed.files() == before
    entries = hook_entries(installed.repository)
    assert len({client for client, _, _ in entries}) == 5
    for client, event, command in entries:
        done = subprocess.run(
            ["sh", "-c", command], cwd=installed.repository, input='{"session_id": "five"}',
            env=installed.environment, capture_output=True, text=True, timeout=30, check=False,
        )  # fmt: skip
        # Nothing for the model, and no error: what a team commits also runs where nobody has
        # installed Satchel. A mark says so.
        assert (done.stdout, done.returncode) == ("", 0), (client, event, done)
    mark = str(installed.home / ".satchel" / "not-found")
    assert installed.files() == before | {mark: b""}


def hook_entries(repository: Path) -> list[tuple[str, str, str]]:
    """List (folder of the client, event, command) of every hook entry that was written."""
    found: list[tuple[str, str, str]] = []
    for folder in (".claude", ".github", ".cursor", ".codex", ".gemini"):
        for path in sorted((repository / folder).rglob("*.json")):
            hooks = json.loads(path.read_text("utf-8")).get("hooks", {})
            for event, entries in hooks.items():
                found += [(folder, event, command) for command in _commands(entries)]
    return found


def _commands(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in ("command", "bash") and isinstance(inner, str):
                yield inner
            else:
                yield from _commands(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _commands(inner)


def _commit(installed: Installed) -> None:
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet",
         "--allow-empty", "--message", "one"],
        cwd=installed.repository, check=True,
    )  # fmt: skip
