"""A plain question finds the documents that a person registered, and no note by chance."""

import os
from collections.abc import Iterator

import pytest

from satchel.application.recall.tiers.project_tiers import ProjectTiers
from satchel.features.notes import reading, relevance
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


OLD = "# Queue: RabbitMQ\n\n{status}\n\nThe queue between shop and warehouse is RabbitMQ, the queue we know.\n"
NEW = "# Queue: a table\n\nStatus: accepted. Supersedes 0001.\n\nThe queue of the warehouse is a table.\n"
ASKED = "which queue between shop and warehouse"


@pytest.mark.parametrize(
    "status",
    [
        "Status: superseded by [0002](0002.md)",
        "## Status\n\nSuperseded by 0002",
        "- **Status:** Superseded by [0002](0002.md).",
    ],
)
def test_a_superseded_decision_comes_after_the_later_one_and_says_so(
    project: Workspace, status: str
) -> None:
    records = os.path.join(project.project.place.root, "docs", "adr")
    put(os.path.join(records, "0001.md"), OLD.format(status=status))
    put(os.path.join(records, "0002.md"), NEW)
    later, earlier = ProjectTiers(project, ASKED).answer(10).pieces
    assert (later.title, earlier.title) == ("Queue: a table", "Queue: RabbitMQ")
    assert earlier.text.startswith("Superseded by 0002.")
    assert "Superseded" not in later.text


def test_a_superseded_decision_that_counts_like_the_later_one_is_noticed(
    project: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug: what a decision record says of its status counts for nothing."""
    monkeypatch.setattr(reading, "superseded_by", lambda *_: "")
    records = os.path.join(project.project.place.root, "docs", "adr")
    put(os.path.join(records, "0001.md"), OLD.format(status="Status: superseded by 0002"))
    put(os.path.join(records, "0002.md"), NEW)
    assert titles(project, ASKED)[0] == "Queue: RabbitMQ"
