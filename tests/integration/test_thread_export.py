"""Records for other programs are written with few starts of git."""

from __future__ import annotations

from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from integration.thread_made import AgentAtWork, Repository, new_repository
from satchel.application.thread import certain_lines
from satchel.application.thread.agent_trace import trace_records
from satchel.storage.blobs import texts_of
from satchel.storage.commits import History
from satchel.workspace import Workspace

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

COMMITS = 4


@pytest.mark.parametrize("ahead", [COMMITS, 2, 0])
def test_files_are_read_together_as_far_as_they_may_be_held(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, ahead: int
) -> None:
    shop = new_repository(machine)
    work = AgentAtWork(shop, machine.home)
    for number in range(COMMITS):
        work.prompt(f"write part {number}")
        work.write(f"part {number}.py", f"rate_of_{number} = compute_rate_of({number})\n")
        work.commit(f"Write part {number}")
    shop.git("config", "user.email", "ann@example.org")
    monkeypatch.setenv("HOME", str(machine.home))
    alone, file_text = list[str](), History.file_text

    def noted(self: History, commit: str, path: str) -> str:
        alone.append(path)
        return file_text(self, commit, path)

    monkeypatch.setattr(History, "file_text", noted)
    monkeypatch.setattr(certain_lines, "_AHEAD", ahead)
    with Workspace.open(str(shop.root), home=str(machine.home / ".satchel")) as opened:
        records = list(trace_records(opened))
    paths = [file["path"] for record in records for file in record["files"]]
    assert paths == [f"part {number}.py" for number in range(COMMITS)]
    assert alone == paths[ahead:]


def test_files_of_any_name_are_read_at_once(tmp_path: Path) -> None:
    made = Repository(tmp_path / "shop")
    made.root.mkdir()
    made.git("init", "-q", "-b", "main")
    texts = {
        "a b.py": "one\ntwo\n", "empty.py": "", "is missing": "there\n", "blob 7": "seven\n",
        "ü.py": "schön\n", "last.py": "no end of line",
    }  # fmt: skip
    for path, text in {**texts, "new\nline.py": "left out\n"}.items():
        (made.root / path).write_text(text, "utf-8")
    (made.root / "folder").mkdir()
    (made.root / "folder" / "c.py").write_text("c\n")
    made.git("add", "--all")
    made.git("commit", "-m", "first")
    head = made.git("rev-parse", "HEAD").strip()
    asked = ["gone.py", "gone missing", *texts, "new\nline.py", "folder", "folder/c.py"]
    found = texts_of(str(made.root), [(head, path) for path in asked])
    assert {path: text for (_, path), text in found.items()} == {**texts, "folder/c.py": "c\n"}
    assert texts_of(str(made.root), []) == {}
