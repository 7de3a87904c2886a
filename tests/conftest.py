"""Settings of the whole test run, and the machine that most tests of the command have."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from integration.installed import Machine

# Where compiled files are not kept, a run collects its tests in twice the time, and a process that
# a test starts from a copy compiles all of Satchel.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# Tests that load the models' runtime by themselves leave no trace in anybody's home.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
# Directories of tests go away under processes that outlive them.
os.environ["SATCHEL_EMBED_BACKGROUND"] = "0"
# Whoever runs the tests, what they write is a person's.
for _name in (
    "CLAUDECODE",
    "GEMINI_CLI",
    "CODEX_THREAD_ID",
    "CODEX_SANDBOX",
    "CODEX_CI",
    "COPILOT_AGENT_SESSION_ID",
    "AI_AGENT",
    "COPILOT_CLI",
    "CURSOR_AGENT",
    "OPENCODE",
):
    os.environ.pop(_name, None)

# The same examples on every machine, so that a red run means a change; `make torture` looks
# further, with new ones each time. No deadline: other work may share the cores.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("torture", max_examples=1000, deadline=None)
settings.load_profile("torture" if os.environ.get("SATCHEL_TORTURE") == "full" else "steady")


def pytest_configure(config: pytest.Config) -> None:
    """Give the whole run a home of its own.

    What lies in a person's home must decide no test, and no test may leave anything there.
    """
    if hasattr(config, "workerinput"):
        return  # a worker has the home of the run that started it
    home = tempfile.TemporaryDirectory(prefix="satchel-home-")
    config.add_cleanup(home.cleanup)
    os.environ.setdefault("PYENV_ROOT", os.path.expanduser("~/.pyenv"))
    os.environ["HOME"] = home.name


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let tests of one `xdist_group`, or that share what their module made, stay on one worker.

    Else every worker makes it. pytest-xdist 3.8 writes the group where pytest 9.2 no longer reads a test's name from, and so
    spreads the group over all workers.
    """
    if not getattr(config.option, "loadgroup", False):
        return
    for item in items:
        groups = sorted({str(mark.args[0]) for mark in item.iter_markers("xdist_group")})
        if not groups and _shares(item):
            groups = [item.path.stem]
        if groups and not item.nodeid.endswith("@" + "_".join(groups)):
            item._id = type(item.id).parse(f"{item.nodeid}@{'_'.join(groups)}")


def _shares(item: pytest.Item) -> bool:
    """Whether a test uses what its module makes once."""
    known = getattr(item, "_fixtureinfo").name2fixturedefs  # noqa: B009 (pytest has no public way)
    used = [known[name][-1] for name in getattr(item, "fixturenames", ()) if known.get(name)]
    return any(
        one.scope == "module" and one.baseid == str(item.path.relative_to(item.config.rootpath))
        for one in used
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write down what failed, for `tests/again.py`."""
    stats = terminalreporter.stats
    failed = {one.nodeid for one in (*stats.get("failed", ()), *stats.get("error", ()))}
    kept = Path(__file__).parents[1] / ".venv" / "failed.json"
    if kept.parent.is_dir():
        kept.write_text(json.dumps(sorted(failed)))


@pytest.fixture(autouse=True)
def _nothing_is_left_to_tell() -> None:
    """Forget what a test before this one worked around: the next command would tell it."""
    if faults := sys.modules.get("satchel.storage.inbox.faults"):
        faults.worked_around.clear()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine with nothing on it but Satchel."""
    from integration.installed import Machine

    return Machine(tmp_path)


@pytest.fixture
def app(machine: Machine) -> Path:
    """A repository that is a project, with the hooks of Claude Code."""
    return machine.repository()


@pytest.fixture
def shop(machine: Machine) -> Path:
    """A repository that is a project, where no client is wired yet."""
    path = machine.repository("shop", init=False)
    machine.ok("init", "--no-hooks", "--yes", at=path)
    return path
