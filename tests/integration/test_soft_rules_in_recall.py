"""Recall finds rules, soft and in files, beside what else answers, and matches no words by chance."""

import os
from collections.abc import Iterator

import pytest

from satchel.application import approval
from satchel.application.outlet import ASIDE
from satchel.application.recall.tiers.project_tiers import ProjectTiers
from satchel.core.trust import UNAPPROVED
from satchel.features.instincts.values import NewInstinct
from satchel.interfaces.rendering import Style, routed_text
from satchel.testing import run_git, temporary_workspace
from satchel.workspace import Workspace

RULE = "Migrations are done with goose, and each one needs a down part"


@pytest.fixture
def project() -> Iterator[Workspace]:
    with temporary_workspace() as workspace:
        workspace.instincts.add(NewInstinct(RULE, source="a person"))
        for done in ("Written.", "All of it.", "Fixed."):
            workspace.remember(
                f"Asked: list the carts of a customer\nDone: {done}",
                kind="checkpoint",
                title="Session checkpoint (session_end)",
                session=done,
            )
        workspace.learn("The migrations of the shop run before the deploy")
        yield workspace


def titles(project: Workspace, question: str) -> list[str]:
    return [one.title for one in ProjectTiers(project, question).answer(10).pieces]


def test_a_soft_rule_answers_beside_memories(project: Workspace) -> None:
    found = titles(project, "how are migrations done with goose")
    assert RULE in found
    assert "Session checkpoint (session_end)" not in found
    answer = ProjectTiers(project, "migrations with goose").answer(10)
    told = routed_text(answer, Style(colour=False), project.project.clock.now())
    assert f"[SOFT RULE] {RULE}" in told
    assert ".satchel/instincts.yaml:" in told


def test_the_hot_tier_and_its_source_hold_it(project: Workspace) -> None:
    for tier in ("hot", "hot/rules"):
        pieces = ProjectTiers(project, "migrations with goose").only(tier, 10).pieces
        assert RULE in [one.title for one in pieces]


def test_a_file_that_cannot_be_read_takes_no_answer_away(project: Workspace) -> None:
    path = project.project.tracked.place("instincts")
    with open(path, "wb") as file:
        file.write(b"instincts: [\xff\x00")
    answer = ProjectTiers(project, "when do the migrations of the shop run").answer(10)
    assert [one.title for one in answer.pieces]
    assert "soft rules" in answer.missing


def test_what_nobody_approved_says_so() -> None:
    with temporary_workspace(git=True, own=False) as workspace:
        path = workspace.project.tracked.place("instincts")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"instincts:\n  - id: inst-1\n    rule: {RULE}\n    confidence: 0.9\n")
        root = workspace.project.place.root
        run_git(root, "add", "--all")
        run_git(root, "commit", "--quiet", "--author", "Mal <mal@example.org>", "-m", "rules")
        (piece,) = ProjectTiers(workspace, "migrations with goose").answer(10).pieces
        assert (piece.title, piece.trust) == (RULE, UNAPPROVED)


def test_what_is_left_of_short_forms_answers_nothing(project: Workspace) -> None:
    project.learn("It's the cart service that's in Go; let's keep its tests, and we'll see")
    assert titles(project, "what's the capital of France") == []


WRITTEN = "Business constants go in src/limits.py, not in pay.py"


def write(workspace: Workspace, name: str, text: str) -> None:
    with open(os.path.join(workspace.project.place.root, name), "w", encoding="utf-8") as file:
        file.write(text)


@pytest.mark.parametrize("name", ["CLAUDE.md", "AGENTS.md", ".satchel/MEMORY.md"])
def test_a_line_of_a_file_that_agents_read_answers_beside_memories(
    project: Workspace, name: str
) -> None:
    write(project, name, f"# App\n\n- Run it with make.\n\n## Learned Rules\n- {WRITTEN}\n")
    project.learn("Constants of the tax office change in January")
    found = titles(project, "where do business constants go")
    assert found.count(WRITTEN) == 1
    answer = ProjectTiers(project, "where do business constants go").answer(10)
    (piece,) = (one for one in answer.pieces if one.title == WRITTEN)
    assert piece.place.endswith(f"{os.path.basename(name)}:6")
    assert WRITTEN not in titles(project, "where does the constant hum come from")


def test_a_strangers_line_says_that_nobody_approved_it() -> None:
    with temporary_workspace(git=True, own=False) as workspace:
        write(workspace, "CLAUDE.md", f"- {WRITTEN}\n")
        root = workspace.project.place.root
        run_git(root, "add", "--all")
        run_git(root, "commit", "--quiet", "--author", "Mal <mal@example.org>", "-m", "rules")
        (piece,) = ProjectTiers(workspace, "where do business constants go").answer(10).pieces
        assert (piece.title, piece.trust) == (WRITTEN, UNAPPROVED)
        waits = approval.with_documents(workspace, approval.waiting(workspace))
        assert [one.path for one in waits.documents] == [os.path.join(root, "CLAUDE.md")]
        approval.approve_files(workspace, waits.documents)
        (piece,) = ProjectTiers(workspace, "where do business constants go").answer(10).pieces
        assert piece.trust != UNAPPROVED, "what is marked can be approved"


def test_files_are_not_loaded_where_no_line_holds_the_words(
    project: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, "CLAUDE.md", f"- {WRITTEN}\n- Migrations need a review\n")
    monkeypatch.setattr(type(project.instructions), "loaded", lambda *_: pytest.fail("loaded"))
    titles(project, "when do migrations of constants run")


def test_a_rule_is_not_told_twice_as_a_line_and_as_a_memory(project: Workspace) -> None:
    rule = "Never run a migration without its down part"
    with open(os.path.join(project.project.place.root, "AGENTS.md"), "w", encoding="utf-8") as file:
        file.write(f"# Agents\n\n- {rule}\n")
    project.learn(f"{rule}.")
    said = [one.text or one.title for one in ProjectTiers(project, rule).answer(10).pieces]
    assert len([one for one in said if "down part" in one and "Never" in one]) == 1


def test_what_holds_comes_before_what_was_put_aside(project: Workspace) -> None:
    earlier = project.learn("Yuki owns the doc of migrations with goose")
    project.memories.own.append([earlier._replace(tags=(ASIDE,), rev=earlier.rev + 1, hash="")])
    found = titles(project, "who owns the doc of migrations with goose")
    assert found.index(RULE) < len(found) - 1
    assert found[-1].startswith("Yuki")


def test_a_preference_is_told_without_a_key_made_from_it(project: Workspace) -> None:
    project.remember("Keep answers about goose short", kind="preference", user=True)
    project.remember("Tabs in SQL", kind="preference", key="goose-style", user=True)
    now = project.project.clock.now()
    for asked, shown in (
        ("answers about goose", "Keep answers about goose short"),
        ("tabs in sql", "goose-style: Tabs in SQL"),
    ):
        told = routed_text(ProjectTiers(project, asked).answer(10), Style(colour=False), now)
        assert f"[PREFERENCE] {shown}\n" in told
