"""Clients' files: plan, apply, undo, upgrade; what is not ours stays as it is."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import tomllib
from pathlib import Path

import pytest

from integration.client_stdin import LEARNT, run_hooks
from integration.installed import Machine, needs_command
from satchel.clients.settings_files.hook_entries import FOUND
from satchel.clients.settings_files.jsonc import Document
from satchel.clients.settings_files.skills import NAMES
from satchel.clients.setup.wired import CLIENTS, places_of

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


MINE = {
    ".cursor/hooks.json": '{\n  // mine\n  "version": 1,\n  "hooks": {\n    "stop": [{ "command": "./x" }] // x\n  }\n}\n',
    ".cursor/mcp.json": '{"mcpServers": {"db": {"command": "db"}}}',
    ".gemini/settings.json": '{\r\n\t"theme": "x", /* y */\r\n}\r\n',
    ".codex/config.toml": '# mine\nmodel = "x"\n[mcp_servers.db]\ncommand = "db"\n',
    ".codex/hooks.json": '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "./y"}]}]}}\n',
    ".vscode/mcp.json": '{\n    "servers": {},\n    "inputs": []\n}\n',
    ".github/mcp.json": "{}",
    ".mcp.json": '{"mcpServers": {"satchel": {"command": "/somebody/else", "args": []}}}',
    ".claude/settings.json": '{"model": "x"}',
    ".claude/skills/memory/SKILL.md": "---\nname: memory\n---\nmine\n",
}


def snapshot(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git/" not in str(path) and ".satchel" not in str(path)
    }


def given_files(root: Path) -> dict[str, bytes]:
    for name, text in MINE.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return snapshot(root)


def test_undo_gives_every_byte_back_and_uninstall_every_meaning(
    machine: Machine, shop: Path
) -> None:
    before = given_files(shop)
    told = machine.run("install", "all", "--yes", at=shop)
    assert told.code == 0
    assert "a server called satchel; it stays" in told.err
    assert "another skill of that name; it stays" in told.err
    after = snapshot(shop)
    assert after[".mcp.json"] == before[".mcp.json"]
    assert after[".claude/skills/memory/SKILL.md"] == before[".claude/skills/memory/SKILL.md"]
    assert b"// mine" in after[".cursor/hooks.json"]
    for name in ("copilot", "cursor", "gemini", "vscode"):
        path = places_of(name, "project", str(shop)).mcp
        servers = Document(Path(path).read_bytes(), path).root.value[CLIENTS[name].mcp_key]
        assert servers["satchel"]["args"] == ["mcp"]
        assert servers["satchel"]["command"] == "satchel"
    assert tomllib.loads(after[".codex/config.toml"].decode())["mcp_servers"].keys() == {
        "db",
        "satchel",
    }
    assert "nothing was changed" in machine.ok("install", "all", "--yes", at=shop)
    machine.ok("undo", "--setup", "--yes", at=shop)
    assert snapshot(shop) == before
    machine.ok("install", "all", "--yes", at=shop)
    machine.ok("uninstall", "--yes", at=shop)
    assert snapshot(shop) == before


def test_undo_after_hand_edits_takes_out_only_what_is_ours(machine: Machine, shop: Path) -> None:
    machine.ok("install", "cursor", "--yes", at=shop)
    hooks, server = shop / ".cursor/hooks.json", shop / ".cursor/mcp.json"
    skill = shop / ".cursor/skills/prime/SKILL.md"
    hooks.write_text(
        hooks.read_text().replace(
            '"hooks": {', '"hooks": { // kept\n    "stop": [{"command": "./x"}],', 1
        )
    )
    server.write_text("{ broken")
    skill.write_text(skill.read_text() + "\nmine\n")
    told = machine.ok("undo", "--setup", "--yes", at=shop)
    assert "only what is Satchel's was taken out" in told
    assert "left as it is" in told
    assert "satchel" not in hooks.read_text()
    assert "// kept" in hooks.read_text()
    assert server.read_text() == "{ broken"
    assert skill.read_text().endswith("mine\n")
    assert not (shop / ".cursor/skills/memory").exists()


def test_an_upgrade_is_told_and_done_and_hand_edits_of_it_stay(
    machine: Machine, shop: Path
) -> None:
    machine.ok("install", "cursor", "gemini", "--yes", at=shop)
    for name in (".cursor/hooks.json", ".cursor/mcp.json", ".gemini/settings.json"):
        path = shop / name
        path.write_text(of_old(path.read_text(), "/old/satchel"))
    path = shop / ".cursor/mcp.json"
    path.write_text(
        path.read_text().replace('"args"', '"env": {"SATCHEL_HOME": "/h"}, // mine\n      "args"')
    )
    old = shop / ".gemini/skills/prime/SKILL.md"
    old.write_text(stamped(old.read_text().replace("End with three", "End with four")))
    states = {(one["client"], one["part"]): one["state"]
              for one in machine.json("install", "cursor", "gemini", "--status", "--project", at=shop)}  # fmt: skip
    assert states == {
        ("cursor", "hooks"): "upgrade", ("cursor", "mcp"): "upgrade", ("cursor", "skills"): "wired",
        ("gemini", "hooks"): "upgrade", ("gemini", "mcp"): "upgrade", ("gemini", "skills"): "upgrade",
    }  # fmt: skip
    machine.ok("install", "cursor", "gemini", "--yes", at=shop)
    assert "/old/satchel" not in path.read_text()
    assert '"env": {"SATCHEL_HOME": "/h"}, // mine' in path.read_text()
    assert "End with three" in old.read_text()
    assert run_hooks(machine, "cursor", "postToolUse", shop) == []
    assert machine.contents(shop) == ["the parser is recursive"]


def of_old(text: str, command: str) -> str:
    """A client's file with another command in it, as one written by an older version."""
    server = text.replace('"command": "satchel"', f'"command": "{command}"')
    return server.replace(json.dumps(FOUND)[1:-1], command)


def stamped(text: str) -> str:
    """A skill as an older version would have written it: with a hash that is right."""
    import re

    from satchel.core.hashing import digest

    blank = re.sub(r'satchel-hash: "\w+"', 'satchel-hash: "{{HASH}}"', text)
    return blank.replace("{{HASH}}", digest(blank.encode()).hex()[:16])


def test_a_broken_file_of_one_client_refuses_all_and_changes_nothing(
    machine: Machine, shop: Path
) -> None:
    given_files(shop)
    (shop / ".cursor/hooks.json").write_text('{"hooks": ')
    before = snapshot(shop)
    told = machine.fails(7, "install", "all", "--yes", at=shop)
    assert "hooks.json is not valid JSON: line 1, column 11" in told
    assert snapshot(shop) == before
    assert "broken" in machine.ok("install", "cursor", "--status", at=shop)
    done = machine.run("init", "--yes", at=shop)  # one client's file stops no other
    assert done.code == 0
    assert "Cursor is not wired" in done.err
    assert (shop / ".codex/hooks.json").read_text().count("--client codex") == 7


@pytest.mark.parametrize("kind", ["fifo", "directory"])
def test_what_is_no_file_is_refused(machine: Machine, shop: Path, kind: str) -> None:
    path = shop / ".cursor" / "hooks.json"
    path.parent.mkdir()
    os.mkfifo(path) if kind == "fifo" else path.mkdir()
    assert "is not a file" in machine.fails(5, "install", "cursor", "--hooks", "--yes", at=shop)


def test_linked_dotfiles_stay_links_and_change_where_they_lie(
    machine: Machine, tmp_path: Path
) -> None:
    dotfiles = tmp_path / "dotfiles"
    (dotfiles / "cursor").mkdir(parents=True)
    (dotfiles / "gemini.json").write_text('{"a": 1}\n')
    (machine.home / ".gemini").mkdir()
    (machine.home / ".gemini/settings.json").symlink_to(dotfiles / "gemini.json")
    (machine.home / ".cursor").symlink_to(dotfiles / "cursor")
    done = machine.run("install", "--user", "--yes")
    assert done.code == 0
    assert "leads to" in done.err
    assert (machine.home / ".gemini/settings.json").is_symlink()
    assert (machine.home / ".cursor").is_symlink()
    assert "--client gemini" in (dotfiles / "gemini.json").read_text()
    assert "--client cursor" in (dotfiles / "cursor/hooks.json").read_text()
    machine.ok("undo", "--yes", "--user")
    assert (dotfiles / "gemini.json").read_text() == '{"a": 1}\n'
    assert not (dotfiles / "cursor/hooks.json").exists()


def test_init_wires_the_clients_found_in_the_repository(machine: Machine) -> None:
    path = machine.repository("shop", init=False)
    (machine.home / ".claude").mkdir(parents=True, exist_ok=True)
    (path / ".cursor").mkdir()
    (path / "GEMINI.md").write_text("x\n")
    machine.ok("init", "--yes", "--mcp", "--skills", at=path)
    files = snapshot(path)
    assert {".cursor/hooks.json", ".cursor/mcp.json", ".gemini/settings.json", ".mcp.json"} <= set(
        files
    )
    assert ".codex/hooks.json" not in files
    for name in NAMES:
        text = files[f".cursor/skills/{name}/SKILL.md"].decode()
        assert "{{" not in text
        assert "`~/.cursor" in text
        assert f"name: {name}\n" in text
    assert "`~/.claude" in files[".claude/skills/reflect/SKILL.md"].decode()
    machine.ok("undo", "--setup", "--yes", at=path)
    assert set(snapshot(path)) == {"GEMINI.md", "README"}


def test_any_other_client_gets_the_server_in_its_own_file(machine: Machine, shop: Path) -> None:
    path = shop / "zed.json"
    path.write_text('{\n  // zed\n  "x": 1\n}\n')
    machine.ok("install", "any", "--file", str(path), "--key", "context_servers", "--yes", at=shop)
    value = Document(path.read_bytes(), "f").root.value
    assert value["context_servers"]["satchel"] == {"command": "satchel", "args": ["mcp"]}
    elsewhere = machine.directory / "elsewhere.json"
    machine.ok("install", "any", "--file", str(elsewhere), "--yes", at=shop)
    own = json.loads(elsewhere.read_text())["mcpServers"]["satchel"]["command"]
    assert os.path.isabs(own)
    machine.ok("undo", "--setup", "--yes", at=shop)
    machine.ok("undo", "--setup", "--yes", at=shop)
    assert path.read_text() == '{\n  // zed\n  "x": 1\n}\n'
    assert "--file" in machine.fails(2, "install", "any", "--yes", at=shop)


def test_a_plugin_with_its_marketplace_is_whole_and_its_hooks_run(
    machine: Machine, shop: Path
) -> None:
    machine.ok("install", "--plugin", "plugin", "--yes", at=shop)
    plugin = machine.directory
    plugin = shop / "plugin" if (shop / "plugin").exists() else plugin / "plugin"
    market = json.loads((plugin / ".claude-plugin/marketplace.json").read_text())
    manifest = json.loads((plugin / ".claude-plugin/plugin.json").read_text())
    assert market["plugins"][0]["name"] == manifest["name"] == "satchel"
    assert (plugin / market["plugins"][0]["source"] / ".claude-plugin/plugin.json").is_file()
    assert json.loads((plugin / ".mcp.json").read_text())["mcpServers"]["satchel"]["args"] == [
        "mcp"
    ]
    # What the validator of Claude Code asks for.
    assert manifest["author"]["name"]
    assert len((plugin / "README.md").read_text().split()) > 40
    icon = (plugin / ".claude-plugin/icon.png").read_bytes()
    assert struct.unpack(">4sII", icon[12:24]) == (b"IHDR", 512, 512)
    (group,) = json.loads((plugin / "hooks/hooks.json").read_text())["hooks"]["PostToolUse"]
    given = {
        "session_id": "s",
        "cwd": str(shop),
        "permission_mode": "default",
        "tool_name": "Bash",
        "tool_input": {"command": LEARNT},
    }
    done = subprocess.run(
        ["sh", "-c", group["hooks"][0]["command"]],
        input=json.dumps(given).encode(),
        env=machine.environment,
        capture_output=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert machine.contents(shop) == ["the parser is recursive"]
    (plugin / "skills/prime/SKILL.md").write_text("mine")
    again = machine.run("install", "--plugin", "plugin", "--yes", at=shop)
    assert "it stays" in again.err
    assert (plugin / "skills/prime/SKILL.md").read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "code"), [(("install", "emacs"), 2), (("uninstall", "x\u202ey"), 2)]
)
def test_unknown_clients_are_refused(
    machine: Machine, shop: Path, words: tuple[str, ...], code: int
) -> None:
    assert "There is no client" in machine.fails(code, *words, at=shop)
    told = json.loads(machine.run(*words, "--json", at=shop).err)
    assert told["exit_code"] == code


def test_without_an_answer_nothing_is_written(machine: Machine, shop: Path) -> None:
    before = snapshot(shop)
    assert machine.run("install", "cursor", at=shop).code == 2
    assert machine.ok("install", "cursor", "--print", at=shop).count("+++ ") > 3
    assert snapshot(shop) == before


def test_every_command_that_a_skill_names_is_one(machine: Machine) -> None:
    import re

    from satchel.clients.settings_files.skills import template

    named = {
        tuple(m.split())
        for name in NAMES
        for m in re.findall(r"`satchel ([a-z]+(?: [a-z]+)?)", template(name))
    }
    assert len(named) > 15
    for words in sorted(named):
        verb = machine.run(*words, "--help")
        assert verb.code == 0, (words, verb)


def test_the_doctor_names_what_keeps_a_client_s_hooks_from_working(
    machine: Machine, shop: Path
) -> None:
    machine.ok("install", "cursor", "--hooks", "--yes", at=shop)
    healthy = machine.run("doctor", at=shop).out
    assert "Cursor" not in healthy
    path = shop / ".cursor/hooks.json"
    text = of_old(path.read_text(), "/gone/satchel")
    path.write_text(text.replace('"preCompact"', '"other"'))
    machine.ok("install", "cursor", "--hooks", "--user", "--yes")
    (shop / ".satchel/rules.md").write_text("- one\n")
    machine.ok("instructions", "compile", "--yes", at=shop)
    (shop / ".satchel/rules.md").write_text("- two\n")
    told = machine.run("doctor", at=shop).out
    assert "/gone/satchel does not exist" in told
    assert "the preCompact hook is missing" in told
    assert "both run" in told
    assert "GEMINI.md is stale" in told


def test_what_two_clients_share_stays_with_the_other(machine: Machine, shop: Path) -> None:
    machine.ok("install", "vscode", "copilot", "--yes", at=shop)
    done = machine.run("uninstall", "vscode", "--yes", at=shop)
    assert done.code == 0
    assert "are Copilot's too and stay" in done.err
    assert (shop / ".github/hooks/satchel.json").exists()
    assert not (shop / ".vscode").exists()
    machine.ok("uninstall", "copilot", "--yes", at=shop)
    assert not (shop / ".github").exists()
    assert "repositories only" in machine.run("install", "vscode", "--user", "--yes").err


def test_claude_code_gets_the_hook_before_tools_where_it_is_asked_for(
    machine: Machine, shop: Path
) -> None:
    path = shop / ".claude/settings.json"
    machine.ok("install", "claude", "--hooks", "--yes", at=shop)
    assert "PreToolUse" not in path.read_text()
    machine.ok("install", "claude", "--hooks", "--guard", "--yes", at=shop)
    assert " hook PreToolUse" in path.read_text()
    machine.ok("uninstall", "claude", "--hooks", "--yes", at=shop)
    assert not path.exists()


def test_hooks_of_the_person_count_as_installed(machine: Machine, shop: Path) -> None:
    def told() -> str:
        return machine.run("doctor", at=shop).out

    assert "no hook of Satchel is installed" in told()
    machine.ok("install", "claude", "--user", "--yes")
    assert (machine.home / ".claude/settings.json").exists()
    assert "no hook of Satchel is installed" not in told()
    assert "hook is missing" not in told()
