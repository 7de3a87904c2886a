"""What was taken back leaves the private state after a time, byte by byte, and stays gone."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from satchel.core.clock import FixedClock
from satchel.features.graph.service import Graph
from satchel.testing import reopened, temporary_workspace
from satchel.workspace import Workspace

_DAY = 86_400
WORD = "quagmirelike"


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with temporary_workspace(clock=FixedClock()) as opened:
        yield opened


def forget(workspace: Workspace, step: str = "purge", *, dry_run: bool = False) -> str:
    return workspace.upkeep(step, dry_run=dry_run, confirmed=False)["purge"]


def files_with(workspace: Workspace, word: str) -> list[str]:
    return [
        name
        for directory, _, names in os.walk(workspace.owner().home.path)
        for name in names
        if word.encode() in Path(directory, name).read_bytes().lower()
    ]


def first_of(graph: Graph) -> str:
    record = graph.ledger.read()[0].record
    assert record is not None
    return record.id


def advance(workspace: Workspace, days: int) -> None:
    assert isinstance(workspace.project.clock, FixedClock)
    workspace.project.clock.advance(days * _DAY)


def test_an_ingest_that_was_undone_leaves_no_byte_after_the_time(workspace: Workspace) -> None:
    with workspace.graph as graph:
        graph.ingest(f"`{WORD}` requires tokio", agent=WORD, source=WORD)
        graph.ingest("`kept_thing` requires tokio")
        assert graph.graph().store.entity(WORD) is not None
        graph.write(lambda own: own.undo(first_of(own)))
    assert files_with(workspace, WORD)
    advance(workspace, 29)
    assert "operation " not in forget(workspace)
    assert "graph.jsonl" in files_with(workspace, WORD)
    advance(workspace, 2)
    assert "1 operation " in forget(workspace, dry_run=True)
    assert files_with(workspace, WORD)
    assert "lost 1 line" in forget(workspace)
    assert files_with(workspace, WORD) == []
    assert "operation " not in forget(workspace)
    with reopened(workspace) as again, again.graph as graph:
        assert graph.rebuild()["texts"] == 1
        assert graph.graph().store.entity("kept_thing") is not None


def test_taking_back_what_was_taken_back_keeps_it(workspace: Workspace) -> None:
    with workspace.graph as graph:
        graph.ingest(f"`{WORD}` requires tokio")
        graph.write(lambda own: own.undo())
        undo = graph.graph().ledger.read()[-1].record
        assert undo is not None
        graph.write(lambda own: own.undo(undo.id))
        assert graph.graph().store.entity(WORD) is not None
    advance(workspace, 400)
    assert "operation " not in forget(workspace)
    with workspace.graph as graph:
        assert graph.graph().store.entity(WORD) is not None


def test_the_same_text_ingested_again_stays(workspace: Workspace) -> None:
    with workspace.graph as graph:
        graph.ingest(f"`{WORD}` requires tokio")
        graph.write(lambda own: own.undo())
        advance(workspace, 1)
        graph.ingest(f"`{WORD}` requires tokio")
    advance(workspace, 60)
    assert "1 operation " in forget(workspace)
    with workspace.graph as graph:
        assert graph.rebuild()["texts"] == 1
        assert graph.graph().store.entity(WORD) is not None


def test_a_memory_that_is_purged_leaves_the_graph_too(workspace: Workspace) -> None:
    record = workspace.learn(f"`{WORD}` requires tokio")
    with workspace.graph as graph:
        assert graph.graph().store.entity(WORD) is not None
    workspace.memories.delete(record.id)
    advance(workspace, 31)
    workspace.upkeep("all", dry_run=False, confirmed=True)
    assert files_with(workspace, WORD) == []
