"""`doctor`, `stats` and `rebuild` for notes, collections and the graph; rebuilding among readers."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from satchel.application.findings import ERROR, WARNING, Finding
from satchel.application.health.derived_stores import rebuild
from satchel.core.clock import FixedClock
from satchel.features.notes.collections import Collection
from satchel.testing import reopened, temporary_workspace
from satchel.workspace import Workspace


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with temporary_workspace(clock=FixedClock()) as opened:
        write(opened, "a", "# Harbour\n\n`tokio_gate` requires postgresql.")
        for number in range(20):
            opened.learn(f"lesson {number} about meadows")
        yield opened


def write(workspace: Workspace, name: str, text: str) -> None:
    os.makedirs(workspace.project.tracked.solutions, exist_ok=True)
    Path(workspace.project.tracked.solutions, name).write_text(text, "utf-8")
    if "." not in name:
        os.rename(
            Path(workspace.project.tracked.solutions, name),
            Path(workspace.project.tracked.solutions, f"{name}.md"),
        )


def told(workspace: Workspace, word: str) -> list[Finding]:
    found = [f for f in workspace.examine() if word in f"{f.subject} {f.what}"]
    assert all(f.next_step for f in found)
    return found


def draw(workspace: Workspace) -> int:
    with workspace.graph as graph:
        return int(graph.statistics()["entities"])


def test_a_healthy_project_has_nothing_to_tell(workspace: Workspace) -> None:
    assert draw(workspace)
    assert [f for f in workspace.examine() if f.severity in (ERROR, WARNING)] == [] or not told(
        workspace, "notes"
    ) + told(workspace, "graph") + told(workspace, "solutions")


def test_doctor_names_damaged_and_vanished_notes(workspace: Workspace) -> None:
    write(workspace, "b", "---\ntitle: [\n---\ntext")
    (one,) = told(workspace, "not readable")
    assert "b.md" in one.what
    assert one.severity == WARNING
    shutil.move(workspace.project.tracked.solutions, workspace.project.tracked.solutions + ".away")
    (gone,) = told(workspace, "missing: ")
    assert "--confirm-removal" in gone.next_step


def test_doctor_names_a_collection_whose_directory_is_gone(
    workspace: Workspace, tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    with workspace.notes as notebook:
        notebook.add_collection(Collection("handbook", str(tree), "**/*.md"))
    assert told(workspace, "handbook") == []
    tree.rmdir()
    (one,) = told(workspace, "handbook")
    assert "satchel docs remove handbook" in one.next_step


def test_doctor_names_sidecars_and_operations_of_the_graph(workspace: Workspace) -> None:
    write(workspace, "a.entities.yaml", "entities: [{type: tool}]")
    draw(workspace)
    with open(workspace.project.state.ledger("graph"), "ab") as file:
        file.write(b'{"type":"graph"\n{}\n')
    (sidecars,) = told(workspace, "sidecars")
    assert "a.entities.yaml" in sidecars.what
    assert told(workspace, "operations")


@pytest.mark.parametrize("which", ["notes", "graph"])
def test_a_damaged_database_is_set_aside_mended_and_told(workspace: Workspace, which: str) -> None:
    draw(workspace)
    workspace.statistics()
    path = (
        workspace.project.state.notes.index if which == "notes" else workspace.project.state.graph
    )
    for ending in ("-wal", "-shm"):
        Path(path + ending).unlink(missing_ok=True)
    Path(path).write_bytes(b"SQLite format 3\0" + b"\xff" * 20_000)
    assert told(workspace, "set aside")
    assert os.path.exists(path + ".damaged")
    assert draw(workspace)


def test_stats_count_notes_collections_and_graph(workspace: Workspace) -> None:
    assert workspace.statistics().graphs == ()
    entities = draw(workspace)
    counted = workspace.statistics().as_json()
    notes, graphs = counted["notes"], counted["graphs"]
    assert isinstance(notes, dict)
    assert isinstance(graphs, list)
    assert (notes["directories"][0]["name"], notes["directories"][0]["files"]) == (
        "docs/solutions", 1,
    )  # fmt: skip
    assert notes["indexes"][0]["size"] > 0
    assert graphs[0]["entities"] == entities
    assert graphs[0]["size"] > 0


def test_rebuild_builds_all_three_and_each_alone(workspace: Workspace) -> None:
    entities = draw(workspace)
    assert rebuild(workspace) == {"memories": 20, "notes": 1, "graph": entities}
    assert list(rebuild(workspace, "notes")) == ["notes"]
    assert list(rebuild(workspace, "graph")) == ["graph"]
    assert workspace.rebuild() == 20


def test_whoever_has_an_index_open_goes_on_with_it_through_a_rebuild(workspace: Workspace) -> None:
    draw(workspace)
    with reopened(workspace) as other, other.graph as graph, other.notes as notebook:
        assert len(other.recall("meadows", limit=50).items) == 20
        store = graph.graph().store
        assert notebook.search("harbour", mode="keyword").items
        before = os.stat(workspace.project.state.index).st_ino
        rebuild(workspace)
        assert os.stat(workspace.project.state.index).st_ino == before
        assert len(other.recall("meadows", limit=50).items) == 20
        other.learn("one more about meadows")
        assert len(other.recall("meadows", limit=50).items) == 21
        assert store.entity("tokio_gate") is not None
        assert notebook.search("harbour", mode="keyword").items
    assert len(workspace.recall("meadows", limit=50).items) == 21
    assert workspace.memories.own.index.problems() == []


def test_a_rebuild_that_fails_leaves_the_older_index(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from satchel.engine.search import index as module

    assert workspace.recall("meadows", limit=50).items

    def broken(*_: object) -> None:
        raise OSError("the disk is away")

    monkeypatch.setattr(module, "catch_up", broken)
    with pytest.raises(OSError, match="away"):
        rebuild(workspace, "memories")
    monkeypatch.undo()
    assert len(reopened(workspace).recall("meadows", limit=50).items) == 20
