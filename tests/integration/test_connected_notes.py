"""The graph beside words and vectors: what is connected is found, and what led there is told."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from satchel.core.clock import FixedClock
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

NOTES = {
    "checkout": "# Checkout hangs\n\nThe checkout hangs at noon, caused by `ledger_gateway`.",
    "gateway": "# Pool sizes\n\n`ledger_gateway` requires `pool_warden`.",
    "warden": "# Restart order\n\n`pool_warden` needs a second to wake up.",
    "cake": "# Canteen\n\nThe canteen bakes on Fridays. The `oven_timer` rings.",
    "tea": "# Kettle\n\nTea is poured in the afternoon.",
}
KEY = "AKIA" + "IOSFODNN7EXAMPLE"


def write(workspace: Workspace, notes: dict[str, str]) -> None:
    os.makedirs(workspace.project.tracked.solutions, exist_ok=True)
    for name, text in notes.items():
        Path(workspace.project.tracked.solutions, name).with_suffix(".md").write_text(text, "utf-8")


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with temporary_workspace(clock=FixedClock()) as opened:
        write(opened, NOTES)
        yield opened


def found(workspace: Workspace, question: str, mode: str = "hybrid") -> dict[str, tuple[str, ...]]:
    with workspace.notes as notebook:
        items = notebook.search(question, mode=mode).items
    return {Path(one.path).stem: one.through for one in items}


def test_a_note_without_any_word_of_the_question_is_found_and_says_through_what(
    workspace: Workspace,
) -> None:
    question = "checkout hangs noon"
    assert not set(question.split()) & set(NOTES["gateway"].lower().split())
    alone = found(workspace, question, "keyword")
    assert list(alone) == ["checkout"]
    both = found(workspace, question)
    assert next(iter(both)) == "checkout"
    assert both["checkout"] == ()
    assert both["gateway"] == ("checkout hangs", "ledger gateway")
    assert not {"cake", "tea"} & set(both)
    with workspace.notes as notebook:
        by_name = {Path(i.path).stem: i for i in notebook.search(question).items}
    assert by_name["gateway"].parts["graph"] > 0


def test_a_title_that_another_note_names_connects_them(workspace: Workspace) -> None:
    write(
        workspace, {"a": "# Blue harbour\n\nvessels wait", "b": "# Elsewhere\n\nsee blue harbour"}
    )
    assert "b" in found(workspace, "vessels wait")


def test_where_nothing_answers_nothing_is_connected(workspace: Workspace) -> None:
    assert found(workspace, "zeppelin") == {}


def test_without_a_graph_and_with_a_broken_one_answers_are_the_same(workspace: Workspace) -> None:
    plain = {"a": "# One\n\nharbour lights", "b": "# Two\n\nmeadow of harbour"}
    for name in NOTES:
        os.unlink(Path(workspace.project.tracked.solutions, name + ".md"))
    write(workspace, plain)
    before = found(workspace, "harbour")
    with closing(sqlite3.connect(workspace.project.state.graph)) as database, database:
        database.execute("DROP TABLE mentions")
    assert found(workspace, "harbour") == before == {"a": (), "b": ()}
    for ending in ("", "-wal", "-shm"):
        Path(workspace.project.state.graph + ending).unlink(missing_ok=True)
    os.mkdir(workspace.project.state.graph)
    assert found(workspace, "harbour") == before


def test_a_search_draws_no_graph_of_very_much(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from satchel.application.recall.graph import connected_notes

    monkeypatch.setattr(connected_notes, "_FIRST_NOTES", 3)
    assert list(found(workspace, "checkout hangs noon")) == ["checkout"]
    assert not os.path.exists(workspace.project.state.graph)
    with workspace.notes as notebook:
        notebook.reindex()
    assert "gateway" in found(workspace, "checkout hangs noon")


def test_no_byte_of_private_state_holds_a_secret_of_a_note(workspace: Workspace) -> None:
    sidecar = (
        f"entities:\n- {{name: {KEY}, type: tool, description: 'key {KEY}', aliases: ['{KEY}']}}\n"
        f"- {{name: tokio, type: tool}}\n"
        f"relationships:\n- {{source: tokio, target: {KEY}, type: '{KEY}'}}\n"
    )
    write(workspace, {
        "plain": f"# Keys of {KEY}\n\n`{KEY}` is caused by tokio. {KEY} requires tokio.",
        "listed": f"---\ntitle: x {KEY}\ntags: [{KEY}]\nkey_insight: {KEY}\n---\n{KEY} tokio {KEY}",
        "broken": f"# B\n\ntokio and {KEY}",
    })  # fmt: skip
    solutions = workspace.project.tracked.solutions
    Path(solutions, "listed.entities.yaml").write_text(sidecar, "utf-8")
    Path(solutions, "broken.entities.yaml").write_text(f"entities: [{{name: tokio, x: {KEY}\n")
    Path(solutions, "plain.entities.yaml").write_text(
        f"extracted_at: {KEY}\nrelationships: [{{source: a, target: b, strength: {KEY}}}]"
    )
    told = []
    with workspace.notes as notebook, workspace.graph as graph:
        graph.ingest(f"the token {KEY} is used by tokio")
        told += [str(notebook.search("tokio keys", mode=m)) for m in ("hybrid", "local", "global")]
        told.append(str(graph.statistics()))
        told.append(str([c.report for c in graph.graph().clusters()]))
        picture = os.path.join(workspace.project.place.root, "graph.html")
        graph.visualize(picture)
        told.append(Path(picture).read_text("utf-8"))
        assert graph.graph().store.entity("tokio") is not None
    assert "tokio" in "".join(told)
    assert KEY.lower() not in "".join(told).lower()
    read = 0
    for directory, _, names in os.walk(workspace.owner().home.path):
        for name in names:
            data = Path(directory, name).read_bytes()
            read += len(data)
            assert KEY.lower().encode() not in data.lower(), name
    assert read > 10_000
