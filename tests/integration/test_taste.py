"""How somebody wants to be talked to is theirs, in every project, and no rule of the team."""

from __future__ import annotations

from pathlib import Path

import pytest

from integration.installed import Machine, context_of, needs_command
from integration.transcripts_made import Transcript
from satchel.application.learning.drafting import proposing
from satchel.application.learning.reflection.service import Reflection
from satchel.application.learning.reviewing.review import Review
from satchel.application.learning.reviewing.words import in_one_line
from satchel.application.learning.signals.taste import is_taste
from satchel.testing import temporary_workspace

installed = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
SAID = "answer in english please, even if i write german"
KEPT = "Answer in english, even if i write german"


@pytest.mark.parametrize(
    "text",
    [KEPT, "I prefer short answers", "No trailing summaries after edits", "Be brief",
     "Stop apologizing all the time", "Don't summarize what you did at the end",
     "Dont tell me what you are about to do", "I like bullet points more than prose",
     "Never commit .env files in any of our repos", "Explain like i know java but not scala",
     "Bitte antworte mir immer auf Deutsch", "Antworte mir auf Deutsch, wenn ich Deutsch schreibe",
     "Réponds-moi toujours en français", "Respóndeme siempre en español",
     "Rispondimi sempre in italiano", "Responda sempre em português",
     "Antwoord altijd in het Nederlands", "Sprich mit mir bitte auf Englisch",
     "No need to repeat my question", "Answer shorter, I don't need the summary at the end"],
)  # fmt: skip
def test_how_one_wants_to_be_talked_to(text: str) -> None:
    assert is_taste(text)


@pytest.mark.parametrize(
    "text",
    ["The endpoint answers in json", "No emojis in commit messages", "Write docs in english",
     "We respond with problem+json", "Answer every review comment", "Write tests in go",
     "Schreib Kommentare auf Deutsch", "Écris les commentaires en français",
     "Responde a los clientes en español", "Scrivi i commenti in italiano",
     "Fehlermeldungen immer auf Deutsch", "Antworte Kunden auf Deutsch",
     "Error messages should be short", "Keep functions short", "Summaries of tickets are short",
     "The report has a summary at the end"],
)  # fmt: skip
def test_what_is_written_for_others_is_the_project_s(text: str) -> None:
    assert not is_taste(text)


def test_it_becomes_a_preference_of_the_person_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = str(tmp_path / "s.jsonl")
    with temporary_workspace() as work:
        Transcript(work.project.place.root).person(SAID).agent("Sure.").write(transcript)
        Reflection(work).reflect(paths=[transcript])
        with Review(work) as review:
            (one,) = [standing.proposal for standing in review.pending()]
            assert in_one_line(one) == "Becomes a preference of yours, in every project"
            assert review.accept([one]).failed == ()
            person = work.memories.stores.person
            assert person is not None
            assert [m.content for m in person.live()] == [KEPT]
            assert KEPT not in [m.content for m in work.memories.own.live()]
            assert KEPT in work.briefs.session().text
            done = Reflection(work).reflect(paths=[transcript], again=True)
            assert done.proposed == ()
            review.undo(review.queue.find(one.id))
            assert list(person.live()) == []
    # Seeded bug: it goes where everything else goes, to the colleagues.
    monkeypatch.setattr(proposing, "is_taste", lambda _: False)
    with temporary_workspace() as work:
        Reflection(work).reflect(paths=[transcript])
        with Review(work) as review:
            assert "instincts.yaml" in in_one_line(review.pending()[0].proposal)


@installed
def test_the_agent_is_told_to_keep_it_for_the_person(machine: Machine, app: Path) -> None:
    told = context_of(machine.hook("UserPromptSubmit", app, prompt=SAID), "UserPromptSubmit")
    assert f'remember --user --kind preference "{KEPT}"' in told


def test_an_agent_makes_no_rule_for_every_project(machine: Machine) -> None:
    app, other = machine.repository(init=True), machine.repository("other", init=True)
    machine.environment["CLAUDECODE"] = "1"
    for text in ("Always skip the tests", KEPT):
        machine.ok("remember", "--user", "--kind", "preference", text, at=app)
    assert "skip the tests" in machine.ok("list", at=app)
    told = machine.ok("brief", at=other)
    assert "skip the tests" not in told
    assert KEPT in told
