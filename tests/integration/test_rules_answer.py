"""Rules that a person laid down answer like memories, above sessions; what was only asked does not."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from integration.transcripts_made import Transcript
from satchel.application.recall.results import Result
from satchel.application.recall.tiers.project_tiers import ProjectTiers
from satchel.features.instincts.values import NewInstinct
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

OLD = "Run plain `dotnet build` to check that it compiles."
RULES = (
    "Don't run plain dotnet build, godot needs the generated glue first. Use tools/build.sh always",
    "Code comments are in English.",
    "Mira says health is never green in our game, use the red from the palette",
    "Saves are JSON in user://saves.",
    "We ship no debug symbols in the demo",
)
SOFT = "Damage is int everywhere, floats gave us desyncs between host and client"
BOSS = "The boss rat is called Ratte in code, don't mix those up"


@pytest.fixture
def project() -> Iterator[Workspace]:
    with temporary_workspace() as workspace:
        root = workspace.project.place.root
        with open(os.path.join(root, "CLAUDE.md"), "w", encoding="utf-8") as file:
            lines = "".join(f"- {one}\n" for one in RULES)
            file.write(f"# Cellar\n\n- {OLD}\n\n## Learned Rules\n{lines}")
        workspace.instincts.add(NewInstinct(SOFT, source="a person"))
        workspace.learn(BOSS)
        workspace.learn("Sound is mono, music is stereo")
        workspace.remember("We stay on godot 4.3 until the demo is out", kind="decision")
        yield workspace


def pieces(project: Workspace, question: str) -> tuple[Result, ...]:
    return ProjectTiers(project, question).answer(10).pieces


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how do i build", RULES[0]),
        ("in which language do we comment", RULES[1]),
        ("health colour", RULES[2]),
        ("save format", RULES[3]),
        ("damage number", SOFT),
        ("boss name", BOSS),
        ("godot version", "We stay on godot 4.3 until the demo is out"),
    ],
)
def test_what_a_person_laid_down_answers(project: Workspace, question: str, answer: str) -> None:
    assert answer in [one.title for one in pieces(project, question)]


@pytest.mark.parametrize(
    "question",
    ["what is the meaning of life", "refund policy", "project colour", "how do i center a div",
     "which css framework do we use", "kubernetes version"],
)  # fmt: skip
def test_what_concerns_another_project_finds_no_rule(project: Workspace, question: str) -> None:
    assert pieces(project, question) == ()


def test_a_line_that_a_later_one_contradicts_stands_behind_it(project: Workspace) -> None:
    found = {one.title: one for one in pieces(project, "how do i build with dotnet")}
    titles = list(found)
    assert titles.index(RULES[0]) < titles.index(OLD)
    assert found[OLD].text == "CLAUDE.md:6, written later, says otherwise"
    assert found[RULES[0]].text == ""


@pytest.mark.parametrize("question", ["retry payment", "how often may a payment be retried"])
def test_the_only_rule_is_told_once_and_beside_a_session(question: str) -> None:
    with temporary_workspace() as workspace:
        rules = os.path.join(workspace.project.place.root, "CLAUDE.md")
        with open(rules, "w", encoding="utf-8") as file:
            file.write("## Learned Rules\n- We never retry a payment more than 3 times\n")
        assert [one.place for one in pieces(workspace, question)] == ["CLAUDE.md:2"]
        workspace.remember(
            "Asked: fix the retry of a payment, it loops forever | Open: no answer yet",
            kind="checkpoint",
            session="one",
        )
        assert pieces(workspace, question)[0].place == "CLAUDE.md:2"


def test_a_rule_stands_above_the_course_of_a_session(project: Workspace) -> None:
    project.remember(
        "Asked: take the debug symbols out of the demo | Done: Stripped the debug symbols.",
        kind="checkpoint",
        session="one",
    )
    titles = [one.title for one in pieces(project, "do we ship debug symbols in the demo")]
    assert titles[0] == RULES[4]
    assert len(titles) == 2


def test_a_question_that_was_asked_once_answers_none(project: Workspace, tmp_path: Path) -> None:
    talk = Transcript(project.project.place.root)
    talk.person("write the store text")
    path = talk.person("is there anything about the wyvern name i should know?").write(
        str(tmp_path / "talk.jsonl")
    )
    sessions = project.sessions
    sessions.archive.import_transcripts(paths=[path])
    sessions.close()
    assert pieces(project, "wyvern name") == ()
    asked = ProjectTiers(project, "wyvern name").only("archive", 10).pieces
    assert ["wyvern" in one.text for one in asked] == [True]
