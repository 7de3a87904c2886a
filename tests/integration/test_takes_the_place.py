"""What a person says takes the place of what it contradicts, once it is accepted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from integration.transcripts_made import Transcript
from satchel.application.health.run_checks import ProjectChecks
from satchel.application.learning.reflection.service import Reflection
from satchel.application.learning.reviewing import targets
from satchel.application.learning.reviewing.review import Review
from satchel.application.learning.reviewing.words import in_one_line
from satchel.features.checks.reading import BUILT_IN, CONTRADICTIONS, PASSED
from satchel.features.instincts.values import NewInstinct
from satchel.features.proposals.values import Proposal
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

FLYWAY = "we don't use flyway anymore, migrations are in liquibase"
BUILT_IN_CONTRADICTIONS = next(one for one in BUILT_IN if one.about == CONTRADICTIONS)
RULES = "# Shop\n\n- Migrations are Flyway\n- Money is in cents\n"


def written(work: Workspace, text: str, *, old: bool = True) -> Path:
    path = Path(work.project.place.root) / "CLAUDE.md"
    path.write_text(text)
    if old:
        os.utime(path, (0, 0))
    return path


def suggested(work: Workspace, folder: Path, said: str) -> tuple[Review, Proposal]:
    made = Transcript(work.project.place.root).person(said).agent("Done.")
    Reflection(work).reflect(paths=[made.write(str(folder / "s.jsonl"))])
    review = Review(work)
    (one,) = review.pending()
    return review, one.proposal


def test_a_line_of_a_file_goes_as_the_new_one_comes_and_is_back_with_undo(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        path = written(work, RULES)
        review, one = suggested(work, tmp_path, FLYWAY)
        with review:
            assert one.warnings[0].startswith(
                "takes the place of CLAUDE.md:3: Migrations are Flyway"
            )
            assert in_one_line(one)
            assert review.accept([one]).failed == ()
            assert "Flyway" not in path.read_text()
            assert "liquibase" in work.briefs.session().text + path.read_text()
            path.write_text(path.read_text() + "- Dates are in UTC\n")
            review.undo(review.queue.find(one.id))
            assert path.read_text() == RULES + "- Dates are in UTC\n"


@pytest.mark.parametrize("old", [True, False])
def test_how_tests_are_run_stays_though_another_tool_is_chosen(
    tmp_path: Path, *, old: bool
) -> None:
    commands = "# Shop\n\n- Run tests with `npm test`.\n- Use npm.\n"
    with temporary_workspace() as work:
        path = written(work, commands, old=old)
        review, one = suggested(work, tmp_path, "use pnpm, not npm, in this repo")
        with review:
            assert any("Run tests with `npm test`" in warning for warning in one.warnings)
            assert review.accept([one]).failed == ()
            told = work.briefs.session().text + path.read_text()
            assert "Run tests with `npm test`" in told
            assert ("Use npm." in path.read_text()) is not old
            waiting = [item.proposal.title for item in review.pending()]
            assert waiting == ([] if old else ["Take back: Use npm."])


def test_a_soft_rule_goes_as_the_new_one_comes(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        work.instincts.add(NewInstinct("Use jOOQ, not Exposed"))
        os.utime(work.project.tracked.place("instincts"), (0, 0))
        review, one = suggested(work, tmp_path, "no more jooq please, we use exposed from now on")
        with review:
            assert review.accept([one]).failed == ()
        assert "Use jOOQ, not Exposed" not in [r.rule for r in work.instincts.read().instincts]


def test_a_memory_is_told_no_more_and_is_told_again_with_undo(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        work.memories.remember("Mobile uses bun, not npm", kind="constraint", trust="user")
        review, one = suggested(
            work, tmp_path, "mobile went back to npm, use npm and not bun in mobile"
        )
        with review:
            assert "Mobile uses bun" in work.briefs.session().text
            assert review.accept([one]).failed == ()
            assert "Mobile uses bun" not in work.briefs.session().text
            review.undo(review.queue.find(one.id))
            assert "Mobile uses bun" in work.briefs.session().text


@pytest.mark.parametrize(
    "text",
    [
        "# Shop\n\n- Migrations are Flyway. Money is in cents\n",
        "# Shop\n\n- Migrations are Flyway\n  and live in db/\n",
        "# Shop\n\nMigrations are Flyway\nand money is in cents\n",
    ],
)
def test_a_line_that_says_more_is_named_and_left(tmp_path: Path, text: str) -> None:
    with temporary_workspace() as work:
        path = written(work, text)
        review, one = suggested(work, tmp_path, FLYWAY)
        with review:
            assert not any("takes the place" in told for told in one.warnings)
            assert review.accept([one]).failed == ()
            assert text in path.read_text()


def test_a_file_that_was_changed_since_is_newer_than_what_was_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with temporary_workspace() as work:
        written(work, RULES, old=False)
        review, one = suggested(work, tmp_path, FLYWAY)
        with review:
            assert one.warnings[0].startswith("contradicts CLAUDE.md:3")
            assert len(one.edits) == 1
    # Seeded bug: whatever is said last counts, also of a file that was changed afterwards.
    monkeypatch.setattr(targets, "changed_since", lambda *_: False)
    with temporary_workspace() as work:
        written(work, RULES, old=False)
        assert len(suggested(work, tmp_path, FLYWAY)[1].edits) == 2


def test_what_may_be_about_another_thing_is_named_and_left(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        work.memories.remember("Run the linter before the tests", kind="constraint", trust="user")
        review, one = suggested(work, tmp_path, "always run the linter after the tests")
        with review:
            assert one.warnings[0].startswith("contradicts memory")
            assert len(one.edits) == 1


def test_a_memory_that_the_prompt_denies_is_told_as_such() -> None:
    with temporary_workspace() as work:
        for n in range(6):
            work.learn(f"The moon base number {n} has {n} domes")
        work.remember("The rate limit of expo push is 100 messages", kind="fact")
        denied = "hi! the rate limit of expo push is 200 now, raise our batch size"
        told = work.briefs.prompt(denied, session="s-1").text
        assert "100 messages" in told
        assert "the prompt says otherwise" in told
        asked = "why does expo push answer that the rate limit is reached?"
        told = work.briefs.prompt(asked, session="s-2").text
        assert "100 messages" in told
        assert "otherwise" not in told


def test_a_memory_that_the_prompt_takes_back_is_told_as_such() -> None:
    with temporary_workspace() as work:
        for n in range(6):
            work.learn(f"The moon base number {n} has {n} domes")
        work.remember("The vendor sandbox resets every night at 04:00 UTC", kind="fact")
        said = "forget what i said about the sandbox reset, they switched it off"
        told = work.briefs.prompt(said, session="s-1").text
        assert "04:00 UTC" in told
        assert "the prompt may take it back" in told
        assert "% likely" not in told
        kept = "dont forget the sandbox reset at night when you plan the tests"
        assert "take it back" not in work.briefs.prompt(kept, session="s-2").text


def test_a_rule_that_was_put_aside_breaks_no_check(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        work.memories.remember("Mobile uses bun, not npm", kind="constraint", trust="user")
        said = "mobile went back to npm, use npm and not bun in mobile"
        review, one = suggested(work, tmp_path, said)
        with review:
            assert review.accept([one]).failed == ()
            # The new one is in a file; what it put aside is told to nobody.
            (told,) = ProjectChecks(work).run([BUILT_IN_CONTRADICTIONS])
            assert told.outcome == PASSED, told.why
            review.undo(review.queue.find(one.id))
        work.memories.remember("Mobile never uses bun", kind="constraint", trust="user")
        assert ProjectChecks(work).run([BUILT_IN_CONTRADICTIONS])[0].outcome != PASSED


def test_a_line_that_goes_is_followed_by_a_line(tmp_path: Path) -> None:
    """Who reads the file without Satchel would be left without any."""
    with temporary_workspace() as work:
        path = written(work, "# Shop\n\n- Rollup batches are 500 rows: the API rejects more.\n")
        said = "vendor mail says the limit changed, so batches are 250 not 500"
        review, one = suggested(work, tmp_path, said)
        with review:
            assert one.warnings[0].startswith("takes the place of CLAUDE.md:3")
            assert review.accept([one]).failed == ()
            assert "500 rows" not in path.read_text()
            assert "batches are 250 not 500" in path.read_text()


def test_other_words_leave_standing_what_they_do_not_contradict(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        path = written(work, RULES)
        review, one = suggested(work, tmp_path, FLYWAY)
        with review:
            same = review.modify(one, "Don't use Flyway, migrations are in liquibase")
            assert [edit.takes_out for edit in same.edits] == [False, True]
            assert same.warnings == one.warnings
            other = review.modify(same, "Liquibase files are named by their ticket")
            assert other.warnings == ()
            assert review.accept([other]).failed == ()
            assert "Migrations are Flyway" in path.read_text()


def test_two_lines_of_files_that_exclude_each_other_fail_the_check() -> None:
    with temporary_workspace() as work:
        written(work, "# Shop\n\n- Use npm\n- Money is in cents\n- Never use npm\n")
        found = ProjectChecks(work).run([BUILT_IN_CONTRADICTIONS])[0]
        assert found.outcome != PASSED
        assert "CLAUDE.md line 3" in "".join(found.why)
        written(work, "# Shop\n\n- Use npm\n- Money is in cents\n")
        assert ProjectChecks(work).run([BUILT_IN_CONTRADICTIONS])[0].outcome == PASSED
