"""Nothing of one project reaches another of the same person, unless they ask for it or promoted it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from integration.somebody import ANN, Somebody, begun
from integration.transcripts_made import Transcript

#: What only the first project knows: words of its memory, its note, its session, its prompt.
CANARIES = ("walrusry", "quokkadeck", "narwhalpipe", "axolotlgate")
NOTE = """---
title: The quokkadeck build needs two passes
category: build-errors
key_insight: Run the quokkadeck linker twice
---
The quokkadeck linker resolves symbols in its second pass.
"""
QUESTIONS = (
    "when does the walrusry database reset",
    "quokkadeck linker passes",
    "decorators of narwhalpipe",
    "axolotlgate import",
    "how do I build and test this",
)


@pytest.fixture
def two(tmp_path: Path) -> tuple[Somebody, Somebody]:
    """One person with two projects, of which the first has seen much work."""
    first = begun(tmp_path / "first", ANN)
    first.satchel("learn", "The walrusry staging database resets every night")
    first.writes("docs/solutions/build/quokkadeck.md", NOTE)
    first.commits()
    prompt = "please fix the failing import of axolotlgate in the worker"
    event = {"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": prompt}
    first.satchel("hook", "UserPromptSubmit", stdin=json.dumps(event))
    session = (
        Transcript(str(first.root))
        .person("Hello! Can you help me understand the narwhalpipe decorators?")
        .agent("They retry.")
        .person("no, that is wrong, narwhalpipe decorators never retry, always log instead")
        .agent("I see, I will log.")
    )
    path = session.write(str(first.home / ".claude/projects/x/s.jsonl"))
    first.satchel("session", "import", path)
    first.satchel("reflect", "--transcript", path)
    first.satchel("graph", "rebuild")
    second = Somebody.__new__(Somebody)
    second.home, second.root = first.home, tmp_path / "second"
    second.who, second.variables = first.who, {}
    second.root.mkdir()
    second.git("init", "--quiet")
    second.satchel("init", "--yes", "--no-hooks")
    second.satchel("learn", "The second project builds with make")
    return first, second


def _said(one: Somebody) -> str:
    """Return all that this project tells an agent, pushed and asked for."""
    told = [one.starts(), one.satchel("prime"), one.satchel("brief", "start")]
    for question in QUESTIONS:
        told += [one.satchel("recall", question), one.satchel("recall", "--weak", question)]
        told += [one.satchel("research", question), one.asks(question)]
        told.append(one.satchel("learnings", "search", question))
    told.append(one.satchel("session", "list"))
    # The questions themselves are repeated by some answers.
    return "\n".join(line for line in "\n".join(told).splitlines() if not _echoes(line))


def _echoes(line: str) -> bool:
    return line.startswith("written to ") or any(question in line for question in QUESTIONS)


def test_nothing_of_one_project_is_told_in_another(two: tuple[Somebody, Somebody]) -> None:
    first, second = two
    assert all(canary in _said(first) for canary in CANARIES[:3])
    assert "understand the narwhalpipe" in first.satchel("session", "list")
    told = _said(second)
    assert [canary for canary in CANARIES if canary in told] == []
    assert "make" in told


def test_who_asks_everywhere_is_told(two: tuple[Somebody, Somebody]) -> None:
    first, second = two
    told = second.satchel("recall", "--everywhere", "walrusry staging database")
    assert str(first.root) in told
    assert "resets every night" in told
    answers = json.loads(second.satchel("recall", "--everywhere", "--json", "walrusry staging"))
    assert [one["project"] for one in answers] == [str(first.root)]
    assert "in 2 projects" in second.satchel("recall", "--everywhere", "zzyzx")


def test_what_was_promoted_is_found_everywhere(two: tuple[Somebody, Somebody]) -> None:
    first, second = two
    first.satchel("learnings", "add", "docs/solutions/build/quokkadeck.md")
    assert "second pass" in second.satchel("learnings", "search", "quokkadeck linker")


def test_a_story_of_another_project_in_the_knowledge_base_stays_there(
    two: tuple[Somebody, Somebody],
) -> None:
    _, second = two
    base = second.home / ".satchel/learnings/documents/episodes/2026-01-02/ep.md"
    base.parent.mkdir(parents=True)
    base.write_text(
        "---\ntype: episode\nproject: other\ntitle: A wombatlane story\n---\nwombatlane\n"
    )
    search = ("learnings", "search", "wombatlane story")
    assert "A wombatlane" not in second.satchel(*search)
    base.write_text("---\ntype: episode\ntitle: A wombatlane story\n---\nwombatlane\n")
    assert "A wombatlane" in second.satchel(*search)
