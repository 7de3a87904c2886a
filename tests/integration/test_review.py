"""Reviewing: nothing without approval, everything that was approved."""

import os
import random
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from integration.reflected_project import project_of_a_person, put, text_of, tree, worked
from integration.transcripts_made import Transcript
from satchel.application.learning.reviewing.review import Review
from satchel.core.errors import BadInputError, ConflictError, NotFoundError
from satchel.engine.search.documents import Filter
from satchel.features.proposals.values import (
    ACCEPTED,
    ACCEPTING,
    APPEND,
    CREATE,
    ENTRY,
    KINDS,
    MEMORIES,
    PROJECT,
    REMEMBER,
    TAKE_OUT,
    UNDONE,
    Decision,
    Edit,
    Proposal,
)
from satchel.testing import run_git
from satchel.workspace import Workspace


@pytest.fixture
def project(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    yield from project_of_a_person(monkeypatch)


# ---- approval ------------------------------------------------------------------------------------


def invented(dice: random.Random, n: int) -> Proposal:
    """Any proposal: of every kind, with every operation, to any file."""
    names = ("AGENTS.md", ".satchel/MEMORY.md", f"docs/solutions/x/{n}.md", ".claude/agents/a.md",
             ".satchel/instincts.yaml", ".satchel/guards.yaml", "../outside.md")  # fmt: skip
    operation = dice.choice((CREATE, ENTRY, APPEND, TAKE_OUT))
    edit = Edit(operation, PROJECT, dice.choice(names), f"words {n}\n", "Rules")
    kind = dice.choice(KINDS)
    group = dice.choice(("knowledge", "behavioral"))
    return Proposal(
        kind, group, f"title {n}", "why", dice.choice(("high", "low")), (edit,), f"k{n}"
    )


def test_nothing_is_applied_without_approval(project: Workspace) -> None:
    """0 of 3,000: whatever is proposed, listed, shown, changed, rejected or resumed."""
    dice = random.Random(20260102)
    before = tree(project.project.place.root)
    outside = set(os.listdir(os.path.dirname(project.project.place.root)))
    with Review(project) as review:
        made = review.queue.propose([invented(dice, n) for n in range(3000)])
        assert len(made) == 3000
        for proposal in dice.sample(made, 60):
            review.diff(proposal)
        for proposal in dice.sample(made[:1500], 20):
            try:
                review.modify(proposal, f"changed {proposal.title}")
            except (BadInputError, ConflictError):
                continue
        review.reject(made[1500:1520])
        for answer in ("", "maybe", "0", "9999"):
            with pytest.raises((BadInputError, NotFoundError)):
                review.answer(answer)
        assert review.resume().applied == ()
        assert not [one for one in review.queue.all() if one.state == ACCEPTED]
    project.upkeep("all", dry_run=False, confirmed=True)
    assert tree(project.project.place.root) == before
    assert set(os.listdir(os.path.dirname(project.project.place.root))) <= outside | {
        "person",
        "home",
    }


def test_a_seeded_pipeline_that_applies_by_itself_is_caught(
    project: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from satchel.features.proposals.queue import Queue

    real = Queue.propose

    def eager(self: Queue, proposals: Any) -> Any:
        made = real(self, proposals)
        with Review(project) as review:
            review.accept(made)
        return made

    before = tree(project.project.place.root)
    monkeypatch.setattr(Queue, "propose", eager)
    worked(project)
    assert tree(project.project.place.root) != before


def test_what_was_accepted_before_a_kill_is_finished(project: Workspace) -> None:
    worked(project)
    with Review(project) as review:
        (rule,) = [one for one in review.pending() if one.proposal.kind == "agent_file"]
        review.queue.decide(rule.proposal, Decision(ACCEPTING, by="user"))
    with Review(project) as review:
        (finished,) = review.resume().applied
        assert finished.proposal.id == rule.proposal.id
        assert text_of(project, "AGENTS.md").count("generated/") == 1
        # A kill after the file was written: the edit made again changes nothing.
        review.queue.decide(rule.proposal, Decision(ACCEPTING, by="user"))
        review.resume()
        assert text_of(project, "AGENTS.md").count("generated/") == 1


def test_what_cannot_be_applied_waits_and_says_why(project: Workspace) -> None:
    edit = Edit(CREATE, PROJECT, "../outside.md", "x")
    with Review(project) as review:
        review.queue.propose([Proposal("note", "knowledge", "Out", "why", "high", (edit,), "out")])
        done = review.answer("Y")
        assert "leads out" in done.failed[0][1]
        assert [one.proposal.title for one in review.pending()] == ["Out"]
    assert not Path(project.project.place.root, "..", "outside.md").exists()


def test_words_can_be_changed_before_they_are_accepted(project: Workspace) -> None:
    worked(project)
    with Review(project) as review:
        (rule,) = [one for one in review.pending() if one.proposal.kind == "agent_file"]
        made = review.modify(rule.proposal, "Generated code is made by `make gen`, never edited")
        assert made.derived_from == (rule.proposal.id,)
        review.accept([made])
        with pytest.raises(BadInputError):
            review.modify(made, "  ")
    assert "- Generated code is made by `make gen`, never edited" in text_of(project, "AGENTS.md")
    assert "by hand" not in text_of(project, "AGENTS.md")


def test_commits_never_hinder_the_users_git(project: Workspace) -> None:
    """T23: the user commits and rebases while proposals are accepted and taken back."""
    root = project.project.place.root
    stop, wrong = threading.Event(), list[str]()

    def user() -> None:
        n = 0
        while not stop.is_set() or n < 12:
            n += 1
            put(project, "main.txt", f"{n}\n")
            for words in (("add", "main.txt"), ("commit", "-qm", f"{n}"), ("status", "--short")):
                done = subprocess.run(
                    ["git", "-c", "user.name=u", "-c", "user.email=u@x.y", *words],
                    cwd=root, capture_output=True, text=True, check=False,
                )  # fmt: skip
                if done.returncode:
                    wrong.append(f"{words}: {done.stderr}{done.stdout}")

    def notes(start: int) -> None:
        with Workspace.open(root, home=project.owner().home.path) as mine, Review(mine) as review:
            for n in range(start, start + 8):
                edit = Edit(CREATE, PROJECT, f"docs/solutions/patterns/{n}.md", f"# {n}\n")
                made = review.queue.propose(
                    [Proposal("note", "knowledge", f"n{n}", "why", "high", (edit,), f"k{n}")]
                )
                done = review.accept(made)
                if done.failed or not done.applied[0].commit:
                    wrong.append(str(done))

    crowd = [threading.Thread(target=notes, args=(start,)) for start in (0, 100, 200)]
    mine = threading.Thread(target=user)
    mine.start()
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    stop.set()
    mine.join()
    assert wrong == []
    names = run_git(root, "ls-tree", "-r", "--name-only", "refs/satchel/changes").split()
    assert sum(name.startswith("docs/solutions/patterns/") for name in names) == 24
    assert run_git(root, "rev-list", "--count", "refs/satchel/changes", "^main").strip() == "24"
    run_git(root, "fsck", "--strict")
    assert not list(Path(root, ".git").rglob("*.lock"))
    assert "docs/solutions" not in run_git(root, "ls-files")


def test_undone_stays_undone_over_a_rebuild(project: Workspace) -> None:
    worked(project)
    with Review(project) as review:
        review.answer("Y")
        standing = review.last_decided()
        assert standing is not None
        review.undo(standing)
    project.rebuild("")
    with Review(project) as review:
        assert review.queue.find(standing.proposal.id).state == UNDONE


def test_an_instinct_is_added_and_grows_surer_when_shown_again(project: Workspace) -> None:
    root = os.path.realpath(project.project.place.root)
    first = Transcript(root).person("I prefer small commits with a reason")
    worked(project, first)
    with Review(project) as review:
        (added,) = review.pending()
        assert added.proposal.kind == "instinct"
        diff = review.diff(added.proposal)
        assert ', rule: "Prefer small commits with a reason", ' in diff
        review.accept([added.proposal])
    (instinct,) = project.instincts.read().instincts
    assert instinct.confidence == 0.5
    second = Transcript(root, first.session.replace("1", "2")).person(
        "I prefer small commits with a reason, please"
    )
    worked(project, second)
    with Review(project) as review:
        (confirmed,) = review.pending()
        assert confirmed.proposal.title.startswith("Confirm: ")
        review.accept([confirmed.proposal])
    (instinct,) = project.instincts.read().instincts
    assert instinct.confidence == 0.6
    assert [one.change.what for one in project.instincts.file.history(instinct.id)] == [
        "added", "reinforced",
    ]  # fmt: skip


def test_a_resumed_session_that_holds_the_words_of_the_first_confirms_nothing(
    project: Workspace,
) -> None:
    root = os.path.realpath(project.project.place.root)
    first = Transcript(root).person("I prefer small commits with a reason")
    worked(project, first)
    with Review(project) as review:
        review.accept([one.proposal for one in review.pending()])
    resumed = Transcript(root, first.session.replace("1", "3"))
    resumed.records = [one | {"sessionId": resumed.session} for one in first.records]
    worked(project, resumed.person("go on with the parser, please"))
    with Review(project) as review:
        assert not [one for one in review.pending() if one.proposal.confirms]


def test_a_suggestion_says_which_memory_it_replaces_before_it_is_accepted(
    project: Workspace,
) -> None:
    project.remember("Let's go with SQLite, no server to run", kind="decision")
    project.remember("Never log card numbers", kind="constraint")
    chosen = "We switched to PostgreSQL instead of SQLite, because two machines write now"
    edit = Edit(REMEMBER, MEMORIES, "", chosen, "decision")
    told = Proposal("memory", "knowledge", chosen, "From you: decision", "medium", (edit,), "k")
    with Review(project) as review:
        assert review.replaces(told) == []  # an agent's word replaces no person's
        (queued,) = review.queue.propose([told._replace(trust="user")])
        assert review.replaces(queued) == ["Let's go with SQLite, no server to run"]
        (applied,) = review.accept([queued]).applied
        assert applied.gone == ("Let's go with SQLite, no server to run",)
    every = project.memories.list(Filter(kinds=("decision", "constraint")), 10)
    (older,) = (one.record for one in every if "SQLite, no" in one.record.content)
    assert project.memories.replaced(every) == {older.id}
