"""Lines that real clients wrote keep their prompts: their recorded sessions, eight ways to rewrite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from clients.recording import folder
from clients.stand import locked_versions
from clients.table import CLIENTS, Client
from clients.thread import RIGHT
from clients.thread_recording import THREAD, lay_out
from integration.installed import Machine, needs_command
from integration.thread_made import Repository
from integration.thread_scored import Score, scores
from integration.thread_ways import WAYS, amend, squash
from satchel.application.thread.explaining import Explainer
from satchel.clients.transcript_format.building import TurnBuilder
from satchel.features.thread import lines
from satchel.features.thread.linking import Linker
from satchel.interfaces.thread_rendering import story_json
from satchel.workspace import Workspace

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
#: Lines of each client, and sessions, that the story has.
LINES, SESSIONS = 50, 5
#: Lines of 54 that are told right as certain, at least: what clients say that they wrote is read.
CERTAIN = 43


def scores_of(
    machine: Machine, client: Client, *ways: Callable[[Repository], None]
) -> list[tuple[str, Score]]:
    """Lay a recording out on a machine; ask about its lines after each way to rewrite history."""
    root = machine.directory / "shop"
    recorded = folder(client.name, locked_versions()[client.package]) / THREAD
    repository = lay_out(recorded, machine.home, root)
    machine.ok("init", "--no-hooks", "--yes", at=root)

    def why(asked: str) -> dict[str, Any]:
        with Workspace.open(str(root), home=str(machine.home / ".satchel")) as work:
            explainer = Explainer(work, str(root))
            assert explainer.known.store.counts()["sessions"] == SESSIONS
            story = explainer.why(asked)
            assert story is not None
            told: dict[str, Any] = story_json(story)
            return told

    return list(scores(why, repository, ways or WAYS))


@pytest.mark.parametrize("client", CLIENTS, ids=lambda one: one.name)
def test_lines_of_a_real_client_keep_their_prompts(
    machine: Machine, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(machine.home))
    for way, found in scores_of(machine, client):
        print(f"{client.name} {way:<20} {found}")
        for one in {*found.wrong, *found.wrong_certain}:
            print("   ", *one)
        assert found.wrong_certain == ()
        assert found.lines >= LINES
        assert found.right >= RIGHT
        assert found.certain >= CERTAIN


@pytest.mark.parametrize("client", CLIENTS, ids=lambda one: one.name)
def test_an_edit_that_failed_and_is_counted_is_noticed(
    machine: Machine, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(machine.home))
    called, failed = TurnBuilder.calls, TurnBuilder.fails

    def succeeds(self: TurnBuilder, name: Any, given: Any, ident: str = "") -> None:
        called(self, name, given, ident)
        self.answered[ident] = 0.0

    monkeypatch.setattr(TurnBuilder, "calls", succeeds)
    monkeypatch.setattr(TurnBuilder, "fails", lambda self, text, _="": failed(self, text))
    ((_, found),) = scores_of(machine, client, amend)
    assert {one.known for one in found.wrong_certain} == {None}


def test_lines_that_clients_report_and_nobody_reads_are_noticed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(machine.home))
    monkeypatch.setattr(TurnBuilder, "wrote", lambda *_, **__: None)
    ((_, found),) = scores_of(machine, CLIENTS[0], amend)
    assert found.certain < CERTAIN


def test_a_patch_that_was_not_applied_and_is_counted_is_noticed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(machine.home))
    monkeypatch.setattr(TurnBuilder, "writes", lambda *_: False)
    codex = next(one for one in CLIENTS if one.name == "codex")
    ((_, found),) = scores_of(machine, codex, amend)
    assert found.wrong_certain


def test_a_line_that_is_always_certain_is_noticed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(machine.home))
    monkeypatch.setattr(lines, "_is_certain", lambda *_: True)
    monkeypatch.setattr(Linker, "is_of_one_prompt", lambda *_: True)
    ((_, found),) = scores_of(machine, CLIENTS[0], squash)
    assert found.wrong_certain
