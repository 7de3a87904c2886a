"""What a team commits calls the command wherever it is on each machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from integration.installed import COMMAND, Machine, needs_command
from satchel.clients.registry import CLIENTS, Client
from satchel.clients.settings_files.hook_entries import FOUND
from satchel.clients.setup.wired import PROJECT, places_of

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
EVERY = pytest.mark.parametrize("client", CLIENTS, ids=lambda one: one.name)
#: No program of ours, but what a hook's shell needs.
BARE = "/usr/bin:/bin"
installed_for_all = any(
    os.access(f"{place}/satchel", os.X_OK) for place in ("/usr/local/bin", "/usr/bin", "/bin")
)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def shell(machine: Machine, line: str, program: str = "sh") -> subprocess.CompletedProcess[str]:
    """Run a line on a machine whose PATH does not lead to the command."""
    return subprocess.run(
        [program, "-c", line],
        env={**machine.environment, "PATH": BARE},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@EVERY
def test_hooks_of_a_repository_hold_no_path_of_this_machine(
    machine: Machine, client: Client
) -> None:
    shop = machine.repository("shop", init=False)
    machine.ok("init", "--no-hooks", "--yes", at=shop)
    machine.ok("install", client.name, "--hooks", "--guard", "--yes", at=shop)
    text = Path(places_of(client.name, PROJECT, str(shop)).hooks).read_text()
    assert "command -v satchel" in text
    for path in (COMMAND, str(machine.directory), str(machine.home)):
        assert path not in text


def test_a_second_init_by_a_colleague_changes_nothing(machine: Machine, tmp_path: Path) -> None:
    shop = machine.repository("shop")
    settings = shop / ".claude" / "settings.json"
    before = settings.read_bytes()
    # Theirs is not on the PATH.
    colleague = machine.of_somebody_else("kim")
    colleague.environment["PATH"] = BARE
    assert colleague.run("init", "--yes", at=shop).code == 0
    assert settings.read_bytes() == before
    colleague.ok("install", "claude-code", "--skills", "--yes", at=shop)
    # It has been put where hooks look.
    assert shell(colleague, f"{FOUND} --version").stdout.startswith("satchel ")
    link = colleague.home / ".satchel" / "bin" / "satchel"
    assert installed_for_all or link.is_symlink()


@pytest.mark.skipif(installed_for_all, reason="the command is installed for everybody")
@pytest.mark.parametrize("program", [one for one in ("sh", "bash") if shutil.which(one)])
def test_where_the_command_is_missing_the_hook_ends_silently_and_leaves_a_mark(
    machine: Machine, program: str
) -> None:
    line = f"{FOUND} hook PostToolUse"
    done = shell(machine, line, program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    # Who never used Satchel gets no directory of it.
    assert not (machine.home / ".satchel").exists()
    (machine.home / ".satchel").mkdir()
    assert shell(machine, line, program).returncode == 0
    assert (machine.home / ".satchel" / "not-found").exists()
