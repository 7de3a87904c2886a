"""The MCP server under programs from npm: conformance suite, inspector, the TypeScript SDK."""

import json
import re
from pathlib import Path

import pytest

from integration.installed import COMMAND, Machine
from integration.mcp_machine import (
    CONFORMANCE,
    INSPECTOR,
    NODE,
    HttpServer,
    environment_words,
    node,
    with_token,
)

#: What a real server can pass: the others want a fixture's own tools, prompts and resources.
LEGACY_SCENARIOS = (
    "server-initialize", "ping", "tools-list", "resources-list", "tools-call-error",
    "server-sse-multiple-streams", "dns-rebinding-protection", "prompts-list",
    "server-session-lifecycle", "completion-complete",
)  # fmt: skip
MODERN_SCENARIOS = (
    "tools-list", "resources-list", "tools-call-error", "server-sse-multiple-streams",
    "dns-rebinding-protection", "prompts-list", "sep-2164-resource-not-found",
    "http-header-validation", "caching", "completion-complete",
)  # fmt: skip
CLIENT = Path(__file__).parents[1] / "node" / "client.mjs"


@pytest.fixture
def project(machine: Machine) -> Path:
    path = machine.repository()
    machine.ok("learn", "Use pnpm, not npm", at=path)
    return path


def test_the_conformance_suite_passes_in_both_eras(machine: Machine, project: Path) -> None:
    with HttpServer(machine, project) as server, with_token(server) as url:
        for version, names in (("2025-11-25", LEGACY_SCENARIOS), ("2026-07-28", MODERN_SCENARIOS)):
            for name in names:
                out = node(
                    CONFORMANCE, "server", "--url", url, "--scenario", name,
                    "--spec-version", version, machine=machine,
                )  # fmt: skip
                assert re.search(r"Passed: ([1-9]\d*)/\1, 0 failed", out), (version, name, out)


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_inspector_lists_and_calls_over_both_transports(
    machine: Machine, project: Path, era: str
) -> None:
    started = [*environment_words(machine), "--protocol-era", era]
    ask = ["--method", "tools/call", "--tool-name", "recall", "--tool-arg", "question=pnpm"]
    told = node(INSPECTOR, "--cli", COMMAND, "mcp", "-C", str(project), *started, *ask,
                machine=machine)  # fmt: skip
    assert "Use pnpm, not npm" in json.loads(told)["content"][0]["text"]
    with HttpServer(machine, project) as server:
        where = [server.url, "--transport", "http", "--protocol-era", era,
                 "--header", f"Authorization: Bearer {server.token}"]  # fmt: skip
        listed = json.loads(node(INSPECTOR, "--cli", *where, "--method", "tools/list",
                                 machine=machine))  # fmt: skip
        assert len(listed["tools"]) == 8
        told = node(INSPECTOR, "--cli", *where, *ask, machine=machine)
        assert json.loads(told)["content"][0]["text"].count("Use pnpm") == 1


def test_the_typescript_sdk_holds_a_session_in_both_eras(machine: Machine, project: Path) -> None:
    assert (NODE / "@modelcontextprotocol" / "client").exists()
    with HttpServer(machine, project) as server:
        given = {"command": COMMAND, "cwd": str(project), "env": machine.environment,
                 "url": server.url, "token": server.token}  # fmt: skip
        told = json.loads(node(CLIENT, json.dumps(given), machine=machine))
    assert [one["transport"] for one in told] == ["stdio", "http"] * 2
    assert {one["protocol"] for one in told} == {"2025-11-25", "2026-07-28"}
    for one in told:
        assert one["tools"] == 8
        assert "Use pnpm, not npm" in one["first"]
        assert "trust agent" in one["remembered"]
        assert one["refused"] is True
        assert one["preferences"].startswith("[")
        assert one["prompts"] == ["instincts", "memory", "prime", "reflect", "research"]
