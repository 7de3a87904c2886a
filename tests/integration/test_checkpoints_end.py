"""A checkpoint is where the last session stopped, until others have gone on."""

import subprocess

import pytest

from satchel.application.briefs import stopping
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
        return _TITLE in workspace.briefs.session().text


def test_three_sessions_later_it_is_not_shown() -> None:
    assert [shown_after(count) for count in (0, 2, 3)] == [True, True, False]


def test_the_one_before_the_last_is_told_in_a_line() -> None:
    long = "Asked: rename the tax table | Done: " + "moved every column and its tests, " * 40
    with temporary_workspace() as workspace:
        for number in range(2):
            said = f"{long} {number}"
            workspace.remember(said, kind="checkpoint", session=f"s-{number}")
        text = workspace.briefs.session().text
    last, before = (line for line in text.splitlines() if line.startswith("[CHECKPOINT]"))
    assert len(last) > 1000
    assert len(before) < 400
    assert "Asked: rename the tax table" in before


def test_a_seeded_bug_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint is shown for its thirty days, whatever came after it."""
    monkeypatch.setattr(stopping, "_LATER_SESSIONS", 1000)
    with pytest.raises(AssertionError):
        test_three_sessions_later_it_is_not_shown()


def on_branches(checked_out: str, *stood: str, begun: int = 0) -> list[str]:
    """The checkpoints of a brief where sessions stood on these branches, one after the other."""
    with temporary_workspace() as workspace:
        root = workspace.project.place.root
        subprocess.run(["git", "init", "-q", "-b", checked_out, root], check=True)
        now = workspace.project.clock.now()
        for number, branch in enumerate(stood):
            workspace.remember(
                f"Asked: part {number}",
                kind="checkpoint",
                session=f"s-{number}",
                branch=branch,
                ts=int(now) + number,
            )
        for number in range(begun):
            presence = {"what": "presence", "state": "online", "session": f"o-{number}"}
            presence |= {"client": "codex", "branch": "feat/other"}
            workspace.project.inbox.append(presence, now + 60 + number)
        workspace.listening.drain(5.0)
        text = workspace.briefs.session().text
    return [line for line in text.splitlines() if line.startswith("[CHECKPOINT]")]


def test_agents_at_work_on_other_branches_do_not_end_a_checkpoint() -> None:
    assert on_branches("feat/mine", "feat/mine", begun=5)
    assert on_branches("feat/mine", "feat/third", begun=5) == []


def test_this_branchs_checkpoint_comes_first_and_others_name_theirs() -> None:
    first, second = on_branches("feat/mine", "feat/mine", "feat/other")
    assert "part 0" in first
    assert "feat/" not in first
    assert "part 1" in second
    assert "on feat/other" in second


def test_the_session_just_before_is_told_wherever_it_worked() -> None:
    """Its branch may be merged by now; an older one of this branch tells less."""
    first, second = on_branches("main", "main", "main", "feat/merged")
    assert "part 1" in first
    assert "part 2" in second
    assert "on feat/merged" in second
