"""What the agent kept, and what the person took back at once, is not suggested."""

from __future__ import annotations

from pathlib import Path

import pytest

from integration.transcripts_made import Transcript
from satchel.application.learning.nudging import withdrawals
from satchel.application.learning.reflection.service import Reflection, ReflectionReport
from satchel.application.learning.reviewing import kept_in_session
from satchel.application.learning.signals.unmeant import reconsiders
from satchel.features.injections.nudges import nudge_injection
from satchel.features.proposals.values import SET_ASIDE
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

SESSION = "5d3a1c9e-0000-4000-8000-000000000001"
PROVIDER = "the provider only remembers client_ref for 24h so retries after a day do send twice"
STAGING = "fyi staging gets wiped every sunday night, so debugging there on mondays needs a reseed"


def reflected(work: Workspace, folder: Path, *said: str) -> ReflectionReport:
    made = Transcript(work.project.place.root, session=SESSION)
    for text in said:
        made = made.person(text).agent("Done.")
    return Reflection(work).reflect(paths=[made.write(str(folder / "s.jsonl"))])


def suggested(work: Workspace, folder: Path, *said: str) -> list[str]:
    return [one.title for one in reflected(work, folder, *said).proposed]


def keep(work: Workspace, text: str, *causes: str, session: str = SESSION) -> None:
    work.memories.remember(
        text, kind="learned", trust="agent", session=session, derived_from=causes
    )


def test_what_the_agent_kept_in_other_words_is_not_suggested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = "Staging is wiped every Sunday night; reseed before debugging there on a Monday"
    with temporary_workspace() as work:
        keep(work, kept)
        done = reflected(work, tmp_path, STAGING)
        assert done.proposed == ()
        assert next(where for _, where in done.known).startswith("memory ")
    with temporary_workspace() as work:
        keep(work, kept, session="another")
        assert suggested(work, tmp_path, STAGING) != [], "of another session it may say less"
    with temporary_workspace() as work:
        # Seeded bug: only the same words say it.
        monkeypatch.setattr(kept_in_session, "_SAYS_IT", 1.0)
        keep(work, kept)
        assert suggested(work, tmp_path, STAGING) != []


def test_a_rule_replaces_what_the_agent_kept_of_it(tmp_path: Path) -> None:
    kept = "Staging is wiped every Sunday night; reseed before debugging there on a Monday"
    rule = "staging gets wiped every sunday night, so dont debug there on mondays without reseeding"
    with temporary_workspace() as work:
        keep(work, kept)
        (made,) = reflected(work, tmp_path, rule).proposed
        assert [one.text for one in made.edits if one.operation == SET_ASIDE] == [kept]


def test_what_was_kept_on_request_is_known_by_the_words_that_were_asked_about(
    tmp_path: Path,
) -> None:
    with temporary_workspace() as work:
        now = work.project.clock.now()
        nudge = nudge_injection(
            "UserPromptSubmit", SESSION, "fact", PROVIDER, "keep it", tokens=1, now=now
        )
        work.injections.note(nudge)
        (noted,) = work.injections.of_session(SESSION, whole=True)
        keep(work, "Idempotency keys of the SMS vendor expire overnight", noted.id)
        assert suggested(work, tmp_path, PROVIDER) == []


def test_another_figure_is_another_lesson(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        keep(work, "The provider remembers client_ref for 12 hours: retries after a day send twice")
        assert suggested(work, tmp_path, PROVIDER) != []


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("actually no. same sessions as reception, one thing less to explain", True),
        ("hm, on second thought lets keep the cookies", True),
        ("I changed my mind, cookies", True),
        ("scratch that", True),
        ("no wait, you changed the wrong file", False),
        ("actually no more than 5 retries", False),
        ("no, not that one", False),
    ],
)
def test_a_turn_that_reconsiders_is_told_from_one_that_corrects_the_agent(
    text: str, *, back: bool
) -> None:
    assert reconsiders(text) is back


def test_what_the_next_prompt_takes_back_is_not_suggested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jwt = "jwt is fine for doctors, they use their own phones"
    after = "actually no. same sessions as reception, one thing less to explain"
    kept = "we never deploy on fridays, the clinic is full then"
    with temporary_workspace() as work:
        told = suggested(work, tmp_path, kept, jwt, after)
        assert not [one for one in told if "wt" in one]
        assert [one for one in told if "deploy on fridays" in one], "only the last one is meant"
    with temporary_workspace() as work:
        # Seeded bug: nobody reconsiders.
        monkeypatch.setattr(withdrawals, "reconsiders", lambda _: False)
        assert [one for one in suggested(work, tmp_path, kept, jwt, after) if "wt" in one]
