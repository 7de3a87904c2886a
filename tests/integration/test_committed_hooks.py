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
from satchel.clients.setup.wiring import PARTS, WiringRequest, plan_wiring, wiring_status

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
EVERY = pytest.mark.parametrize("client", CLIENTS, ids=lambda one: one.name)
#: No program of ours, but what a hook's shell needs.
BARE = "/usr/bin:/bin"
installed_for_all = any(
    os.access(f"{place}/satchel", os.X_OK) for place in ("/usr/local/bin", "/usr/bin", "/bin")
)


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
def test_what_is_written_into_a_repository_holds_no_path_of_this_machine(
    machine: Machine, client: Client
) -> None:
    shop = machine.repository("shop", init=False)
    (shop / ".beads" / "memory").mkdir(parents=True)
    machine.ok("init", "--no-hooks", "--yes", at=shop)
    machine.ok("install", client.name, "--yes", at=shop)
    machine.ok("install", client.name, "--hooks", "--guard", "--yes", at=shop)
    places = places_of(client.name, PROJECT, str(shop))
    assert "command -v satchel" in Path(places.hooks).read_text()
    assert "satchel" in Path(places.mcp).read_text()
    for file in shop.rglob("*"):
        text = "" if ".git" in file.parts or not file.is_file() else file.read_text()
        for path in (COMMAND, str(machine.directory), str(machine.home)):
            assert path not in text, file


@EVERY
def test_what_a_colleague_installs_from_elsewhere_changes_nothing(
    client: Client, tmp_path: Path
) -> None:
    asked = WiringRequest(
        (client.name,), PARTS, PROJECT, str(tmp_path), "/opt/mine/satchel", guard=True
    )
    for change in plan_wiring(asked).changes:
        os.makedirs(os.path.dirname(change.path), exist_ok=True)
        Path(change.path).write_bytes(change.after or b"")
    assert plan_wiring(asked._replace(command="/home/kim/bin/satchel")).changes == ()
    # Who wrote a path into it once is told so, and brings it up to date.
    path = Path(places_of(client.name, PROJECT, str(tmp_path)).mcp)
    older = path.read_text().replace('"satchel",\n', '"/old/satchel",\n')
    older = older.replace('command = "satchel"', 'command = "/old/satchel"')
    assert older != path.read_text()
    path.write_text(older)
    (status,) = wiring_status(asked._replace(parts=("mcp",)))
    assert status.state == "upgrade"
    (change,) = plan_wiring(asked).changes
    assert b"/old/" not in (change.after or b"")


def test_a_seeded_bug_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry of the server holds the path of whoever wrote it, as it did."""
    monkeypatch.setattr(WiringRequest, "server_command", property(lambda asked: asked.command))
    with pytest.raises(AssertionError):
        test_what_a_colleague_installs_from_elsewhere_changes_nothing(CLIENTS[0], tmp_path)


def test_a_layout_that_was_chosen_is_not_chosen_again(machine: Machine) -> None:
    shop = machine.repository("shop")
    machine.ok("install", "codex", "--yes", at=shop)
    (shop / ".agents" / "mine").touch()
    assert machine.json("init", "--no-hooks", "--yes", at=shop)["changed"] == []


@pytest.mark.skipif(bool(shutil.which("satchel", path=BARE)), reason="it is on every PATH here")
def test_who_has_no_command_on_the_path_is_told_that_the_server_cannot_start(
    machine: Machine,
) -> None:
    shop = machine.repository("shop")
    machine.environment["PATH"] = BARE
    told = machine.run("install", "cursor", "--mcp", "--yes", at=shop).err
    assert "which is not on your PATH" in told
    assert (
        "starts the MCP server as satchel, which is not on your PATH"
        in machine.run("doctor", at=shop).out
    )
    machine.ok("uninstall", "cursor", "--mcp", "--yes", at=shop)
    told = machine.run("install", "cursor", "--mcp", "--user", "--yes", at=shop).err
    assert "PATH" not in told
    assert "MCP server" not in machine.run("doctor", at=shop).out


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


@pytest.mark.skipif(installed_for_all, reason="the command is installed for everybody")
def test_doctor_says_that_a_hook_did_not_find_the_command_until_it_is_found(
    machine: Machine,
) -> None:
    shop = machine.repository("shop")
    shell(machine, f"{FOUND} hook PostToolUse")
    with_it, told = machine.environment["PATH"], "one did not find the command, last just now"
    machine.environment["PATH"] = BARE
    for _ in range(2):
        said = machine.run("doctor", at=shop).out
        assert told in said
        assert "neither on the PATH nor in" in said
    machine.environment["PATH"] = with_it
    said = machine.run("doctor", at=shop).out
    assert told in said
    assert "It is found now" in said
    assert told not in machine.run("doctor", at=shop).out
    shell(machine, f"{FOUND} hook PostToolUse")
    machine.ok("install", "codex", "--hooks", "--yes", at=shop)
    assert told not in machine.run("doctor", at=shop).out
