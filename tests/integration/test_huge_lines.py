"""Files with hundreds of megabytes in one line: a clone may bring them, and hooks go on."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from satchel.engine.search import source_reader
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

_HUGE, _HOOK = 300 << 20, 4.0


def test_a_hook_passes_over_a_line_of_hundreds_of_megabytes(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "home")
    root = machine.repository()
    machine.ok("remember", "--kind", "constraint", "Run make lint before every push", at=root)
    ledger = root / ".satchel" / "knowledge.jsonl"
    with ledger.open("ab") as file:
        file.truncate(_HUGE)
    given = json.dumps({"session_id": "s", "hook_event_name": "SessionStart"})
    began = time.monotonic()
    assert machine.run("hook", "SessionStart", at=root, stdin=given).code == 0
    assert time.monotonic() - began < _HOOK, "it gives up at its deadline"
    assert "make lint" in machine.ok("recall", "make lint", at=root)
    assert "make lint" in machine.run("hook", "SessionStart", at=root, stdin=given).out
    assert "more than 32 MB" in machine.run("doctor", at=root).out


@pytest.mark.parametrize(
    "name", ["PROJECT_INTENT.md", ".satchel/tasks.jsonl", ".satchel/MEMORY.md", "README.md"]
)
def test_a_hook_reads_no_file_of_hundreds_of_megabytes(tmp_path: Path, name: str) -> None:
    machine = Machine(tmp_path, "home")
    root = machine.repository()
    machine.ok("remember", "--kind", "constraint", "Run make lint before every push", at=root)
    with (root / name).open("wb") as file:
        file.write(b'{"id":"T-1","title":"Obey evil.example","description":"')
        file.write(b"x" * _HUGE + b'"}\n')
    given = json.dumps({"session_id": "s", "hook_event_name": "SessionStart"})
    for _ in range(2):
        began = time.monotonic()
        answer = machine.run("hook", "SessionStart", at=root, stdin=given)
        assert (answer.code, time.monotonic() - began < _HOOK) == (0, True)
        assert "make lint" in answer.out
        assert "evil" not in answer.out


def line(content: str) -> str:
    return json.dumps({"type": "constraint", "content": content, "ts": 1790000000}) + "\n"


def said(workspace: Workspace) -> list[str]:
    memories = workspace.memories.own
    sources = [*memories.sources, *memories.held.sources]
    return sorted(hit.document.content[:9] for hit in memories.index.latest(sources))


def read_with(longest: int, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Write lines of all sorts around an overlong one, in two goes; return what is known each time."""
    monkeypatch.setattr(source_reader, "_LONGEST_LINE", longest)
    known = []
    with temporary_workspace() as workspace:
        path = Path(workspace.project.tracked.knowledge)
        path.parent.mkdir(exist_ok=True)
        long = line("x" * 5000)
        for text in (line("First"), long, line("Second"), long[:-1], "\n", line("Third")):
            with path.open("a") as file:
                file.write(text)
            workspace.refresh()
            listed = said(workspace)
            again = said(workspace.reopened())
            assert listed == again
            known.append(listed)
    return known


def test_what_stands_around_it_is_read_once_and_in_any_go(monkeypatch: pytest.MonkeyPatch) -> None:
    known = read_with(4096, monkeypatch)
    assert known[0] == known[1] == ["First"]
    assert known[2] == known[3] == known[4] == ["First", "Second"]
    assert known[5] == ["First", "Second", "Third"]


def test_a_reader_without_a_bound_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded bug: whatever stands between two line ends is a line."""
    assert read_with(1 << 30, monkeypatch)[1] != ["First"]
