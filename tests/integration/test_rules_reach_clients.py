"""A rule goes into a file that the clients in use here read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from integration.transcripts_made import Transcript
from satchel.application.learning.reflection import Reflection
from satchel.application.learning.review import Review
from satchel.testing import temporary_workspace

HOOKS = {
    "hooks": {
        "SessionStart": [
            {"hooks": [{"type": "command", "command": "satchel hook SessionStart", "timeout": 10}]}
        ]
    }
}


def written_to(tmp_path: Path, files: dict[str, str], *, wired: bool = True) -> set[str]:
    """Return the files that have an accepted rule, where Claude Code is wired."""
    with temporary_workspace() as work:
        root = Path(work.project.place.root)
        for name, text in files.items():
            (root / name).write_text(text)
        if wired:
            (root / ".claude").mkdir()
            (root / ".claude" / "settings.json").write_text(json.dumps(HOOKS))
        said = "never call the billing api from tests, it costs real money"
        made = Transcript(work.project.place.root).person(said).agent("Done.")
        Reflection(work).reflect(paths=[made.write(str(tmp_path / "s.jsonl"))])
        with Review(work) as review:
            review.accept([one.proposal for one in review.pending()])
        return {
            name
            for name in os.listdir(root)
            if name in files and "billing" in (root / name).read_text()
        }


BOTH = {"AGENTS.md": "# Shop\n", "CLAUDE.md": "# Shop\n"}


@pytest.mark.parametrize(
    ("files", "wired", "where"),
    [
        (BOTH, True, {"CLAUDE.md"}),
        (BOTH, False, {"AGENTS.md"}),
        ({**BOTH, "CLAUDE.md": "@AGENTS.md\n"}, True, {"AGENTS.md"}),
        ({"AGENTS.md": "# Shop\n"}, True, {"AGENTS.md"}),
    ],
)
def test_a_rule_goes_where_it_is_read(
    tmp_path: Path, files: dict[str, str], *, wired: bool, where: set[str]
) -> None:
    assert written_to(tmp_path, files, wired=wired) == where
