"""A project with a rule, in a home of its own; a morning's session to reflect on."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from integration.transcripts_made import Transcript, a_mornings_work
from satchel.application.learning.reflection.service import Reflection, ReflectionReport
from satchel.testing import run_git, temporary_workspace
from satchel.workspace import Workspace


def project_of_a_person(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    with temporary_workspace(git=True) as workspace:
        home = os.path.join(os.path.dirname(workspace.project.place.root), "person")
        monkeypatch.setenv("HOME", home)
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", os.path.join(home, ".claude"))
        put(workspace, "AGENTS.md", "# Rules\n\n- Use pnpm for packages\n")
        run_git(workspace.project.place.root, "add", "--all")
        run_git(workspace.project.place.root, "commit", "--quiet", "--message", "rules")
        yield workspace


def put(project: Workspace, name: str, text: str) -> str:
    path = Path(project.project.place.root, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def text_of(project: Workspace, name: str) -> str:
    return Path(project.project.place.root, name).read_text(encoding="utf-8")


def worked(project: Workspace, session: Transcript | None = None) -> ReflectionReport:
    """Let a session of the project lie where its client keeps it, and reflect."""
    root = os.path.realpath(project.project.place.root)
    key = "".join(c if c.isalnum() else "-" for c in root)
    made = session or a_mornings_work(root)
    folder = os.path.join(os.environ["CLAUDE_CONFIG_DIR"], "projects", key)
    made.write(os.path.join(folder, f"{made.session}.jsonl"))
    return Reflection(project).reflect()


def tree(root: str) -> dict[str, bytes]:
    """Every file of a work tree, the repository's own left out."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in Path(root).rglob("*")
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }
