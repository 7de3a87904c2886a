"""Recall tells a session's course once: by its episode or a checkpoint, whichever fits better."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from integration.transcripts_made import Transcript
from satchel.application.learning.reflection.service import Reflection
from satchel.application.recall.conversions import note_result
from satchel.application.recall.results import Result
from satchel.application.recall.tiers import project_tiers as tiers
from satchel.application.recall.tiers.project_tiers import ProjectTiers
from satchel.features.notes.finding import NoteMatch
from satchel.interfaces.rendering import Style, routed_text
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

SESSION = "5d3a1c9e-0000-4000-8000-000000000001"
ASKED = "please redact secrets in SECRETS.md before the upload"


@pytest.fixture
def reflected(tmp_path: Path) -> Iterator[Workspace]:
    with temporary_workspace() as workspace:
        os.makedirs(workspace.project.tracked.solutions)  # a project that has notes
        talk = Transcript(workspace.project.place.root, SESSION).person(ASKED).agent("Redacted.")
        Reflection(workspace).reflect(paths=[talk.write(str(tmp_path / "talk.jsonl"))])
        yield workspace


@pytest.fixture
def worked(reflected: Workspace) -> Workspace:
    reflected.remember(
        f"Asked: {ASKED} | Done: All of it",
        kind="checkpoint",
        title="Session checkpoint (session_end)",
        session=SESSION,
    )
    return reflected


def found(workspace: Workspace) -> tuple[Result, ...]:
    return ProjectTiers(workspace, "how do we redact secrets before the upload").answer(10).pieces


def test_a_session_is_told_once(worked: Workspace) -> None:
    (piece,) = found(worked)
    assert piece.story_of == SESSION


def test_an_episode_beside_its_checkpoint_is_noticed(
    worked: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug: an episode does not say whose it is."""

    def unnamed(note: NoteMatch) -> Result:
        return note_result(note)._replace(story_of="")

    monkeypatch.setattr(tiers, "note_result", unnamed)
    assert len(found(worked)) > 1


def test_what_a_session_said_elsewhere_is_told_too(worked: Workspace) -> None:
    """A second checkpoint has an answer of its own."""
    worked.remember(
        "Asked: which port has the database for secrets | Done: It is 6432",
        kind="checkpoint",
        title="Session checkpoint (pre_compact)",
        session=SESSION,
    )
    pieces = ProjectTiers(worked, "redact secrets of the database port").answer(10).pieces
    assert len([one for one in pieces if one.story_of == SESSION]) == 2


def test_it_is_printed_without_what_says_nothing(worked: Workspace) -> None:
    answer = ProjectTiers(worked, ASKED).answer(10)
    told = routed_text(answer, Style(colour=False), worked.project.clock.now())
    assert "Session checkpoint" not in told
    assert told.count(ASKED) == 1


def test_an_episode_is_quoted_where_it_answers(tmp_path: Path) -> None:
    with temporary_workspace() as workspace:
        os.makedirs(workspace.project.tracked.solutions)
        talk = Transcript(workspace.project.place.root, SESSION)
        for said in (
            "please look around",
            "draw a chart of the sales",
            "why not use tenacity here?",
        ):
            talk.person(said).agent("urllib3 retries by itself.")
        Reflection(workspace).reflect(paths=[talk.write(str(tmp_path / "talk.jsonl"))])
        (piece,) = ProjectTiers(workspace, "why not tenacity").answer(10).pieces
    assert piece.text == "- why not use tenacity here? → urllib3 retries by itself."


def test_a_question_is_told_with_the_answer_that_it_got(tmp_path: Path) -> None:
    with temporary_workspace() as workspace:
        os.makedirs(workspace.project.tracked.solutions)
        talk = Transcript(workspace.project.place.root, SESSION)
        talk.person("who sends our emails again").agent("Let me look.")
        talk.agent("Postmark, through shop/mail.py.").person("make the margins wider").agent(
            "They are."
        )
        Reflection(workspace).reflect(paths=[talk.write(str(tmp_path / "talk.jsonl"))])
        (mails,) = ProjectTiers(workspace, "who sends emails").answer(10).pieces
        (margins,) = ProjectTiers(workspace, "wider margins").answer(10).pieces
    assert "who sends our emails again → Postmark, through shop/mail.py." in mails.text
    assert "They are" not in margins.text, "an order is no question"


def test_an_episode_is_named_by_its_session(reflected: Workspace) -> None:
    answer = ProjectTiers(reflected, ASKED).answer(10)
    told = routed_text(answer, Style(colour=False), reflected.project.clock.now())
    said, place = told.splitlines()
    assert said.startswith(f"[SESSION] {ASKED}")
    assert said.count(ASKED) == 1
    assert place == "  session 5d3a1c9e"
    now = reflected.project.clock.now()
    older = tuple(one._replace(at=now - 2 * 86_400) for one in answer.pieces)
    told = routed_text(answer._replace(pieces=older), Style(colour=False), now)
    assert told.splitlines()[1] == "  session 5d3a1c9e, 2 days ago"
    told = routed_text(answer, Style(colour=False), now, explain=True)
    assert "  warm · episodes · session 5d3a1c9e" in told.splitlines()


def answers(folder: Path, question: str, *talks: tuple[str, str]) -> list[str]:
    with temporary_workspace() as workspace:
        os.makedirs(workspace.project.tracked.solutions)
        for at, (said, told) in enumerate(talks):
            talk = Transcript(workspace.project.place.root, f"{SESSION[:-1]}{at}")
            path = talk.person(said).agent(told).write(str(folder / f"{at}.jsonl"))
            Reflection(workspace).reflect(paths=[path])
        return [one.text for one in ProjectTiers(workspace, question).answer(10).pieces]


def test_a_question_is_found_with_its_answer_however_short(tmp_path: Path) -> None:
    asked = "which db do we use for the offline cache?"
    (told,) = answers(tmp_path, "db for the offline cache", (asked, "sqlite."))
    assert told.endswith("sqlite.")


def test_a_question_that_nobody_answered_answers_nothing(tmp_path: Path) -> None:
    asked = "which db do we use for the offline cache?"
    assert answers(tmp_path, "db for the offline cache", (asked, "ok")) == []


def test_an_episode_that_repeats_a_lesson_is_not_told_beside_it(tmp_path: Path) -> None:
    lesson = "we never upload SECRETS.md before redacting it"
    with temporary_workspace() as workspace:
        os.makedirs(workspace.project.tracked.solutions)
        talk = Transcript(workspace.project.place.root, SESSION).person("add an upload step")
        talk = talk.agent("Added.").person(lesson).agent("Understood.")
        Reflection(workspace).reflect(paths=[talk.write(str(tmp_path / "talk.jsonl"))])
        question = "what about the upload of SECRETS.md"
        assert [one.source for one in ProjectTiers(workspace, question).answer(10).pieces] == [
            "episodes"
        ]
        workspace.learn(lesson)
        (piece,) = ProjectTiers(workspace, question).answer(10).pieces
        assert piece.found
