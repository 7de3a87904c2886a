"""What was written is said to be written, whatever else cannot be read afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from satchel.application.learning.nudging import standing_rules
from satchel.core.errors import StoreError
from satchel.features.memories import replacing
from satchel.testing import temporary_workspace

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


@pytest.mark.parametrize("what", ["binary", "link", "loop", "directory"])
@pytest.mark.parametrize("name", [".satchel/MEMORY.md", "CLAUDE.md", ".satchel/instincts.yaml"])
def test_a_file_of_rules_that_cannot_be_read_stops_no_memory(
    tmp_path: Path, what: str, name: str
) -> None:
    machine = Machine(tmp_path)
    app = machine.repository()
    path = app / name
    if what == "binary":
        path.write_bytes(b"\xff\xfe\0r\0u\0l\0e\0")
    elif what == "directory":
        path.mkdir()
    else:
        path.symlink_to("/etc/hostname" if what == "link" else path.name)
    said = machine.ok("learn", "The tapir bus is reset high.", at=app)
    assert said.startswith("Remembered lesson")
    said = machine.ok("remember", "--kind", "decision", "Reset the tapir bus by hand.", at=app)
    assert said.startswith("Remembered decision")
    assert len(machine.contents(app)) == 2


def test_nothing_after_the_writing_denies_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise StoreError("index.db cannot be read: Input/output error")

    with temporary_workspace() as workspace:
        made = workspace.learn("The tapir bus is reset high.")
        monkeypatch.setattr(standing_rules, "_contradicted", fails)
        monkeypatch.setattr(replacing, "replaced_by", fails)
        assert standing_rules.contradicted_by(workspace, made) == []
        assert workspace.memories.replaced_by(made) == []
        assert "Input/output error" in Path(workspace.project.state.faults).read_text("utf-8")


def test_what_was_put_aside_names_the_command_that_says_why(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    app = machine.repository()
    machine.ok("learn", "Always run the linter before pushing to main.", at=app)
    machine.ok("learn", "Run the linter before pushing to main, always.", at=app)
    machine.ok("upkeep", at=app)
    (waiting,) = machine.json("review", at=app)
    machine.ok("review", "accept", waiting["id"], at=app)
    (old,) = [one for one in machine.json("list", at=app) if "archived" in one["tags"]]
    command = f"satchel why {old['id'][:14]}"
    for words in (("recall", "linter before pushing"), ("show", old["id"])):
        assert f"put aside: `{command}`" in machine.ok(*words, at=app)
    assert "Merge: Always run the linter" in machine.ok(*command.split()[1:], at=app)
