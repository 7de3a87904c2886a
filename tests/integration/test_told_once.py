"""What stands in an instruction file is told once, and the file keeps all its lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from satchel.application.briefs import session_start
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

RULE = "The tests need no hardware, everything goes through FakePort."
MEMORY = f"""# Memory

```
make flash
```

- {RULE}

```
make log
```
"""


def brief(work: Workspace) -> str:
    """Return the brief of a project whose memory file says what a lesson says."""
    path = Path(work.project.place.root, ".satchel", "MEMORY.md")
    path.parent.mkdir(exist_ok=True)
    path.write_text(MEMORY, "utf-8")
    work.learn(RULE.removesuffix("."))
    work.learn("Version 1.4 of the bootloader is too old.")
    work.learn("Version 14 of the compiler is too new.")
    return work.briefs.session().text


def test_a_lesson_that_a_memory_file_says_is_not_told_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with temporary_workspace() as work:
        told = brief(work)
        assert told.count("FakePort") == 1
        assert "Version 1.4" in told
        assert "Version 14" in told
    with temporary_workspace() as work:
        # Seeded bug: a list mark makes another text.
        monkeypatch.setattr(session_start, "_AROUND_WORDS", "")
        assert brief(work).count("FakePort") == 2


def test_an_instruction_file_keeps_its_fences() -> None:
    with temporary_workspace() as work:
        assert brief(work).count("```") == 4
