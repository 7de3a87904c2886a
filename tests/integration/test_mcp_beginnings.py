"""How a client and `satchel mcp` begin: what is asked first, and what is shown from the start."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from integration.installed import Machine
from integration.mcp_machine import HELLO, LEGACY, MODERN, Lines, over_stdio
from satchel.interfaces.mcp.profiles import tools_of


@pytest.fixture
def project(machine: Machine) -> Path:
    return machine.repository()


def test_who_asks_what_the_server_can_do_may_shake_hands_then(
    machine: Machine, project: Path
) -> None:
    known = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "probe", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }

    def ask(lines: Lines, number: int, method: str, **given: Any) -> dict[str, Any]:
        asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": given}
        lines.send(json.dumps(asked).encode())
        answer = lines.read()
        assert answer["id"] == number
        return answer

    with Lines(machine, project) as lines:
        assert ask(lines, 1, "server/discover", _meta=known)["result"]["supportedVersions"]
        assert ask(lines, 2, "initialize", **HELLO)["result"]["protocolVersion"] == "2025-11-25"
        lines.send(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        assert len(ask(lines, 3, "tools/list")["result"]["tools"]) == len(tools_of("default"))
    with Lines(machine, project) as lines:
        assert ask(lines, 1, "tools/list", _meta=known)["result"]["tools"]
        assert "error" in ask(lines, 2, "initialize", **HELLO)  # it has begun in the other era


def test_recall_and_remember_ask_to_be_shown_from_the_start(
    machine: Machine, project: Path
) -> None:
    async def session() -> None:
        async with over_stdio(machine, project, mode=LEGACY) as client:
            tools = (await client.list_tools()).tools
            shown = [one.name for one in tools if (one.meta or {}).get("anthropic/alwaysLoad")]
            assert shown == ["recall", "remember"]

    anyio.run(session)
