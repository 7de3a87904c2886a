"""What was replaced comes back as its successor is taken back; a plan for later replaces nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from integration.transcripts_made import Transcript
from satchel.application.learning.reflection.service import Reflection
from satchel.application.learning.reviewing import bringing_back
from satchel.application.learning.reviewing.review import Review
from satchel.engine.words import says_later
from satchel.features.instincts.values import NewInstinct
from satchel.features.proposals.values import Proposal
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

RULES = "# Shop\n\n## TypeScript\n- Use pnpm, not npm\n- No default exports\n\n## Git\n- Squash\n"
BUN = "no more pnpm here, use bun"


def suggested(work: Workspace, folder: Path, said: str, *, session: str) -> list[Proposal]:
    talk = Transcript(work.project.place.root, session=session).person(said).agent("Done.")
    Reflection(work).reflect(paths=[talk.write(str(folder / f"{session}.jsonl"))])
    with Review(work) as review:
        return [one.proposal for one in review.pending()]


def accepted(work: Workspace, folder: Path, said: str, *, session: str = "one") -> Proposal:
    (made,) = suggested(work, folder, said, session=session)
    with Review(work) as review:
        assert review.accept([made]).failed == ()
    return made


def written(work: Workspace) -> Path:
    path = Path(work.project.place.root) / "CLAUDE.md"
    path.write_text(RULES)
    os.utime(path, (0, 0))
    return path


@pytest.mark.parametrize(
    "said",
    [
        "ok forget bun, we stay with pnpm",
        "forget what i said about bun, we stay with pnpm",
        "scrap the bun idea",
    ],
)
def test_the_line_that_was_replaced_comes_back_under_its_heading(said: str, tmp_path: Path) -> None:
    with temporary_workspace() as work:
        path = written(work)
        accepted(work, tmp_path, BUN)
        assert "Use pnpm" not in path.read_text()
        back = accepted(work, tmp_path, said, session="two")
        assert back.title == "Take back: No more pnpm, use bun"
        text = path.read_text()
        assert "bun" not in text
        assert "- No default exports\n- Use pnpm, not npm\n\n## Git" in text
        with Review(work) as review:
            review.undo(review.queue.find(back.id))
        assert "use bun" in path.read_text()
        assert "Use pnpm" not in path.read_text()


def test_what_now_holds_instead_keeps_the_old_line_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "forget what i said about bun, we never use pnpm again, yarn it is"
    with temporary_workspace() as work:
        written(work)
        accepted(work, tmp_path, BUN)
        made = suggested(work, tmp_path, said, session="two")
        back = next(one for one in made if one.title.startswith("Take back"))
        assert [edit.text for edit in back.edits] == ["- No more pnpm, use bun"]
    with temporary_workspace() as work:
        # Seeded bug: nobody asks what holds instead.
        monkeypatch.setattr(bringing_back, "clashes", lambda *_: [])
        written(work)
        accepted(work, tmp_path, BUN)
        made = suggested(work, tmp_path, said, session="two")
        assert any("Use pnpm, not npm" in edit.text for one in made for edit in one.edits)


def test_a_soft_rule_and_a_memory_come_back_too(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        work.instincts.add(NewInstinct("Use jOOQ, not Exposed"))
        os.utime(work.project.tracked.place("instincts"), (0, 0))
        accepted(work, tmp_path, "no more jooq please, we use exposed from now on")
        assert "Use jOOQ, not Exposed" not in [r.rule for r in work.instincts.read().instincts]
        accepted(work, tmp_path, "ok forget exposed, we stay with jooq", session="two")
        assert [r.rule for r in work.instincts.read().instincts] == ["Use jOOQ, not Exposed"]


@pytest.mark.parametrize(
    ("text", "later"),
    [
        ("We switch to bun next week, new scripts should already work with bun", True),
        ("we move to sftp next month", True),
        ("Soon we use Postgres for this", True),
        ("once the migration is done we use liquibase", True),
        ("we moved to bun last week", False),
        ("Releases are on Thursdays now", False),
        ("run it once, it is slow", False),
        ("the next page token is opaque", False),
        ("", False),
    ],
)
def test_a_plan_is_told_from_what_holds(text: str, *, later: bool) -> None:
    assert says_later(text) is later


def test_a_plan_for_later_is_suggested_beside_what_holds(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        path = written(work)
        plan = "we switch to bun next week btw, new scripts should already work with bun"
        accepted(work, tmp_path, plan)
        assert path.read_text() == RULES
        assert "We switch to bun next week" in work.briefs.session().text


def test_a_remembered_plan_does_not_end_the_decision_that_holds() -> None:
    with temporary_workspace() as work:
        work.remember("We use redis for the sessions", kind="decision")
        plan = work.remember("We drop redis for the sessions next month", kind="decision")
        assert plan.supersedes == ()
        done = work.remember("We drop redis for the sessions", kind="decision")
        assert done.supersedes != ()
