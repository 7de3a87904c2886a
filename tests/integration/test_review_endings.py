"""How reviews end: in which order they are taken back, and what a kill or another leaves."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from satchel.application.history.time_travel import accepted_rules
from satchel.application.learning.reviewing.review import Review
from satchel.core.errors import BadInputError, ConflictError
from satchel.features.proposals.values import (
    ACCEPTED,
    ACCEPTING,
    CREATE,
    ENTRY,
    PROJECT,
    TAKE_OUT,
    UNDOING,
    Decision,
    Edit,
    Proposal,
)
from satchel.testing import run_git, temporary_workspace
from satchel.workspace import Workspace

_NOTE = """---
title: The relay
key_insight: It listens on 4411
---

## Solution

Ask it there.
"""


@pytest.fixture
def project() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as workspace:
        Path(workspace.project.place.root, "AGENTS.md").write_text("# Rules\n\n- Be kind\n")
        run_git(workspace.project.place.root, "add", "--all")
        run_git(workspace.project.place.root, "commit", "--quiet", "--message", "rules")
        yield workspace


def rules(*texts: str) -> list[Proposal]:
    return [
        Proposal("agent_file", "behavioral", text, "why", "high",
                 (Edit(ENTRY, PROJECT, "AGENTS.md", text, section="Learned Rules"),), text)
        for text in texts
    ]  # fmt: skip


def agents_file(project: Workspace) -> str:
    return Path(project.project.place.root, "AGENTS.md").read_text()


def shown(project: Workspace, *words: str) -> str:
    return run_git(project.project.place.root, *words)


def test_what_was_accepted_last_is_taken_back_first(project: Workspace) -> None:
    with Review(project) as review:
        first, second, third = review.queue.propose(rules("One", "Two", "Three"))
        review.accept([third, first, second])
        gone = []
        while (last := review.last_decided()) is not None:
            gone.append(last.proposal.title)
            review.undo(last)
    assert gone == ["Two", "One", "Three"]


def test_the_history_names_what_stands_in_a_file(project: Workspace) -> None:
    with Review(project) as review:
        kept, rejected, undone = review.queue.propose(rules("One", "Two", "Three"))
        review.accept([kept, undone])
        review.reject([rejected])
        review.undo(review.queue.find(undone.id))
    told = accepted_rules(project)
    assert [(one.record.id, one.record.content, one.ledger) for one in told] == [
        (kept.id, "One", "AGENTS.md")
    ]


def test_what_a_killed_acceptance_wrote_is_committed_and_can_be_taken_back(
    project: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = agents_file(project)
    with Review(project) as review:
        made = review.queue.propose(rules("Never edit generated code"))
        with monkeypatch.context() as broken:
            broken.setattr(Review, "_commit", _killed)
            with pytest.raises(KeyboardInterrupt):
                review.accept(made)
        assert review.queue.find(made[0].id).state == ACCEPTING
    assert "generated" in agents_file(project)
    with Review(project) as review:
        (done,) = review.resume().applied
        assert done.files == ("AGENTS.md",)
        assert "generated" in shown(project, "show", done.commit)
        review.undo(review.queue.find(made[0].id))
    assert agents_file(project) == before


def _killed(*_: object) -> str:
    raise KeyboardInterrupt


def test_an_interrupted_undo_that_cannot_end_stops_no_other_review(project: Workspace) -> None:
    with Review(project) as review:
        (made,) = review.queue.propose(rules("Never edit generated code"))
        review.accept([made])
        standing = review.queue.find(made.id)
        review.queue.decide(made, Decision(UNDOING, by="user", files=standing.decided.files))
    text = agents_file(project).replace("Never edit generated", "Hardly edit generated")
    Path(project.project.place.root, "AGENTS.md").write_text(text)
    with Review(project) as review:
        review.resume()
        stands = review.queue.find(made.id)
        assert stands.state == ACCEPTED
        assert stands.decided.files == standing.decided.files
        (other,) = review.queue.propose(rules("Another"))
        assert len(review.accept([other]).applied) == 1
    assert "Hardly edit generated" in agents_file(project)


def test_what_another_accepted_meanwhile_is_not_rejected(project: Workspace) -> None:
    with Review(project) as mine, Workspace.open(
        project.project.place.root, home=project.owner().home.path
    ) as other, Review(other) as theirs:  # fmt: skip
        made = mine.queue.propose(rules("Never edit generated code"))
        theirs.accept(made)
        assert mine.reject(made) == ()
        standing = mine.queue.find(made[0].id)
        assert standing.state == ACCEPTED
        mine.undo(standing)
        with pytest.raises(ConflictError):
            theirs.undo(standing)


def test_a_note_keeps_front_matter_that_reads(project: Workspace) -> None:
    edits = (
        Edit(CREATE, PROJECT, "docs/solutions/relay.md", _NOTE),
        Edit(CREATE, PROJECT, "copy/relay.md", _NOTE),
    )
    with Review(project) as review:
        (made,) = review.queue.propose(
            [Proposal("note", "knowledge", "The relay", "why", "high", edits, "relay")]
        )
        for broken in ("---\ntitle: [\n---\nx\n", "---\ntitle: x\n", "---\n---\nx\n"):
            with pytest.raises(BadInputError, match="no longer a note"):
                review.modify(made, broken)
        changed = review.modify(made, "It listens\non 4412 now.")
        review.accept([changed])
    note = Path(project.project.place.root, "docs/solutions/relay.md").read_text()
    assert note == (
        "---\ntitle: The relay\nkey_insight: It listens on 4412 now.\n---\n\n"
        "It listens\non 4412 now.\n"
    )
    assert Path(project.project.place.root, "copy/relay.md").read_text() == note


def test_another_lesson_of_the_same_name_gets_a_name_of_its_own(project: Workspace) -> None:
    def note(text: str) -> Proposal:
        edits = (
            Edit(CREATE, PROJECT, "docs/solutions/relay.md", text),
            Edit(CREATE, PROJECT, "docs/solutions/relay.entities.yaml", f"# {len(text)}\n"),
        )
        return Proposal("note", "knowledge", "The relay", "why", "high", edits, text)

    folder = Path(project.project.place.root, "docs/solutions")
    with Review(project) as review:
        first, second = review.queue.propose([note("# The relay\n"), note("# The relay, too\n")])
        done = review.accept([first, second])
        assert [one.files[0] for one in done.applied] == [
            "docs/solutions/relay.md",
            "docs/solutions/relay-2.md",
        ]
        assert sorted(one.name for one in folder.iterdir()) == [
            "relay-2.entities.yaml",
            "relay-2.md",
            "relay.entities.yaml",
            "relay.md",
        ]
        # A kill before the end: the same note is found again, no third one is made.
        standing = review.queue.find(second.id)
        review.queue.decide(second, standing.decided._replace(state=ACCEPTING))
        review.resume()
        assert len(list(folder.iterdir())) == 4
        review.undo(review.queue.find(second.id))
    assert (folder / "relay.md").read_text() == "# The relay\n"
    assert not (folder / "relay-2.md").exists()


def test_a_file_that_was_deleted_since_does_not_come_back(project: Workspace) -> None:
    root = project.project.place.root
    Path(root, "MEMORY.md").write_text("- Kept\n- Moved\n")
    move = Proposal(
        "move", "knowledge", "Moved", "why", "high",
        (Edit(CREATE, PROJECT, "docs/moved.md", "# Moved\n"),
         Edit(TAKE_OUT, PROJECT, "MEMORY.md", "- Moved")), "moved",
    )  # fmt: skip
    with Review(project) as review:
        rule, moved = review.queue.propose([*rules("One"), move])
        assert len(review.accept([rule, moved]).applied) == 2
        for name in ("AGENTS.md", "MEMORY.md"):
            os.unlink(os.path.join(root, name))
        for one in (rule, moved):
            review.undo(review.queue.find(one.id))
    assert not os.path.exists(os.path.join(root, "AGENTS.md"))
    # The note is gone, so what it said has to stand somewhere.
    assert "- Moved" in Path(root, "MEMORY.md").read_text()


def test_a_commit_holds_the_change_alone(project: Workspace) -> None:
    root = project.project.place.root
    with Review(project) as review:
        one, two = review.queue.propose(rules("One", "Two"))
        review.accept([one])
        Path(root, "AGENTS.md").write_text(agents_file(project) + "\nWritten by a person.\n")
        (done,) = review.accept([two]).applied
    assert shown(project, "show", "--numstat", "--format=", done.commit) == "1\t0\tAGENTS.md\n"
    assert shown(project, "rev-list", "--count", "refs/satchel/changes", "^main").strip() == "3"
    run_git(root, "add", "--all")
    run_git(root, "commit", "--quiet", "--message", "theirs")
    run_git(root, "revert", "--no-edit", done.commit)
    text = agents_file(project)
    assert "- One\n" in text
    assert "Two" not in text
    assert "Written by a person." in text
    assert not os.path.exists(os.path.join(root, ".git", "index.lock"))
