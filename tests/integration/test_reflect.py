"""Reflecting and reviewing, from transcripts to files and back."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from integration.model_server import Behaviour, model_server
from integration.reflected_project import project_of_a_person, put, text_of, tree, worked
from integration.transcripts_made import Transcript, a_mornings_work
from satchel.application.learning.reflection.consolidation import consolidate
from satchel.application.learning.reflection.service import Reflection
from satchel.application.learning.reviewing.review import Review
from satchel.application.learning.reviewing.words import in_one_line, lesson_of
from satchel.core.errors import BadInputError, ConflictError, NotFoundError
from satchel.engine.markdown.yaml_text import read_yaml
from satchel.testing import reopened, run_git, temporary_workspace
from satchel.workspace import Workspace


@pytest.fixture
def project(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    yield from project_of_a_person(monkeypatch)


def test_a_session_becomes_proposals_and_nothing_else_changes(project: Workspace) -> None:
    before = tree(project.project.place.root)
    done = worked(project)
    assert done.sessions == 1
    assert {(one.kind, one.tier) for one in done.proposed} == {
        ("note", "high"), ("agent_file", "high"), ("memory", "medium"), ("instinct", "low"),
    }  # fmt: skip
    assert tree(project.project.place.root) == before
    (episode,) = done.episodes
    assert "please fix the failing import" in Path(episode).read_text(encoding="utf-8")
    assert Reflection(project).reflect().unchanged == 1
    figures = read_yaml(Path(project.owner().home.metrics).read_text(encoding="utf-8"))
    assert figures["total_changes_accepted"] == 0
    assert figures["pending"] == len(done.proposed)


def test_an_accepted_note_is_written_found_and_committed_apart(project: Workspace) -> None:
    worked(project)
    root = project.project.place.root
    index = Path(root, ".git", "index").read_bytes()
    head = run_git(root, "rev-parse", "HEAD")
    with Review(project) as review:
        waits = next(one.proposal for one in review.pending() if one.proposal.kind == "note")
        assert "circular import between worker.py and queue.py" in lesson_of(waits)
        # Front matter and sidecar are for search: `--diff` shows them.
        assert in_one_line(waits).endswith(".md, with 3 files for search")
        done = review.answer("all-knowledge")
        assert done.failed == ()
        note = next(one for one in done.applied if one.proposal.kind == "note")
    paths = [name for name in note.files if name.startswith("docs/solutions/")]
    text = text_of(project, next(name for name in paths if name.endswith(".md")))
    assert "ImportError: cannot import name 'run'" in text
    assert "circular import between worker.py and queue.py" in text
    with project.notes as notebook:
        found = notebook.search("circular import in the worker")
    assert any("circular" in item.key_insight for item in found.items)
    message = run_git(root, "log", "-1", "--format=%B", note.commit)
    assert message.startswith("Add a learning note: ")
    shown = run_git(root, "show", "--format=", "--name-only", note.commit).split()
    assert sorted(shown) == sorted(paths)
    assert Path(root, ".git", "index").read_bytes() == index
    assert run_git(root, "rev-parse", "HEAD") == head


def test_a_rule_is_added_and_taken_back(project: Workspace) -> None:
    worked(project)
    with Review(project) as review:
        (rule,) = [one for one in review.pending() if one.proposal.kind == "agent_file"]
        assert "+- Never edit files below generated/ by hand" in review.diff(rule.proposal)
        review.accept([rule.proposal])
        assert text_of(project, "AGENTS.md") == (
            "# Rules\n\n- Use pnpm for packages\n\n## Learned Rules\n"
            "- Never edit files below generated/ by hand\n"
        )
        put(project, "AGENTS.md", text_of(project, "AGENTS.md") + "- Mine, since then\n")
        standing = review.last_decided()
        assert standing is not None
        assert review.undo(standing) == ["AGENTS.md"]
        left = text_of(project, "AGENTS.md")
        assert "generated/" not in left
        assert "- Mine, since then" in left
        with pytest.raises(ConflictError, match="undone"):
            review.undo(review.queue.find(rule.proposal.id))


def test_a_rule_that_is_there_is_known_and_one_against_it_warned_of(project: Workspace) -> None:
    session = (
        Transcript(os.path.realpath(project.project.place.root))
        .person("always use pnpm for packages")
        .agent("Yes.")
        .person("never use pnpm for packages")
    )
    done = worked(project, session)
    assert any("AGENTS.md" in why for _, why in done.known)
    (warned,) = [one for one in done.proposed if one.warnings]
    assert "contradicts AGENTS.md:3: Use pnpm for packages" in warned.warnings[0]


def test_what_is_said_again_is_added_to_its_note(project: Workspace) -> None:
    worked(project)
    with Review(project) as review:
        review.answer("all-knowledge")
    again = a_mornings_work(os.path.realpath(project.project.place.root))
    again.session = again.session.replace("1", "2")
    again.records[1]["message"]["content"][0]["input"]["command"] = "pytest -x tests/worker"
    for record in again.records:
        record["sessionId"] = again.session
        if "circular import" in json.dumps(record):
            text = (
                "The root cause was again a circular import between worker.py and queue.py, moved."
            )
            record["message"]["content"] = [{"type": "text", "text": text}]
    done = worked(project, again)
    updates = [one for one in done.proposed if one.kind == "update"]
    assert updates
    with Review(project) as review:
        review.accept(updates)
    for edit in updates[0].edits:
        with Review(project) as review:
            path = os.path.join(review.places.base(edit.below), edit.path)
        assert "## Seen again, 2026-01-02" in Path(path).read_text("utf-8")
    assert {edit.below for edit in updates[0].edits} == {"project", "learnings"}


def test_an_agents_own_file_and_only_that(project: Workspace) -> None:
    put(project, ".claude/agents/code-reviewer.md", "---\nname: code-reviewer\n---\nReview.\n")
    root = os.path.realpath(project.project.place.root)
    path = a_mornings_work(root).write(os.path.join(root, "t.jsonl"))
    done = Reflection(project).reflect(paths=[path], agent="code-reviewer")
    assert {one.kind for one in done.proposed} == {"agent_file"}
    assert {one.edits[0].path for one in done.proposed} == {".claude/agents/code-reviewer.md"}
    with pytest.raises(NotFoundError, match="nobody"):
        Reflection(project).reflect(agent="nobody")


def test_what_satchel_had_shown_is_not_learnt_again(project: Workspace) -> None:
    project.learn("never edit files below generated/ by hand")
    brief = project.briefs.session()
    project.briefs.note_injection(brief, session=a_mornings_work("/").session, event="SessionStart")
    assert "agent_file" not in {one.kind for one in worked(project).proposed}


def test_what_a_person_said_is_theirs_though_a_checkpoint_showed_it_afterwards(
    project: Workspace,
) -> None:
    said = "we decided to switch from ULIDs to UUIDv7 for order ids, the library is unmaintained"
    session = Transcript(os.path.realpath(project.project.place.root)).person(said).agent("Done.")
    project.remember(f"Asked: {said}\nDone: Done.", kind="checkpoint")
    brief = project.briefs.session()
    assert said in brief.text
    project.briefs.note_injection(brief, session=session.session, event="SessionStart")
    assert [one.title for one in worked(project, session).proposed] == [said[0].upper() + said[1:]]


def test_no_transcript_is_refused_by_name(project: Workspace) -> None:
    path = put(project, "notes.txt", "hello\n")
    with pytest.raises(BadInputError, match="not a transcript"):
        Reflection(project).reflect(paths=[path])
    with pytest.raises(Exception, match="nowhere"):
        Reflection(project).reflect(paths=["/nowhere.jsonl"])


def test_a_memory_far_too_long_is_moved_in_one_suggestion(project: Workspace) -> None:
    path = project.project.tracked.place("memory")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write("# Memory\n\n" + "".join(f"- rule number {n} holds\n" for n in range(900)))
    done = Reflection(project).reflect(paths=[])
    (move,) = [one for one in done.proposed if one.kind == "move"]
    with Review(project) as review:
        assert not review.accept([move]).failed
    with open(path, encoding="utf-8") as file:
        left = file.read()
    assert len(left.splitlines()) == 200
    assert "rule number 899 holds" in left
    notes = [
        os.path.join(found, name)
        for found, _, names in os.walk(project.project.tracked.solutions)
        for name in names
        if name.endswith(".md")
    ]
    assert len(notes) == 1
    with open(notes[0], encoding="utf-8") as file:
        assert "rule number 0 holds" in file.read()


def test_a_memory_that_is_too_long_is_proposed_to_move(project: Workspace) -> None:
    verbose = "- the build of the legacy module needs " + "three flags and a prayer " * 12
    lines = ["# Memory", "", *(f"- short {n}" for n in range(198)), verbose, "  and more of it"]
    put(project, ".satchel/MEMORY.md", "\n".join(lines) + "\n")
    done = Reflection(project).reflect()
    moves = [one for one in done.proposed if one.kind == "move"]
    assert len(moves) == 1
    with Review(project) as review:
        assert f"-{verbose.rstrip()}" in review.diff(moves[0])
        review.accept(moves)
    left = text_of(project, ".satchel/MEMORY.md")
    assert len(left.splitlines()) == 200
    assert "- short 197" in left
    assert "three flags and a prayer" not in left
    assert Reflection(project).reflect().proposed == ()


def test_memories_of_other_work_trees_are_merged(project: Workspace) -> None:
    root = os.path.realpath(project.project.place.root)
    other = root + "-side"
    run_git(root, "worktree", "add", "--quiet", other, "-b", "side")
    Path(other, ".satchel").mkdir(exist_ok=True)
    Path(other, ".satchel", "MEMORY.md").write_text(
        "- Ports 5000 to 5010 are taken\n- Use pnpm for packages\n"
    )
    key = "".join(c if c.isalnum() else "-" for c in root + "-gone")
    gone = Path(os.environ["CLAUDE_CONFIG_DIR"], "projects", key, "memory")
    gone.mkdir(parents=True)
    (gone / "MEMORY.md").write_text("- The nightly job runs at four\n")
    titles = {one.title for one in consolidate(Reflection(project))}
    assert titles == {"Ports 5000 to 5010 are taken", "The nightly job runs at four"}
    assert consolidate(Reflection(project)) == []
    with Review(project) as review:
        assert not review.answer("Y").failed
    assert "- The nightly job runs at four" in text_of(project, ".satchel/MEMORY.md")


def test_what_hooks_captured_is_a_memory_and_no_suggestion(project: Workspace) -> None:
    project.learn("the deploy script needs the VPN to be up", trust="agent", source="hook")
    assert Reflection(project).reflect().proposed == ()


def test_in_reflect_s_layout_what_hooks_captured_is_proposed_as_notes_once(
    monkeypatch: pytest.MonkeyPatch, project: Workspace
) -> None:
    monkeypatch.setenv("SATCHEL_LAYOUT_PRESET", "agents")
    project = reopened(project)
    project.learn("the deploy script needs the VPN to be up", trust="agent", source="hook")
    project.learn("a person's own words stay a memory", trust="user")
    done = Reflection(project).reflect()
    (note,) = done.proposed
    assert note.kind == "note"
    assert "deploy script needs the VPN" in note.edits[0].text
    assert len(note.derived_from) == 1
    assert Reflection(project).reflect().proposed == ()


def test_a_chosen_model_says_findings_better_and_rules_stay_as_they_were_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    behaviour = Behaviour(written="A circular import between worker.py and queue.py broke pytest.")
    with model_server(behaviour) as url:
        chosen = f'[model]\nembed = "none"\ngenerate = "ollama:m"\nurl = "{url}"\n'
        with temporary_workspace(git=True) as first:
            # A repository chooses no model: that is the person's own setting.
            os.makedirs(first.owner().home.path, exist_ok=True)
            Path(first.owner().home.configuration).write_text(chosen, encoding="utf-8")
            workspace = reopened(first)
            path = os.path.join(workspace.owner().home.path, "t.jsonl")
            a_mornings_work(workspace.project.place.root).write(path)
            monkeypatch.setenv(
                "CLAUDE_CONFIG_DIR", os.path.join(workspace.owner().home.path, "none")
            )
            done = Reflection(workspace).reflect(paths=[path])
            titles = {one.kind: one.title for one in done.proposed}
            assert titles["note"].startswith("A circular import between worker.py")
            assert titles["agent_file"] == "Never edit files below generated/ by hand"
            # What it makes up, and what it does not answer, changes nothing.
            behaviour.written = "Bananas are yellow and grow in warm countries far away."
            again = Reflection(workspace).reflect(paths=[path], dry_run=True)
            assert not [one for one in again.proposed if "Bananas" in one.title]
            workspace.close()


def test_what_is_said_while_rejecting_a_call_is_suggested(project: Workspace) -> None:
    said = "don't edit the lockfile by hand, run uv lock instead"
    refused = f"The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n{said}"
    session = (
        Transcript(project.project.place.root)
        .person("bump the version of the parser")
        .runs("Edit", "uv.lock", refused)
        .agent("Understood.")
    )
    (suggestion,) = worked(project, session).proposed
    assert suggestion.title == "Don't edit the lockfile by hand, run uv lock instead"
    assert suggestion.trust == "user"


@pytest.mark.parametrize(
    ("then", "title"),
    [
        ("Shall I try again?", "In LICENSE: Example Corp."),
        # What stands around the name, the agent says when it has done it.
        (
            "Created `LICENSE` with the MIT licence, copyright 2026 Example Corp.",
            "In LICENSE: copyright 2026 Example Corp.",
        ),
    ],
)
def test_a_name_given_while_rejecting_an_edit_says_what_stands_in_the_file(
    project: Workspace, then: str, title: str
) -> None:
    refused = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nExample Corp."
    session = Transcript(project.project.place.root).person("add a licence")
    session = session.runs("Write", "LICENSE", refused).agent(then)
    (suggestion,) = worked(project, session).proposed
    assert suggestion.title == title


def test_every_dropped_signal_has_a_reason(project: Workspace) -> None:
    session = (
        Transcript(project.project.place.root)
        .person("Let's address 1 first, and let it reset the branch")
        .agent("The root cause was probably something in the cache, I am not sure yet.")
        .person("never push to main")
    )
    done = worked(project, session)
    assert [one.title for one in done.proposed] == ["Never push to main"]
    assert len(done.dropped) == len(done.signals) - len(done.proposed)
    assert all(why for _, why in done.dropped)
    assert {why for _, why in done.dropped} & {"about the work at hand", "said with a doubt"}
    for reason in ("waits for review", "was proposed before"):
        again = Reflection(project).reflect(again=True)
        assert ("Never push to main", reason) in [(one.learning, why) for one, why in again.dropped]
        with Review(project) as review:
            review.reject([one.proposal for one in review.pending()])


def test_a_report_tells_no_secret_that_was_typed(project: Workspace) -> None:
    typed = "remember that the push token is EXPO_TOKEN=ey8dk3jf93kd02jfl29dk3l"
    done = worked(project, Transcript(project.project.place.root).person(typed))
    told = f"{done.signals} {done.dropped} {done.known}"
    assert "push token" in told
    assert "ey8dk3jf93" not in told
