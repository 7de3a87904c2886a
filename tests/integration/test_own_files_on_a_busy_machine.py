"""On a busy machine git answers late: a person's own files are still their own."""

from pathlib import Path
from typing import Any

import pytest

from satchel.application import approval
from satchel.application.health.status import project_status
from satchel.application.outlet import held_back
from satchel.storage import git
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

#: What a busy machine needs for one answer, seconds.
_NEEDED = 2.0


def committed(work: Workspace) -> str:
    """Commit a file of instructions; return its path."""
    path = Path(work.project.place.root, "CLAUDE.md")
    path.write_text("- Use polars, not pandas\n", encoding="utf-8")
    for words in (("add", "CLAUDE.md"), ("commit", "-qm", "Say what is used")):
        assert git.ask_as_person(work.project.place.root, *words).code == 0
    return str(path)


def test_status_recall_and_approve_wait_for_git(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = git.ask

    def late(root: str, *words: str, seconds: float = git.SECONDS, **rest: Any) -> Any:
        if seconds < _NEEDED and {"blame", "log", "cat-file"} & set(words):
            raise git.GitError("git gave no answer in time")
        return ask(root, *words, seconds=seconds, **rest)

    with temporary_workspace(git=True) as work:
        root = work.project.place.root
        git.ask_as_person(root, "config", "user.name", "Ann")
        git.ask_as_person(root, "config", "user.email", "ann@example.org")
        approval.believe_self(work)
        path = committed(work)
        monkeypatch.setattr(git, "ask", late)
        assert project_status(work).unapproved == approval.waiting(work).total == 0
        assert held_back(work, [path]) == frozenset()
        # A hook cannot wait, and shows nothing that it is not sure of.
        work.project.patient = False
        Path(work.project.state.file_authors).unlink(missing_ok=True)
        assert held_back(work, [path]) == {path}
