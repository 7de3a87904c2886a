"""What is typed after a "no" is said while rejecting a call, in every client's words for it."""

from __future__ import annotations

import pytest

from satchel.application.learning.signals.scanning import scan
from satchel.clients.transcript_format.values import Turn

#: Claude Code, Codex (twice), Gemini CLI, Copilot CLI.
REFUSALS = (
    "The user doesn't want to proceed with this tool use.",
    "patch rejected by user",
    'exec_command failed: Rejected("rejected by user")',
    "[Operation Cancelled] Reason: User did not allow tool call",
    "The user rejected this tool call.",
)


def learnt(error: str) -> list[str]:
    """Return what is heard of a sentence that only a refusal makes a lesson."""
    turns = [
        Turn(role="user", text="make the header sticky"),
        Turn(role="assistant", text="I change it.", errors=(error,)),
        Turn(role="user", text="inline styles break the dark mode"),
    ]
    return [one.learning for one in scan(turns) if one.role == "user"]


@pytest.mark.parametrize("error", REFUSALS)
def test_a_refusal_is_known_in_any_client(error: str) -> None:
    assert learnt(error) == ["Inline styles break the dark mode"]


def test_a_failure_is_no_refusal() -> None:
    assert learnt("FAILED tests/test_header.py") == []
