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


def indexed(project: Workspace) -> object:
    """The open database of the project's notes; another if it was opened again."""
    return project.notes.indexes.indexes()[0].index.database


def test_questions_to_an_open_workspace_open_its_notes_once(project: Workspace) -> None:
    """A server opened and closed them for each question: a quarter of its processor time."""
    titles(project, QUESTION)
    first = indexed(project)
    titles(project, QUESTION)
    assert indexed(project) is first
    project.close()
    assert indexed(project) is not first


def test_an_open_workspace_follows_collections_that_another_process_adds_and_removes(
    project: Workspace,
) -> None:
    root = project.project.place.root
    put(os.path.join(root, "guides", "cranes.md"), "# Cranes\n\nCranes are greased on Mondays.\n")
    asked = "when are the cranes greased"
    assert titles(project, asked) == []
    with project.reopened() as other:
        with other.notes as notes:
            notes.add_collection(Collection("guides", os.path.join(root, "guides")))
        assert titles(project, asked) == ["Cranes"]
        with other.notes as notes:
            notes.remove_collection("guides")
    assert titles(project, asked) == []
    assert titles(project, QUESTION) == ["Retry from an outbox"]
