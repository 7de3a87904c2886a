"""Searching the graph: words, connections, communities; the whole of reflect's example."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from satchel.core.clock import FixedClock
from satchel.core.errors import BadInputError
from satchel.features.graph import searching
from satchel.features.graph.values import Relation, TextGraph
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

NOTES = {
    "tmux-timing": "tmux send-keys is too quick: prompt_failure is caused by tmux.",
    "spawn-agent": "`spawn_agent_tmux` requires tmux. It requires `swarm-lib` as well.",
    "repl": "`swarm-lib` requires REPL_READY before it types anything.",
    "pool": "pgbouncer ran dry because of idle transactions. pgbouncer requires postgresql.",
    "vacuum": "postgresql slows down because of idle transactions; vacuum_freeze solves bloat_error.",
    "cake": "The canteen bakes on Fridays.",
}


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with temporary_workspace(clock=FixedClock()) as opened:
        directory = os.path.join(opened.project.tracked.solutions, "patterns")
        os.makedirs(directory)
        for name, text in NOTES.items():
            Path(directory, name + ".md").write_text(f"# {name}\n{text}", "utf-8")
        yield opened


def found(workspace: Workspace, question: str, mode: str, limit: int = 10) -> list[str]:
    with workspace.graph as own:
        answer = own.search(question, mode=mode, limit=limit)
        names = [hit.memory.id.split("/")[-1][:-3] for hit in answer.hits if hit.memory]
        assert answer.mode == mode or (answer.mode, mode) == ("naive", "local")
        return names


def test_words_find_what_holds_them_and_connections_find_the_rest(workspace: Workspace) -> None:
    assert "repl" not in found(workspace, "tmux timing", "naive")
    connected = found(workspace, "tmux timing", "local")
    assert connected[0] == "tmux-timing"
    assert {"spawn-agent", "repl"} <= set(connected)
    assert "cake" not in connected


def test_the_way_that_led_there_is_told(workspace: Workspace) -> None:
    with workspace.graph as own:
        answer = own.search("tmux timing")
        paths = {hit.memory.id: hit.path for hit in answer.hits if hit.memory}
        assert "swarm lib" in paths["note:patterns/repl.md"]
        assert answer.entities == ("tmux timing",)


def test_without_connections_words_answer(workspace: Workspace) -> None:
    assert found(workspace, "canteen Fridays", "local") == ["cake"]
    assert found(workspace, "zeppelin", "local") == []
    assert found(workspace, "", "naive") == []


def test_another_search_may_find_the_places_to_begin(workspace: Workspace) -> None:
    asked = []

    def find(question: str, limit: int) -> list[tuple[str, float]]:
        asked.append((question, limit))
        return [("note:patterns/pool.md", 2.0), ("note:patterns/none.md", 1.0)]

    with workspace.graph as own:
        answer = own.search("what is this about?", find=find, user=False)
        names = [hit.memory.id for hit in answer.hits if hit.memory]
    assert asked
    assert names[0] == "note:patterns/pool.md"
    assert "note:patterns/vacuum.md" in names


def test_every_community_tells_its_own_members_relations_and_notes(workspace: Workspace) -> None:
    with workspace.graph as own:
        clusters = own.graph().clusters()
        assert len(clusters) >= 2
        assert len({c.report for c in clusters}) == len(clusters)
        for cluster in clusters:
            first = own.graph().store.entity(cluster.members[0])
            assert first is not None
            assert first.name in cluster.report
            assert "Relations: " in cluster.report
            assert "note:patterns/" in cluster.report
        hits = own.search("postgresql idle transactions", mode="global", user=False).hits
        top = hits[0].cluster
        assert top is not None
        assert "postgresql" in top.members or "idle transactions" in top.members
        assert not own.search("zeppelin", mode="global", user=False).hits


def test_expired_memories_are_not_found(workspace: Workspace) -> None:
    assert isinstance(workspace.project.clock, FixedClock)
    workspace.remember("kafka was chosen over rabbitmq", kind="decision")
    with workspace.graph as own:
        assert len(own.search("rabbitmq", mode="naive").hits) == 1
        workspace.project.clock.advance(91 * 86_400)
        assert len(own.search("rabbitmq", mode="naive").hits) == 0
        assert not [h for h in own.search("kafka").hits if h.memory and "kafka" in h.memory.content]


@pytest.mark.parametrize(
    "question", ['"', "NEAR(a b)", "a* OR", "\x00", "🦊", "'; DROP TABLE passages; --", "x" * 5_000]
)
def test_any_question_may_be_asked(workspace: Workspace, question: str) -> None:
    with workspace.graph as own:
        for mode in ("naive", "local", "global"):
            own.search(question, mode=mode)
        for kind in ("entity", "relationship", "memory", "graph"):
            own.query(question, kind=kind)


def test_wrong_words_are_answered_with_the_right_ones(workspace: Workspace) -> None:
    with workspace.graph as own:
        with pytest.raises(BadInputError, match="mode"):
            own.search("x", mode="fuzzy")
        with pytest.raises(BadInputError, match="type"):
            own.query("x", kind="edge")


def test_graphmem_s_four_questions_are_answered_in_its_shape(workspace: Workspace) -> None:
    with workspace.graph as own:
        entity = own.query("postgres")
        assert (entity["query"], entity["type"], entity["count"]) == ("postgres", "entity", 1)
        assert entity["results"][0]["name"] == "postgresql"
        assert own.query("postgres", entity_type="agent")["count"] == 0
        (link,) = [
            one
            for one in own.query("pgbouncer", kind="relationship")["results"]
            if one["relationship_type"] == "requires"
        ]
        assert (link["from_name"], link["to_name"]) == ("pgbouncer", "postgresql")
        assert link["retention"] in ("strong", "moderate", "weak", "fading", "forgotten")
        assert own.query("canteen", kind="memory")["count"] == 1
        (around,) = own.query("postgresql", kind="graph")["results"]
        ways = {(one["connected_name"], one["direction"]) for one in around["relationships"]}
        assert ("pgbouncer", "incoming") in ways
        assert own.query("nothing like it", kind="graph")["results"] == []


def test_a_large_graph_is_searched_near_the_question(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "_WHOLE", 1_000)
    links = tuple(Relation(f"svc {n}", f"svc {n + 1}", "uses", 0.5) for n in range(3_000))
    with workspace.graph as own:
        own.ingest("", TextGraph((), links, explicit=True))
        assert own.graph().store.mention_count() > 1_000
        names = {h.memory.id for h in own.search("tmux timing").hits if h.memory}
        assert "note:patterns/repl.md" in names
        assert not any(name.startswith("ingest:") for name in names)
