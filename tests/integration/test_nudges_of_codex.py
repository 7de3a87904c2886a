"""Codex tells hooks no exit code: what a command printed says whether it failed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


@pytest.fixture
def app(machine: Machine) -> Path:
    return machine.repository("app", init=True)


@pytest.mark.parametrize(
    ("failing", "passing", "asks"),
    [
        ("--- FAIL: TestTax (0.02s)\n    tax_test.go:57: expected 19, got 7", "ok  shop/tax 0.5s", 1),
        ("make: *** [gen] Error 2", "generated 41 files", 1),
        ("12 warnings", "12 warnings", 0),
    ],
)  # fmt: skip
def test_codex_tells_no_exit_code_and_is_asked_by_what_was_printed(
    machine: Machine, app: Path, failing: str, passing: str, asks: int
) -> None:
    for said in (failing, failing, passing):
        given = {
            "session_id": "s-1",
            "cwd": str(app),
            "hook_event_name": "PostToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": "make check"},
            "tool_response": f"{said}\n",
        }
        done = machine.run(
            "hook", "PostToolUse", "--client", "codex", at=app, stdin=json.dumps(given)
        )
    assert done.out.count("failed 2 times") == asks
