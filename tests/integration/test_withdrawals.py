"""What a person takes back: "forget what I said about pnpm, we moved to bun"."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from integration.installed import Machine, context_of, needs_command
from integration.transcripts_made import Transcript
from satchel.application.learning.nudging import withdrawals
from satchel.application.learning.reflection.service import Reflection
from satchel.application.learning.reviewing.review import Review
from satchel.application.learning.reviewing.words import in_one_line
from satchel.application.learning.signals.hearing import hear
from satchel.application.learning.signals.unmeant import withdrawn
from satchel.core.clock import FixedClock
from satchel.features.instincts.values import NewInstinct
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

installed = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
OLD = "We use pnpm in this repo, npm breaks the lockfile"
SAID = "forget what I said about pnpm, we moved to bun last week"


@pytest.mark.parametrize(
    ("text", "subjects", "instead"),
    [
        (SAID, ["pnpm"], "We moved to bun last week"),
        ("ignore what I said earlier about redis; we use postgres locks now", ["redis"],
         "We use postgres locks now"),
        ("Please forget everything I told you about the staging database.",
         ["the staging database"], ""),
        ("forget what I said about reddit, they gave us an API token, the limit is now 100 per minute",
         ["reddit"], "Reddit: they gave us an API token, the limit is now 100 per minute"),
        ("disregard what I've said about npm, yarn and pnpm", ["npm", "yarn", "pnpm"], ""),
        ("scrap the polars thing, we use dbt for the load now", ["polars"],
         "We use dbt for the load now"),
        ("I disagree with the no friday deploys rule. Hotfixes always go out when two approve.",
         ["no friday deploys"], "Hotfixes always go out when two approve"),
        ("the tabs rule is gone, we indent with spaces now", ["tabs"],
         "We indent with spaces now"),
        ("drop the friday rule, hotfixes must go out at once", ["friday"],
         "Hotfixes must go out at once"),
        ("lift the coverage rule for this PR", [], ""),
        ("the lint rule is broken", [], ""),
        ("I disagree with the reviewer", [], ""),
        ("drop the idea", [], ""),
        ("forget the thing about gotenberg", ["gotenberg"], ""),
        ("Drop that rule about tabs, we indent with spaces now", ["tabs"],
         "Tabs: we indent with spaces now"),
        ("actually scratch the rule about python names, we rename everything to rust conventions",
         ["python names"], "Python names: we rename everything to rust conventions"),
        ("ignore the python naming rule from now on", ["python naming"], ""),
        ("we can drop the rule for unwrap", ["unwrap"], ""),
        ("forget it, the uuid v7 thing is overkill", ["uuid v7"], ""),
        ("forget what I said", [], ""),
        ("ignore my previous message", [], ""),
        ("don't forget what I said about pnpm", [], ""),
        ("the parser should ignore what we said about tabs in the spec", [], ""),
    ],
)  # fmt: skip
def test_what_is_taken_back_and_what_holds_instead(
    text: str, subjects: list[str], instead: str
) -> None:
    assert [one.subject for one in withdrawn(text)] == subjects
    if subjects:
        assert [one.wording for one in hear(text)] == [instead] * bool(instead)


@installed
def test_the_agent_is_shown_what_it_may_hide_at_once_and_once(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    app = machine.repository()
    machine.ok("remember", "--kind", "decision", OLD, at=app)
    machine.ok("remember", "The staging database is reset every night", at=app)
    named = next(one["id"] for one in machine.json("list", at=app) if one["content"] == OLD)
    # A nudge just before does not make the person wait.
    machine.hook("UserPromptSubmit", app, prompt="remember: releases go out on Tuesdays")
    told = context_of(machine.hook("UserPromptSubmit", app, prompt=SAID), "UserPromptSubmit")
    assert f'"{OLD}": satchel hide {named[:14]} --yes' in told
    assert 'Heard (decision): "we moved to bun last week"' in told
    assert "staging" not in told
    again = machine.hook("UserPromptSubmit", app, prompt=f"{SAID}!")
    assert "hide" not in str(again)
    machine.ok("hide", named[:14], "--yes", at=app)
    assert OLD not in machine.ok("list", at=app)


def reflected(work: Workspace, folder: Path, *said: str) -> Review:
    made = Transcript(work.project.place.root)
    for text in said:
        made = made.person(text).agent("Done.")
    Reflection(work).reflect(paths=[made.write(str(folder / "s.jsonl"))])
    return Review(work)


def titles(review: Review) -> list[str]:
    with review:
        return [one.proposal.title for one in review.pending()]


@installed
def test_a_rule_that_somebody_disagrees_with_is_shown(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    app = machine.repository()
    rule = "Deploy only from Tuesday to Thursday, friday deploys are forbidden"
    machine.ok("learn", rule, at=app)
    for said, is_shown in (
        ("I like the friday deploys rule", False),
        ("lift the friday deploys rule for this release", False),
        ("I disagree with the no friday deploys rule", True),
    ):
        told = machine.hook("UserPromptSubmit", app, prompt=said)
        assert ("Heard that this no longer holds" in str(told)) == is_shown, said


def test_what_still_stands_is_suggested_to_leave(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        work.memories.remember(OLD, kind="decision", trust="user")
        memory = Path(work.project.tracked.place("memory"))
        memory.write_text("# Here\n\n- Run pnpm install before the tests\n- Keep functions short\n")
        os.utime(memory, (0, 0))
        with reflected(work, tmp_path, SAID) as review:
            does = {one.proposal.title: in_one_line(one.proposal) for one in review.pending()}
            assert does.pop(f"Take back: {OLD}").startswith("Leaves briefs")
            assert does.pop("Take back: Run pnpm install before the tests") == (
                "Leaves .satchel/MEMORY.md"
            )
            assert list(does) == ["We moved to bun last week"]
            assert review.answer("Y").failed == ()
            assert memory.read_text() == "# Here\n\n- Keep functions short\n"
            assert OLD not in work.briefs.session().text


GATEWAY = "The gateway drops frames longer than 247 bytes"


@pytest.mark.parametrize(
    ("said", "is_back"),
    [
        ("forget that, with the new firmware it's 1024", True),
        ("that's outdated", True),
        ("no that is not true any more, see the changelog", True),
        ("thanks. and how long is a header?", False),
        ("that's good to know", False),
        ("forget that I asked", False),
    ],
)
def test_what_the_agent_quotes_is_taken_back_without_being_named(
    tmp_path: Path, said: str, *, is_back: bool
) -> None:
    with temporary_workspace() as work:
        for text in (GATEWAY, "The gateway is restarted by systemd"):
            work.memories.remember(text, kind="learned", trust="user")
        root = work.project.place.root
        made = Transcript(root).person("what do you know about the frame length?")
        made = made.agent(f"{GATEWAY}.").person(said).agent("OK.")
        Reflection(work).reflect(paths=[made.write(str(tmp_path / "s.jsonl"))])
        assert (f"Take back: {GATEWAY}" in titles(Review(work))) == is_back
        assert "Take back: The gateway is restarted by systemd" not in titles(Review(work))


def test_what_two_sessions_take_back_waits_once(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        work.instincts.add(NewInstinct("Prefer polars over pandas"))
        root = work.project.place.root
        first = Transcript(root).person("scrap the polars idea").agent("Done.")
        again = Transcript(root, first.session.replace("1", "2"))
        again = again.person("drop the polars rule").agent("Done.")
        paths = [one.write(str(tmp_path / f"{n}.jsonl")) for n, one in enumerate((first, again))]
        for path in paths:
            Reflection(work).reflect(paths=[path])
        assert titles(Review(work)) == ["Take back: Prefer polars over pandas"]


def test_a_soft_rule_is_taken_back_and_comes_again_with_undo(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        for rule in ("Prefer polars over pandas", "Keep functions short"):
            work.instincts.add(NewInstinct(rule))
        with reflected(work, tmp_path, "scrap the polars idea, pandas is fine") as review:
            (one,) = [o.proposal for o in review.pending() if o.proposal.title.startswith("Take")]
            assert in_one_line(one) == "Leaves .satchel/instincts.yaml"
            assert review.accept([one]).failed == ()
            assert [rule.rule for rule in work.instincts.read().instincts] == [
                "Keep functions short"
            ]
            review.undo(review.queue.find(one.id))
            assert len(work.instincts.read().instincts) == 2


def test_in_a_file_that_was_changed_since_what_holds_instead_stays(tmp_path: Path) -> None:
    """Accepting any suggestion changes the file, too: the line that was meant is still found."""
    with temporary_workspace() as work:
        memory = Path(work.project.tracked.place("memory"))
        memory.write_text("- Install with bun, not pnpm\n- Run pnpm install before the tests\n")
        told = [one for one in titles(reflected(work, tmp_path, SAID)) if "Take back" in one]
        assert told == ["Take back: Run pnpm install before the tests"]


def test_a_rule_is_taken_back_in_the_words_of_whoever_takes_it_back(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        memory = Path(work.project.tracked.place("memory"))
        memory.write_text("- Always answer in english, even if I write german\n")
        said = "forget what I said about always answering in english, german is fine again"
        told = titles(reflected(work, tmp_path, said))
        assert told == ["Take back: Always answer in english, even if I write german"]


def test_short_for_a_language_means_no_file_of_it_and_the_rule_that_has_all_the_words(
    tmp_path: Path,
) -> None:
    with temporary_workspace() as work:
        memory = Path(work.project.tracked.place("memory"))
        memory.write_text(
            "- Constants go to src/constants.ts\n- No js files here, typescript only\n- TypeScript strict\n"
        )
        told = titles(
            reflected(work, tmp_path, "forget what I said about ts only, one js file is ok")
        )
        assert told == ["Take back: No js files here, typescript only"]


def test_what_was_remembered_since_is_not_taken_back(tmp_path: Path) -> None:
    """The agent followed at once: what it wrote names the old thing, too."""
    clock = FixedClock()
    with temporary_workspace(clock=clock) as work:
        work.memories.remember(OLD, kind="decision", trust="user")
        clock.advance(2 * 86_400)  # the session is of the day between
        work.memories.remember("Bun installs the packages here; pnpm is gone", kind="learned")
        assert titles(reflected(work, tmp_path, "forget what I said about pnpm")) == [
            f"Take back: {OLD}"
        ]


def test_what_the_same_session_took_back_is_not_suggested(tmp_path: Path) -> None:
    with temporary_workspace() as work:
        first = "we always use pnpm here, never npm"
        assert titles(reflected(work, tmp_path, first)) != []
    with temporary_workspace() as work:
        both = titles(reflected(work, tmp_path, first, "forget what I said about pnpm"))
        assert both == []
        dropped = Reflection(work).reflect(again=True, paths=[str(tmp_path / "s.jsonl")]).dropped
        assert "taken back later in that session" in {why for _, why in dropped}
    with temporary_workspace() as work:
        again = titles(reflected(work, tmp_path, "forget what I said about pnpm", first))
        assert len(again) == 1, "what is said afterwards counts"


def test_a_subject_that_half_of_the_memories_name_takes_nothing_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with temporary_workspace() as work:
        for n in ("one", "two", "three", "four"):
            work.memories.remember(f"The tests of part {n} need a database", kind="learned")
        assert titles(reflected(work, tmp_path, "forget what I said about the tests")) == []
        # Seeded bug: all of them.
        monkeypatch.setattr(withdrawals, "_MOST", 100)
        assert len(withdrawals.memories_about(work, "the tests")) == 4


def test_what_holds_again_is_not_taken_back(tmp_path: Path) -> None:
    """The subject is called "the branch names", and "name/topic" is what stands in its place."""
    with temporary_workspace() as work:
        agents = Path(work.project.place.root) / "AGENTS.md"
        agents.write_text("# Shop\n\n- Branch names: name/topic.\n")
        work.instincts.add(NewInstinct("Branches are dc/TICKET-topic"))
        said = "forget what i said about the branch names, jonas hates it. back to name/topic"
        talk = Transcript(work.project.place.root).person(said).agent("Done.")
        Reflection(work).reflect(paths=[talk.write(str(tmp_path / "t.jsonl"))])
        with Review(work) as review:
            waiting = review.pending()
            assert [one.proposal.title for one in waiting] == [
                "Take back: Branches are dc/TICKET-topic"
            ]
            review.accept([one.proposal for one in waiting])
        assert work.instincts.read().instincts == ()
        assert "name/topic" in agents.read_text()


def test_what_refuses_it_is_not_taken_back_where_something_else_chooses_it() -> None:
    with temporary_workspace() as work:
        table = work.remember("We go with a table instead of a kafka topic", kind="decision")
        assert withdrawals.taken_back_by(work, "forget what I said about kafka").keys() == {
            table.id
        }
        kafka = work.remember("The team decided kafka after all", kind="decision")
        assert withdrawals.taken_back_by(work, "scrap the kafka idea").keys() == {kafka.id}
