"""Questions about something else find nothing, whatever the project has: graph, code, sessions."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import satchel
from integration.installed import Machine, needs_command
from integration.mcp_machine import Lines
from satchel.application.recall.tiers import code as code_tier
from satchel.application.recall.tiers import graph as graph_tier
from satchel.workspace import Workspace

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

LESSONS = (
    "Run the linter before pushing to main, the pipeline rejects what it would have found",
    "The cache is cold after a restart, so warm it up before traffic comes back",
    "Ports of services are listed in the harbour table of the wiki",
    "Customers are invoiced on the first of each month by the billing service",
    "The billing service retries a card three times and then writes to the customer",
    "Redis was replaced by Valkey because of its licence",
    "The redactor runs before the ledger writes, so a secret never reaches the disk",
    "Sessions of the console end after twelve hours without a request",
)
FOREIGN = (
    "what is the meaning of life",
    "who is the president of France",
    "how do I bake bread",
    "what time is it in Tokyo",
    "is there life on Mars",
    "how tall is the Eiffel tower",
    "what is love",
    "who wrote Hamlet",
    "how do magnets work",
    "best pizza in Naples",
    "what should I eat today",
    "how to lose weight",
    "capital of Australia",
    "what is the speed of light",
    "how to play guitar",
    "when is Easter next year",
    "how do vaccines work",
    "who invented the telephone",
    "how long do turtles live",
    "why did we choose oak for the kitchen floor",
    "what did we decide about the wedding cake",
    "where is Lake Titicaca",
    "how does a steam engine work",
    "which whales sing the longest songs",
    "who calls the plumber when a pipe bursts",
    "what happened yesterday in the football match",
    "which file cabinet is cheapest",
    "how does photosynthesis work",
    "where is the nearest pharmacy",
    "why did we paint the fence green",
)
#: What must still be found, and a word of the answer.
OWN = (
    ("why did we drop redis", "Valkey"),
    ("when are customers invoiced", "first of each month"),
    ("warm up the cache after a restart", "cold"),
    ("how does the redactor work", "redact"),
    ("where is the class Outlet implemented", "outlet"),
    ("which service retries cards", "card"),
    ("who calls code_results", "tiers"),
    ("valkey", "Valkey"),
)
_MOST = 2


@pytest.fixture
def app(machine: Machine) -> Path:
    """A project with memories, a graph of them, and code: a part of our own."""
    path = machine.repository()
    source = Path(satchel.__file__).parent
    for part in ("application/recall", "application/outlet.py", "core/redaction"):
        target = path / "src" / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if (source / part).is_dir():
            shutil.copytree(source / part, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source / part, target)
    for lesson in LESSONS:
        machine.ok("learn", lesson, at=path)
    machine.ok("code", "rebuild", at=path)
    machine.ok("rebuild", at=path)
    machine.ok("upkeep", "embed", at=path)
    return path


def opened(machine: Machine, app: Path) -> Workspace:
    return Workspace.open(str(app), home=str(machine.home / ".satchel"))


def answered(work: Workspace) -> list[str]:
    return [question for question in FOREIGN if work.ask(question, limit=5).pieces]


def test_recall_finds_nothing_about_something_else(machine: Machine, app: Path) -> None:
    with opened(machine, app) as work:
        wrong = answered(work)
        for question, word in OWN:
            found = " ".join(f"{p.title} {p.text} {p.place}" for p in work.ask(question).pieces)
            assert word.lower() in found.lower(), question
    assert len(wrong) <= _MOST, wrong
    assert FOREIGN[0] not in wrong


def test_a_walk_without_a_foothold_is_noticed(
    machine: Machine, app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seeded bug: the graph answers whatever it was led to, code whatever it was asked."""
    monkeypatch.setattr(graph_tier, "_has_foothold", lambda *_: True)
    monkeypatch.setattr(code_tier, "_asks_of_code", lambda _: True)
    monkeypatch.setattr(code_tier, "_names", lambda *_: True)
    with opened(machine, app) as work:
        assert len(answered(work)) > len(FOREIGN) / 2


def test_the_command_and_the_server_say_so(machine: Machine, app: Path) -> None:
    said = machine.ok("recall", FOREIGN[0], at=app)
    assert "Nothing found" in said
    assert machine.json("recall", FOREIGN[8], at=app)["items"] == []
    with Lines(machine, app, "serve") as lines:
        lines.hello()
        for question in (FOREIGN[0], FOREIGN[9], FOREIGN[19], FOREIGN[24]):
            assert "Nothing found." in lines.text("recall", question=question), question
        assert OWN[0][1] in lines.text("recall", question=OWN[0][0])


def test_four_memories_answer_no_question_about_life(machine: Machine) -> None:
    path = machine.repository("few")
    for lesson in LESSONS[:4]:
        machine.ok("learn", lesson, at=path)
    for question in (FOREIGN[0], FOREIGN[4], FOREIGN[9]):
        assert "Nothing found" in machine.ok("recall", question, at=path)
