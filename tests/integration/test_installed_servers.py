"""The MCP entry of every client: read back from the file that was written, started, asked."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from integration.installed import Machine, needs_command
from satchel.clients.settings_files.jsonc import Document
from satchel.clients.setup.wired import CLIENTS, places_of

pytest.importorskip("mcp")
pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {},
               "clientInfo": {"name": "client", "version": "1"}},
}  # fmt: skip


def entry_of(client: str, root: Path) -> dict[str, Any]:
    path = places_of(client, "project", str(root)).mcp
    raw = Path(path).read_bytes()
    key = CLIENTS[client].mcp_key
    value = (
        Document(raw, path).root.value[key] if key else tomllib.loads(raw.decode())["mcp_servers"]
    )
    entry: dict[str, Any] = value["satchel"]
    if isinstance(entry["command"], list):  # opencode's
        entry["command"], *entry["args"] = entry["command"]
    return entry


@pytest.mark.parametrize("client", CLIENTS)
def test_the_server_that_a_client_starts_from_its_file_answers(tmp_path: Path, client: str) -> None:
    machine = Machine(tmp_path)
    shop = machine.repository("shop", init=False)
    machine.ok("init", "--no-hooks", "--yes", at=shop)
    told = machine.run("install", client, "--mcp", "--yes", at=shop)
    assert told.code == 0
    assert "one more package" not in told.err
    entry = entry_of(client, shop)
    done = subprocess.run(
        [entry["command"], *entry["args"]],
        cwd=shop,
        input=json.dumps(HELLO).encode() + b"\n",
        env=machine.environment,
        capture_output=True,
        timeout=60,
        check=False,
    )
    answer = json.loads(done.stdout.splitlines()[0])
    assert answer["id"] == 1
    assert "satchel" in answer["result"]["serverInfo"]["name"].lower()
