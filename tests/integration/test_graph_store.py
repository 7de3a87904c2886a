"""The graph in real files: drawn from notes, ledgers and operations, the same however often."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from integration.graph_content import content_of
from satchel.core.clock import FixedClock
from satchel.core.errors import BadInputError, ConflictError, NotFoundError
from satchel.features.graph.values import Entity, Relation, TextGraph
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

DAY = 86_400


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with temporary_workspace(clock=FixedClock()) as opened:
        yield opened


def write_note(workspace: Workspace, name: str, text: str, sidecar: str = "") -> str:
    directory = os.path.join(workspace.project.tracked.solutions, "patterns")
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, name + ".md")
    Path(path).write_text(text, "utf-8")
    if sidecar:
        Path(path.removesuffix(".md") + ".entities.yaml").write_text(sidecar, "utf-8")
    return path


SIDECAR = """\
document_id: d
entities: [{name: Tokio, type: technology, description: runs futures}]
relationships: [{source: block_on, target: tokio, type: requires, strength: 9}]
"""


def test_notes_records_and_observations_become_one_graph(workspace: Workspace) -> None:
    write_note(workspace, "tokio", "---\ncreated: 2026-01-01\n---\n# Tokio\nuse block_on", SIDECAR)
    workspace.learn("pgbouncer requires postgresql.")
    workspace.remember(
        "The gateway runs in region eu.", kind="fact",
        data={"subject": "gateway", "predicate": "located in", "object": "eu"},
    )  # fmt: skip
    with workspace.graph as own:
        own.ingest("redis prevents TimeoutError", agent="mallow", source="chat")
        found = {r.triple for r in own.graph().store.relations()}
        assert ("block on", "requires", "tokio") in found
        assert ("pgbouncer", "requires", "postgresql") in found
        assert ("gateway", "located_in", "eu") in found
        assert ("redis", "prevents", "timeouterror") in found
        tokio = own.graph().store.entity("TOKIO")
        assert tokio is not None
        assert (tokio.name, tokio.type, tokio.description) == (
            "Tokio",
            "technology",
            "runs futures",
        )


def test_what_changes_and_goes_is_followed_without_a_command(workspace: Workspace) -> None:
    path = write_note(workspace, "a", "kafka requires zookeeper")
    record = workspace.learn("nginx requires openssl")
    with workspace.graph as own:
        assert {r.source for r in own.graph().store.relations()} >= {"kafka", "nginx"}
        Path(path).write_text("kafka requires java", "utf-8")
        workspace.memories.delete(record.id)
        names = {e.key for e in own.graph().store.entities()}
        assert "java" in names
        assert not {"zookeeper", "nginx"} & names
        os.unlink(path)
        assert own.graph().store.entities() == []


def test_a_broken_sidecar_costs_nothing_but_itself(workspace: Workspace) -> None:
    write_note(workspace, "a", "redis requires linux", "entities: [{type: tool}]")
    write_note(workspace, "b", "tokio is nice", SIDECAR)
    with workspace.graph as own:
        counts = own.statistics()
        problems = " ".join(counts["problems"].values())
        assert "a.entities.yaml" in problems
        assert "entities[1].name" in problems
        assert own.graph().store.entity("redis") is not None
        write_note(workspace, "a", "redis requires linux", SIDECAR.replace("Tokio", "redis"))
        assert "entities[1]" not in " ".join(own.statistics()["problems"].values())


def test_what_a_sidecar_makes_up_is_left_out_and_told(workspace: Workspace) -> None:
    write_note(workspace, "a", "about tokio alone", SIDECAR.replace("Tokio", "Kafka"))
    with workspace.graph as own:
        assert own.graph().store.entity("kafka") is None
        assert "not named in the note" in " ".join(own.statistics()["problems"].values())


def test_the_same_observation_twice_is_one_and_another_reinforces(workspace: Workspace) -> None:
    drawn = TextGraph((), (Relation("a1", "b1", "uses", 0.4),), explicit=True)
    with workspace.graph as own:
        assert own.ingest("seen", drawn)
        assert own.ingest("seen", drawn) == []
        (relation,) = own.graph().store.relations()
        assert relation.reinforcements == 0
        own.ingest("seen again", TextGraph((), (Relation("A1", "b1", "uses", 0.9),), explicit=True))
        own.ingest("and again", TextGraph((), (Relation("a1", "B1", "uses", 0.1),), explicit=True))
        (relation,) = own.graph().store.relations()
        assert (relation.reinforcements, relation.weight) == (2, 0.9)


def test_secrets_never_reach_the_ledger_of_operations(workspace: Workspace) -> None:
    secret = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6"
    with workspace.graph as own:
        drawn = TextGraph((Entity("vault", "tool", f"token {secret}"),), (), explicit=True)
        own.ingest(f"the key is {secret}", drawn)
        raw = Path(own.graph().ledger.path).read_bytes()
    assert secret.encode() not in raw
    assert secret.encode() not in Path(workspace.project.state.graph).read_bytes()


def test_a_note_without_a_date_is_as_old_as_its_file(workspace: Workspace) -> None:
    path = write_note(workspace, "a", "kafka requires java")
    os.utime(path, (1_767_000_000, 1_767_000_000))
    write_note(workspace, "b", "---\ncreated: 2025-12-01\n---\nredis requires linux")
    with workspace.graph as own:
        seen = {r.source: r.last_seen for r in own.graph().store.relations() if r.weight > 0.5}
        assert seen == {"kafka": 1_767_000_000, "redis": 1_764_547_200}


def test_two_projects_do_not_mix() -> None:
    with (
        temporary_workspace(name="one", project_id="01TESTTESTTESTTESTTESTTST1") as one,
        temporary_workspace(name="two", project_id="01TESTTESTTESTTESTTESTTST2") as two,
    ):
        same_home = Workspace.open(
            two.project.place.root, home=one.owner().home.path, clock=two.project.clock
        )
        with same_home, one.graph as first, same_home.graph as second:
            first.ingest("redis requires linux")
            second.ingest("kafka requires java")
            assert first.graph().store.entity("kafka") is None
            assert second.graph().store.entity("redis") is None
            assert [h.memory.content for h in second.search("redis kafka").hits if h.memory] == [
                "kafka requires java"
            ]


def test_the_person_s_graph_is_asked_from_every_project(workspace: Workspace) -> None:
    notes = workspace.owner().home.knowledge_base("default")
    os.makedirs(os.path.join(notes, "learnings"))
    Path(notes, "learnings", "tmux.md").write_text("tmux requires `capture-pane`", "utf-8")
    with workspace.graph as own:
        own.ingest("kafka requires java")
        titles = {h.memory.id for h in own.search("tmux").hits if h.memory}
        assert "note:learnings/tmux.md" in titles
        assert own.graph().store.entity("tmux") is None
        assert own.graph(user=True).store.entity("tmux") is not None


def test_undo_takes_back_texts_and_undo_of_undo_brings_them_again(workspace: Workspace) -> None:
    with workspace.graph as own:
        own.ingest("kafka requires java")
        before = content_of(own)
        own.ingest("redis requires linux")
        after = content_of(own)
        (undone,) = own.write(lambda g: g.undo())
        assert content_of(own) == before
        ledger = own.graph().ledger.read()
        last = ledger[-1].record
        assert last is not None
        own.write(lambda g: g.undo(last.id))
        assert content_of(own) == after
        assert undone.name == "ingest"


def test_merge_and_unmerge_leave_no_trace(workspace: Workspace) -> None:
    with workspace.graph as own:
        own.ingest("kafka requires java and redis requires linux")
        own.ingest(
            "the cache requires linux", TextGraph((), (Relation("cache", "linux", "requires"),))
        )
        before = content_of(own)
        own.write(lambda g: g.merge("redis", ["cache"]))
        merged = own.graph().store.entity("cache")
        assert merged is not None
        assert merged.key == "redis"
        assert "cache" in merged.aliases
        own.write(lambda g: g.unmerge(["cache"]))
        assert content_of(own) == before
        with pytest.raises(NotFoundError):
            own.write(lambda g: g.unmerge(["cache"]))
        with pytest.raises(NotFoundError):
            own.write(lambda g: g.merge("redis", ["nobody"]))


def test_a_rename_keeps_relations_and_the_old_name_finds_it(workspace: Workspace) -> None:
    with workspace.graph as own:
        own.ingest(
            "x", TextGraph((Entity("The Mule", "person"),), (Relation("bayta", "mule", "knows"),))
        )
        own.write(lambda g: g.update("mule", {"name": "Magnifico", "type": "agent"}))
        found = own.graph().store.entity("the mule")
        assert found is not None
        assert (found.name, found.type) == ("Magnifico", "agent")
        assert [r.target for r in own.graph().store.relations()] == ["Magnifico"]


def test_a_weight_is_corrected_and_an_unknown_relation_is_not(workspace: Workspace) -> None:
    with workspace.graph as own:
        own.ingest("", TextGraph((), (Relation("a1", "b1", "uses", 0.2),)))
        own.write(lambda g: g.update_relation("A1", "uses", "b1", {"weight": 0.7}))
        assert own.graph().store.relations()[0].weight == 0.7
        with pytest.raises(NotFoundError):
            own.write(lambda g: g.update_relation("a1", "uses", "zz", {"weight": 0.7}))
        with pytest.raises(BadInputError):
            own.ingest("   ")


def test_evolution_is_planned_applied_and_taken_back(workspace: Workspace) -> None:
    assert isinstance(workspace.project.clock, FixedClock)
    with workspace.graph as own:
        own.ingest("old", TextGraph((), (Relation("aa", "bb", "uses", 0.5),)))
        workspace.project.clock.advance(150 * DAY)
        own.ingest("new", TextGraph((), (Relation("cc", "dd", "uses", 0.5),)))
        before = content_of(own)
        plan, run = own.evolve(confirmed=True)
        assert {(s.kind, s.what) for s in plan.steps} == {
            ("prune", "aa -uses-> bb"), ("orphan", "aa"), ("orphan", "bb"),
        }  # fmt: skip
        assert run == ""
        assert content_of(own) == before
        plan, run = own.evolve(apply=True, confirmed=True)
        assert run
        assert {e.key for e in own.graph().store.entities()} == {"cc", "dd"}
        assert own.evolve(apply=True, confirmed=True)[1] == ""
        own.write(lambda g: g.undo())
        assert content_of(own) == before


def test_what_is_said_again_comes_back_by_itself(workspace: Workspace) -> None:
    assert isinstance(workspace.project.clock, FixedClock)
    with workspace.graph as own:
        own.ingest("old", TextGraph((), (Relation("aa", "bb", "uses", 0.5),)))
        workspace.project.clock.advance(150 * DAY)
        own.evolve(apply=True, confirmed=True)
        assert own.graph().store.relations() == []
        workspace.project.clock.advance(DAY)
        own.ingest("again", TextGraph((), (Relation("aa", "bb", "uses", 0.5),)))
        (relation,) = own.graph().store.relations()
        assert relation.reinforcements == 1


def test_a_torn_operation_is_counted_and_the_rest_stands(workspace: Workspace) -> None:
    with workspace.graph as own:
        own.ingest("kafka requires java")
        own.ingest("redis requires linux")
        path = own.graph().ledger.path
        own.graph().ledger.close()
        first, second = Path(path).read_bytes().splitlines(keepends=True)
        Path(path).write_bytes(first[:40] + b"\n" + second)
        assert own.graph().store.entity("kafka") is None
        assert own.graph().store.entity("redis") is not None
        assert own.statistics()["damaged_operations"] == 1


def test_a_note_whose_name_cannot_be_printed_is_passed_over(workspace: Workspace) -> None:
    write_note(workspace, "tokio", "# Tokio", SIDECAR)
    directory = os.fsencode(os.path.join(workspace.project.tracked.solutions, "patterns"))
    with open(directory + b"/bad\xff.md", "wb") as file:
        file.write(b"# Zebra")
    with workspace.graph as own:
        assert own.statistics()["entities"] > 0


def test_a_picture_replaces_pictures_and_no_other_file(
    workspace: Workspace, tmp_path: Path
) -> None:
    note = write_note(workspace, "tokio", "# Tokio", SIDECAR)
    picture = str(tmp_path / "graph.html")
    with workspace.graph as own:
        for _ in range(2):
            own.visualize(picture)
        with pytest.raises(ConflictError, match="not an HTML page"):
            own.visualize(note)
    assert Path(note).read_text("utf-8") == "# Tokio"


def test_what_cannot_be_merged_or_restored_is_refused(workspace: Workspace) -> None:
    write_note(workspace, "tokio", "# Tokio", SIDECAR)
    with workspace.graph as own:
        with pytest.raises(BadInputError, match="itself"):
            own.write(lambda graph: graph.merge("tokio", ["tokio"]))
        with pytest.raises(NotFoundError, match="pruned or ended"):
            own.write(lambda graph: graph.restore(["tokio"]))


def test_links_out_of_the_tree_and_files_too_large_are_not_drawn(
    workspace: Workspace, tmp_path: Path
) -> None:
    write_note(workspace, "tokio", "# Tokio", SIDECAR)
    outside = tmp_path / "outside.md"
    outside.write_text("# Zebra crossing uses `Stripes`")
    note = write_note(workspace, "large", "x")
    Path(note).write_text("# Giraffe\n" + "uses `Spots`\n" * 500_000)
    os.symlink(outside, os.path.join(os.path.dirname(note), "link.md"))
    with workspace.graph as own:
        names = {
            entity.name.lower() for entity in own.retry_after_rebuild(lambda g: g.store.entities())
        }
    assert "tokio" in names
    assert not [n for n in names if "stripes" in n or "spots" in n or "zebra" in n]
