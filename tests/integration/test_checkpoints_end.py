"""A checkpoint is where the last session stopped, until others have gone on."""

import pytest

from satchel.application.briefs import session_start
from satchel.testing import temporary_workspace

_TITLE = "Where the last session stopped"


def shown_after(sessions: int) -> bool:
    with temporary_workspace() as workspace:
        now = workspace.project.clock.now()
        workspace.remember("Asked: rename the tax table", kind="checkpoint", session="s-0")
        for number in range(1, sessions + 1):
            workspace.project.inbox.append(
                {
                    "what": "presence",
                    "state": "online",
                    "session": f"s-{number}",
                    "client": "codex",
                },
                now + 60 * number,
            )
        workspace.listening.drain(5.0)
        return _TITLE in workspace.session_brief().text


def test_three_sessions_later_it_is_not_shown() -> None:
    assert [shown_after(count) for count in (0, 2, 3)] == [True, True, False]


def test_the_one_before_the_last_is_told_in_a_line() -> None:
    long = "Asked: rename the tax table | Done: " + "moved every column and its tests, " * 40
    with temporary_workspace() as workspace:
        for number in range(2):
            said = f"{long} {number}"
            workspace.remember(said, kind="checkpoint", session=f"s-{number}")
        text = workspace.session_brief().text
    last, before = (line for line in text.splitlines() if line.startswith("[CHECKPOINT]"))
    assert len(last) > 1000
    assert len(before) < 400
    assert "Asked: rename the tax table" in before


def test_a_seeded_bug_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint is shown for its thirty days, whatever came after it."""
    monkeypatch.setattr(session_start, "_LATER_SESSIONS", 1000)
    with pytest.raises(AssertionError):
        test_three_sessions_later_it_is_not_shown()
