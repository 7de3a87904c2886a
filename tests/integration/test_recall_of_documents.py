"""A plain question finds the documents that a person registered, and no note by chance."""

import os
from collections.abc import Iterator

import pytest

from satchel.application.recall.tiers import ProjectTiers
from satchel.features.notes import relevance
from satchel.features.notes.collections import Collection
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

QUESTION = "how are failed payments retried"
DECISION = "# Retry from an outbox\n\nFailed payments are retried from the table outbox.\n"
EPISODE = "---\ntype: episode\ntitle: Lint\n---\n\n## Asked\n\n- why has the linter failed\n"


@pytest.fixture
def project() -> Iterator[Workspace]:
    with temporary_workspace() as workspace:
        root = workspace.project.place.root
        put(os.path.join(root, "docs", "adr", "0003.md"), DECISION)
        put(os.path.join(root, "docs", "solutions", "lint", "failed.md"), EPISODE)
        with workspace.notes as notes:
            notes.add_collection(Collection("decisions", os.path.join(root, "docs", "adr")))
        yield workspace


def put(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def titles(project: Workspace, question: str, *, weak: bool = False) -> list[str]:
    return [one.title for one in ProjectTiers(project, question, weak=weak).answer(10).pieces]


def test_a_registered_document_answers_and_one_shared_word_does_not(project: Workspace) -> None:
    assert titles(project, QUESTION) == ["Retry from an outbox"]
    assert sorted(titles(project, QUESTION, weak=True)) == ["Lint", "Retry from an outbox"]


def test_one_shared_word_that_counts_is_noticed(
    project: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug: whatever shares a word answers."""
    monkeypatch.setattr(relevance, "shares_enough", lambda *_: True)
    assert "Lint" in titles(project, QUESTION)
