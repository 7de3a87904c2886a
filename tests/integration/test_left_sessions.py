"""A session that was killed still says where it stopped, as soon as the next one starts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from integration.installed import Machine, context_of, needs_command
from integration.transcripts_made import Transcript
from satchel.application.forgetting.service import Forgetting, Selection
from satchel.application.learning.listening import left_sessions
from satchel.application.learning.listening.left_sessions import note_left_session
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

ASKED = "move the watchdog to the work queue"
LEFT, NEXT = "5d3a1c9e-0000-4000-8000-000000000001", "5d3a1c9e-0000-4000-8000-000000000002"
MINUTE = 60


def transcript(root: str, path: Path, age: float, now: float) -> str:
    """A session in which something was asked, whose file was last written `age` seconds ago."""
    made = Transcript(root, session=LEFT).person(ASKED).runs("Edit", f"{root}/health.c")
    file = made.agent("Moved it. Next steps: run it on the bench.").write(str(path))
    os.utime(file, (now - age, now - age))
    return file


def begun(work: Workspace, file: str, *, ended: bool = False) -> None:
    """Report that the session began, and perhaps that it ended."""
    now = work.project.clock.now()
    told = {"session": LEFT, "client": "codex", "transcript": file}
    work.project.inbox.append({"what": "presence", "state": "online", **told}, now - 9 * MINUTE)
    if ended:
        event = {"what": "checkpoint", "trigger": "session_end", **told}
        work.project.inbox.append(event, now - 2 * MINUTE)


def noted(tmp_path: Path, age: float = 5 * MINUTE, *, ended: bool = False) -> list[str]:
    """The checkpoints after another session has started twice."""
    with temporary_workspace() as work:
        now = work.project.clock.now()
        begun(
            work, transcript(work.project.place.root, tmp_path / "s.jsonl", age, now), ended=ended
        )
        for _ in range(2):
            note_left_session(work, NEXT)
        work.refresh()
        found = work.memories.own.live(kinds=("checkpoint",), limit=9)
        assert all(one.ts <= now - 2 * MINUTE for one in found)
        assert [one.client for one in found] == ["codex"] * len(found)
        return [one.title for one in found]


def test_a_session_without_an_end_gets_its_checkpoint_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert noted(tmp_path) == ["Session checkpoint (left)"]
    # Seeded bug: every session seems to stand already.
    monkeypatch.setattr(left_sessions, "_stands", lambda *_: True)
    assert noted(tmp_path) == []


def test_a_session_that_ended_is_at_work_or_is_old_gets_none(tmp_path: Path) -> None:
    assert noted(tmp_path, ended=True) == ["Session checkpoint (session_end)"]
    assert noted(tmp_path, age=5) == []
    assert noted(tmp_path, age=30 * 86_400) == []


def test_what_was_forgotten_of_it_is_not_told_again(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        now = work.project.clock.now()
        file = transcript(work.project.place.root, tmp_path / "s.jsonl", 5 * MINUTE, now)
        work.sessions.archive.import_transcripts(paths=[file])
        forgetting = Forgetting(work)
        forgetting.apply(forgetting.plan(Selection(session=LEFT)))
        begun(work, file)
        assert note_left_session(work, NEXT) is None


@pytest.mark.skipif(bool(needs_command()), reason=needs_command())
def test_the_next_brief_begins_where_the_killed_session_stopped(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    app = machine.repository()
    path = tmp_path / "killed.jsonl"
    machine.hook("SessionStart", app, session_id=LEFT, source="startup", transcript_path=str(path))
    transcript(str(app), path, 5 * MINUTE, path.parent.stat().st_mtime)
    brief = context_of(
        machine.hook("SessionStart", app, session_id=NEXT, source="startup"), "SessionStart"
    )
    assert f"[CHECKPOINT] Asked: {ASKED} | Done: Moved it." in brief
