"""From what was shown to what is shown less, and put aside when a person agrees."""

import os
from collections.abc import Iterator

import pytest

from integration.transcripts_made import Transcript
from satchel.application.learning.reflection.service import Reflection
from satchel.application.learning.reflection.transcripts import corrections_said
from satchel.application.learning.reviewing.review import Review
from satchel.application.learning.usefulness.service import usefulness_report
from satchel.core.clock import FixedClock
from satchel.features.injections.injection_ledger import Injection
from satchel.features.injections.outcomes import outcomes_of
from satchel.interfaces.cli.arguments import Options
from satchel.interfaces.cli.memories.why_injected import print_usefulness
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

GOOD = "The registry mirror needs the REGISTRY_TOKEN variable"
IDLE = "Marmalade recipes belong below the kitchen folder"
#: When the made transcripts say that they were.
_DAY = 1_767_348_000


@pytest.fixture
def project() -> Iterator[Workspace]:
    with temporary_workspace(
        git=True, clock=FixedClock(_DAY), settings="[brief]\nrecent = 2\n"
    ) as workspace:
        workspace.learn(IDLE)
        workspace.learn(GOOD)
        yield workspace


def session(project: Workspace, number: int) -> None:
    """One session: it is shown a brief, uses one of the two memories, and its tests pass."""
    root = os.path.realpath(project.project.place.root)
    made = Transcript(root, f"5d3a1c9e-0000-4000-8000-{number:012}")
    project.briefs.note_injection(
        project.briefs.session(), session=made.session, event="SessionStart"
    )
    made.person("please publish the package")
    made.agent("I set REGISTRY_TOKEN, as the registry mirror wants that variable.")
    made.runs("Bash", "pytest -q").agent("Published.")
    path = made.write(os.path.join(root, "sessions-made", f"{number}.jsonl"))
    Reflection(project).reflect(paths=[path])


def test_what_helps_is_told_from_what_never_does(project: Workspace) -> None:
    for number in range(5):
        session(project, number)
    found = {one.record.content: one.usefulness for one in usefulness_report(project)}
    assert (found[GOOD].helped, found[GOOD].ignored) == (5, 0)
    assert (found[IDLE].helped, found[IDLE].ignored) == (0, 5)
    assert found[IDLE].tokens > 0
    # No session was about it, which says nothing against what a person stated.
    project.learn("Something newer than both of them")
    brief = project.briefs.session()
    assert [one.item.why for one in brief.placed if one.item.raw in (GOOD, IDLE)] == [
        "most recent",
        "older, a person stated it",
    ]
    assert brief.text.index(GOOD) < brief.text.index(IDLE)
    for number in range(7):
        project.learn(f"Shelf {number} holds the jars of harvest {number}")
    # Where there is no room for all, what was of use comes first.
    text = project.briefs.session().text
    assert GOOD in text
    assert IDLE not in text


def test_that_more_helps_than_before_can_be_seen(
    project: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    noted = outcomes_of(project.project)
    for number, outcome in enumerate(("ignored", "used", "helped")):
        noted.note(f"early {number}", {"a": (outcome, 20)})
    session(project, 1)
    clock = project.project.clock
    assert isinstance(clock, FixedClock)
    clock.advance(40 * 86_400.0)
    for number in range(2):
        noted.note(f"late {number}", {"a": ("helped", 20), "b": ("hurt", 9)})
    assert outcomes_of(project.project).by_month() == {"2026-01": (4, 2), "2026-02": (2, 2)}
    print_usefulness(project, Options(json=False))
    assert "2026-02: something helped in 2 of 2 sessions." in capsys.readouterr().out


def test_a_correction_that_is_said_again_counts_though_nobody_kept_it(project: Workspace) -> None:
    home = project.owner().client_home("claude")
    root = os.path.realpath(project.project.place.root)
    for number in (1, 2):
        made = Transcript(root, f"5d3a1c9e-0000-4000-8000-{number:012}")
        made.person("install the packages").agent("I ran npm install.")
        made.person("No, use pnpm instead of npm.").agent("Done with pnpm.")
        name = root.replace("/", "-").replace("_", "-").replace(".", "-")
        made.write(os.path.join(home, "projects", name, f"{made.session}.jsonl"))
    said = list(corrections_said(project))
    assert len({one.session for one in said}) == 2
    found = project.guards.repeats(said)
    assert (found.before.corrections, found.before.repeats) == (2, 1)
    assert project.guards.repeats().before.corrections == 0  # what was kept alone


def test_why_injected_shows_the_text_of_instructions_too(project: Workspace) -> None:
    path = project.project.tracked.place("memory")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write("# Memory\n\n- Deploy on Tuesdays\n")
    with open(os.path.join(project.project.place.root, "PROJECT_INTENT.md"), "w") as file:
        file.write("# Intent\n\n## Goals\n\nA shop for sailors.\n")
    brief = project.briefs.session()
    project.briefs.note_injection(brief, session="s", event="SessionStart")
    (one,) = project.injections.of_session("s")
    assert one.items
    assert [item for item in one.items if not item.text] == []


def test_what_never_helps_is_put_aside_only_when_accepted(project: Workspace) -> None:
    record = next(one for one in project.memories.own.live() if one.content == IDLE)
    for number in range(10):
        outcomes_of(project.project).note(f"s{number}", {record.identity: ("ignored", 20)})
    # It costs a young project little: only where a brief has no room for all is it in the way.
    assert "archive" not in {one.kind for one in Reflection(project).reflect().proposed}
    full = Injection(0, "s", "SessionStart", "", 2000, 2000, left_out=1, items=())
    project.injections.note(full)
    done = Reflection(project).reflect()
    (proposal,) = [one for one in done.proposed if one.kind == "archive"]
    assert "used in none" in proposal.why
    assert IDLE in project.briefs.session().text
    with Review(project) as review:
        assert IDLE in review.diff(proposal)
        assert not review.accept([proposal]).failed
        assert IDLE not in project.briefs.session().text
        assert project.recall("marmalade recipes").items
        standing = review.last_decided()
        assert standing is not None
        review.undo(standing)
        assert IDLE in project.briefs.session().text


def test_a_rebuild_forgets_no_outcome(project: Workspace) -> None:
    session(project, 1)
    before = usefulness_report(project)
    assert before
    project.rebuild("")
    assert usefulness_report(project) == before


def test_a_checkpoint_is_told_by_what_its_session_was_asked(
    project: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seven lines "Session checkpoint (session_end)" told nothing."""
    record = project.remember(
        "Asked: draw a chart | Done: drawn",
        kind="checkpoint",
        title="Session checkpoint (session_end)",
        data={"asked": "draw a chart"},
    )
    outcomes_of(project.project).note("s", {record.identity: ("used", 20)})
    print_usefulness(project, Options(json=False))
    assert "checkpoint: draw a chart\n" in capsys.readouterr().out
