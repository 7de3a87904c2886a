"""Lines keep their prompts whatever becomes of the commits: forty lines, eight ways to rewrite."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from integration.installed import Machine, needs_command
from integration.thread_made import Repository, new_repository
from integration.thread_scored import score
from integration.thread_story import feature_branch, fees_on_main, main_branch
from integration.thread_ways import WAYS
from satchel.application.thread.explaining import Explainer
from satchel.interfaces.thread_rendering import story_json
from satchel.workspace import Workspace

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

LINES = 40
#: Of the story.
SESSIONS = 5


@pytest.fixture
def repository(machine: Machine) -> Repository:
    made = new_repository(machine)
    main_branch(made, machine.home)
    fees_on_main(made, machine.home)
    feature_branch(made, machine.home)
    return made


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_lines_keep_their_prompts(
    machine: Machine,
    repository: Repository,
    way: Callable[[Repository], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    way(repository)
    known = [
        (path, number)
        for path, lines in sorted(repository.lines.items())
        for number, (text, origin) in enumerate(lines, 1)
        if origin is not None and text.strip()
    ]
    chosen = set(random.Random(7).sample(known, LINES))
    monkeypatch.setenv("HOME", str(machine.home))
    with Workspace.open(str(repository.root), home=str(machine.home / ".satchel")) as work:
        explainer = Explainer(work, str(repository.root))
        assert explainer.known.store.counts()["sessions"] == SESSIONS

        def why(asked: str) -> dict[str, Any]:
            story = explainer.why(asked)
            assert story is not None
            told: dict[str, Any] = story_json(story)
            return told

        found = score(why, repository, chosen)
    print(f"\n{way.__name__:<20} {found}")
    for one in found.wrong:
        print("   ", *one)
    # What a person typed is nobody's for certain, either.
    assert found.wrong_certain == ()
    assert found.right >= 0.9, found.wrong
    assert found.certain >= LINES / 2
