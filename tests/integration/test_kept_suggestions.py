"""What a person said plainly, once accepted, is a memory: found, shown at a prompt, taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from integration.installed import Machine, context_of, needs_command
from integration.transcripts_made import Transcript
from satchel.application.learning.reflection.service import Reflection
from satchel.application.learning.reviewing import memories, review
from satchel.application.learning.reviewing.review import Review
from satchel.clients.transcript_format.project_key import project_key
from satchel.core.ids import short_id
from satchel.testing import run_git, temporary_workspace
from satchel.workspace import Workspace

installed = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
FACT = "the staging database is restored every night at two"
DECISION = "let's go with idempotency keys instead of a lock table because the table deadlocked"


def session(directory: str) -> Transcript:
    return (
        Transcript(directory)
        .person("add a refund endpoint")
        .agent("Done.")
        .person(f"btw {FACT}")
        .agent("Noted.")
        .person(DECISION)
        .agent("Understood.")
    )


def reflected(work: Workspace, folder: Path) -> Review:
    made = session(work.project.place.root)
    Reflection(work).reflect(paths=[made.write(str(folder / "s.jsonl"))])
    return Review(work)


def remembered(work: Workspace) -> dict[str, Any]:
    live = work.memories.caught_up().live(kinds=("learned", "decision"), limit=10)
    return {one.kind: one for one in live}


@installed
def test_an_accepted_fact_is_found_and_shown_where_it_matters(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    app = machine.repository()
    made = session(str(app))
    folder = machine.home / ".claude" / "projects" / project_key(str(app))
    made.write(str(folder / f"{made.session}.jsonl"))
    machine.ok("reflect", at=app)
    told = machine.ok("review", "all-knowledge", at=app)
    assert told.count("  memory ") == 2
    assert not (app / ".satchel" / "MEMORY.md").exists()
    assert "every night" in machine.ok("recall", "when is the staging database restored?", at=app)
    prompt = "write a script that loads demo orders into the staging database"
    hook = machine.hook("UserPromptSubmit", app, prompt=prompt)
    assert "every night" in context_of(hook, "UserPromptSubmit")
    machine.ok("review", "--undo", "last", at=app)
    assert machine.ok("list", at=app).count("  decision  ") == 0
    # The next one takes back the one before it, and does not bring back what this one hid.
    assert "suggestion was accepted" in machine.ok("undo", "--yes", at=app)
    left = machine.ok("list", at=app)
    assert "  decision  " not in left
    assert "every night" not in left


def test_kind_words_and_session_come_from_what_was_said(tmp_path: Path) -> None:
    with temporary_workspace() as work, reflected(work, tmp_path) as queue:
        done = queue.answer("Y")
        found = remembered(work)
        assert found["learned"].content.lower() == FACT
        assert "idempotency keys" in found["decision"].content
        assert {one.trust for one in found.values()} == {"user"}
        assert all(one.session for one in found.values())
        assert {i for one in done.applied for i in one.memories} == {r.id for r in found.values()}


def test_what_is_remembered_already_is_not_suggested(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        kept = work.memories.remember(FACT.capitalize(), kind="learned", trust="agent")
        made = session(work.project.place.root)
        path = made.write(str(tmp_path / "s.jsonl"))
        done = Reflection(work).reflect(paths=[path])
        assert [one.title for one in done.proposed if FACT in one.title.lower()] == []
        assert (f"memory {short_id(kept.id)} already says this") in [why for _, why in done.known]


def killed_after_keeping(work: Workspace, folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many memories there are where the process ended between memory and decision."""
    queue = reflected(work, folder)
    decided = [one.proposal for one in queue.pending() if "idempotency" in one.proposal.title]
    with monkeypatch.context() as patch:

        def killed(*_: object) -> None:
            raise KeyboardInterrupt

        patch.setattr(review, "note_history", killed)
        with pytest.raises(KeyboardInterrupt):
            queue.accept(decided)
    with Review(work) as again:
        again.resume()
    return len(work.memories.caught_up().live(kinds=("learned", "decision"), limit=10))


def test_an_acceptance_that_was_killed_keeps_each_thing_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with temporary_workspace() as work:
        assert killed_after_keeping(work, tmp_path, monkeypatch) == 1


def test_a_seeded_bug_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep without a look at what an acceptance that was killed had kept."""
    monkeypatch.setattr(memories, "_kept", lambda *_: [])
    with temporary_workspace() as work:
        assert killed_after_keeping(work, tmp_path, monkeypatch) == 2


def test_a_kept_memory_goes_when_it_is_taken_back_and_comes_again(tmp_path: Path) -> None:
    with temporary_workspace() as work, reflected(work, tmp_path) as queue:
        queue.answer("all-knowledge")
        for _ in range(2):
            standing = queue.last_decided()
            assert standing is not None
            queue.undo(standing)
        assert remembered(work) == {}
        queue.accept([one.proposal for one in queue.all()])
        assert set(remembered(work)) == {"learned", "decision"}


def test_reflect_s_own_layout_keeps_its_memory_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATCHEL_LAYOUT_PRESET", "agents")
    with temporary_workspace() as work, reflected(work, tmp_path) as queue:
        queue.answer("all-knowledge")
        assert remembered(work) == {}
        text = Path(work.project.tracked.place("memory")).read_text("utf-8")
        assert "idempotency keys" in text


@installed
def test_a_rule_is_found_where_it_stands(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    app = machine.repository()
    (app / "CLAUDE.md").write_text("# Shop\n\n## Style\n\n- Tabs, not spaces\n", "utf-8")
    made = Transcript(str(app)).person("add a health endpoint").agent("Done.")
    made.person("never run the tests with bare pytest, always with `uv run pytest -q`").agent(
        "Yes."
    )
    made.person("don't use alembic autogenerate, it drops our partial indexes").agent("Understood.")
    made.person("the production database is postgres 13").agent("Noted.")
    folder = machine.home / ".claude" / "projects" / project_key(str(app))
    made.write(str(folder / f"{made.session}.jsonl"))
    machine.ok("reflect", at=app)
    machine.ok("review", "Y", at=app)
    told = machine.ok("recall", "how do we run the tests of the health endpoint?", at=app)
    first = told.partition("\n[")[0]
    assert first.startswith(
        "[INSTRUCTIONS] Never run the tests with bare pytest, always with `uv run"
    )
    assert "CLAUDE.md:" in first
    assert "Tabs" not in first


def test_a_cause_that_an_agent_names_is_one_line_with_its_cure(tmp_path: Path) -> None:
    """A note of four files said the same sentence five times, and lost what cured it."""
    with temporary_workspace() as work:
        told = Transcript(work.project.place.root).person("the refund test fails")
        told.agent("**Root cause**: the refund test failed because the fixture used float amounts; "
                   "fixed by using Decimal cents.")  # fmt: skip
        Reflection(work).reflect(paths=[told.write(str(tmp_path / "s.jsonl"))])
        with Review(work) as review:
            (one,) = review.pending()
            (edit,) = one.proposal.edits
            review.answer("Y")
        assert edit.text == (
            "Root cause: the refund test failed because the fixture used float amounts; "
            "fixed by using Decimal cents"
        )
        assert remembered(work)["learned"].content == edit.text


@installed
def test_a_lesson_is_of_the_branch_where_it_was_said(tmp_path: Path) -> None:
    """Reviewed on another branch, memories of main were "not merged here" on main."""
    machine = Machine(tmp_path)
    app = machine.repository()
    made = Transcript(str(app), branch="main")
    made.person("the staging database in `config/db.toml` only works with a tunnel").agent("Noted.")
    folder = machine.home / ".claude" / "projects" / project_key(str(app))
    made.write(str(folder / f"{made.session}.jsonl"))
    run_git(str(app), "checkout", "--quiet", "-b", "feat")
    for name in ("one", "two"):
        (app / name).write_text(name)
        run_git(str(app), "add", name)
        run_git(str(app), "commit", "--quiet", "-m", name)
        if name == "one":
            machine.ok("reflect", at=app)
            machine.ok("review", "Y", at=app)
    run_git(str(app), "checkout", "--quiet", "main")
    (kept,) = machine.json("list", at=app)
    assert kept["branch"] == "main"
    machine.ok("upkeep", "branches", at=app)
    assert "not merged here" not in machine.ok("recall", "tunnel of staging", at=app)
    assert "tunnel" in machine.ok("brief", at=app)


@installed
def test_a_lesson_is_of_the_branch_of_its_prompt_not_of_the_session(tmp_path: Path) -> None:
    """A session that begins on main goes on on a branch, and ends on main again."""
    machine = Machine(tmp_path)
    app = machine.repository()
    run_git(str(app), "branch", "feat")
    made = Transcript(str(app), branch="main")
    made.person("look at the tunnel").agent("Noted.")
    made.branch = "feat"
    made.person(f"btw {FACT}").agent("Noted.")
    made.branch = "main"
    made.person(DECISION).agent("Understood.")
    folder = machine.home / ".claude" / "projects" / project_key(str(app))
    made.write(str(folder / f"{made.session}.jsonl"))
    run_git(str(app), "checkout", "--quiet", "-b", "reviews")
    machine.ok("reflect", at=app)
    machine.ok("review", "all-knowledge", at=app)
    kept = {FACT in one["content"].lower(): one["branch"] for one in machine.json("list", at=app)}
    assert kept == {True: "feat", False: "main"}
