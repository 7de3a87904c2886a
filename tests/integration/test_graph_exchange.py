"""What comes from elsewhere: GraphMem's database and settings, seed files, the command line."""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from reliability.stand import in_this_process
from satchel.application.exchange.graphmem import adopt_database
from satchel.core.clock import FixedClock
from satchel.core.errors import BadInputError, NotFoundError
from satchel.features.graph.seeding import read_seed
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

GRAPHMEM = """
CREATE TABLE entities (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, entity_type TEXT,
  description TEXT, attributes TEXT, embedding BLOB, created_at TIMESTAMP, updated_at TIMESTAMP);
CREATE TABLE relationships (id INTEGER PRIMARY KEY, from_entity_id INTEGER, to_entity_id INTEGER,
  relationship_type TEXT, weight REAL DEFAULT 1.0, created_at TIMESTAMP);
CREATE TABLE memories (id INTEGER PRIMARY KEY, content TEXT NOT NULL, source TEXT, agent_id TEXT,
  entity_ids TEXT, created_at TIMESTAMP);
INSERT INTO entities VALUES
  (1, 'mallow', 'agent', 'Revenue Operations', '{"pagerank": 0.4, "tier": 2}', NULL,
   '2026-01-01 10:00:00', '2026-01-02 10:00:00'),
  (2, 'commerce', 'division', NULL, 'broken json', x'00ff', NULL, NULL),
  (3, 'Commerce ', 'division', 'the same', NULL, NULL, NULL, NULL);
INSERT INTO relationships VALUES
  (1, 1, 2, 'part_of', 0.8, '2026-01-02 10:00:00'), (2, 1, 99, 'uses', 0.5, NULL);
INSERT INTO memories VALUES
  (1, 'Mallow closed the quarter', 'conversation', 'mallow', '[1, 77]', '2026-01-03 09:00:00'),
  (2, 'ünïcode — and "quotes"', 'agent', 'shared', 'null', NULL);
"""
SEED = """
agents:
- {id: mallow, role: Revenue Operations, division: commerce, aliases: [hober], port: 8081}
- daneel
divisions: [commerce]
components:
  gateway: {description: Routes requests, depends_on: [postgresql]}
decisions:
- {topic: Drop the cache, decision: Redis is dropped, rationale: nobody needs it,
   alternatives: [memcached], applies_to: [gateway], agent: daneel, date: 2026-01-01}
relationships:
- {from: mallow, to: gateway, type: manages, weight: 0.8}
"""


@pytest.fixture
def workspace(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    with temporary_workspace(clock=FixedClock()) as opened:
        monkeypatch.setenv("SATCHEL_HOME", opened.owner().home.path)
        monkeypatch.chdir(opened.project.place.root)
        yield opened


def graphmem(directory: str) -> str:
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, "clawd_brain.db")
    connection = sqlite3.connect(path)
    connection.executescript(GRAPHMEM)
    connection.close()
    return path


def run(words: str, code: int = 0, given: tuple[str, ...] = ()) -> str:
    done, out = in_this_process([*words.split(), *given])
    assert done == code, out
    return out


def test_graphmem_s_database_is_read_once_however_often(workspace: Workspace) -> None:
    path = graphmem(workspace.project.place.root)
    before = Path(path).read_bytes()
    with workspace.graph as own:
        read, written = adopt_database(own, path)
        assert (read, written) == (3, 3)
        assert adopt_database(own, path) == (3, 0)
        mallow = own.graph().store.entity("mallow")
        assert mallow is not None
        assert (mallow.type, mallow.description) == ("agent", "Revenue Operations")
        assert mallow.attributes == {"tier": 2}
        (relation,) = own.graph().store.relations()
        assert (relation.triple, relation.weight) == (("mallow", "part_of", "commerce"), 0.8)
        assert relation.last_seen == 1_767_348_000
        (text,) = own.query("closed the quarter", kind="memory")["results"]
        assert (text["agent_id"], text["source"], text["entities"]) == (
            "mallow", "conversation", ["mallow"],
        )  # fmt: skip
        assert own.query("ünïcode", kind="memory")["count"] == 1
    assert Path(path).read_bytes() == before


def test_adopt_takes_graph_and_settings_over(workspace: Workspace) -> None:
    root = workspace.project.place.root
    graphmem(os.path.join(root, "mcp-servers", "graphmem"))
    os.makedirs(os.path.join(root, "config"))
    settings = {"evolution": {"ebbinghaus_forgetting": {"base_stability_days": 12}}}
    Path(root, "config", "graphmem-evolution.json").write_text(json.dumps(settings))
    out = run("adopt")
    assert "mcp-servers/graphmem/clawd_brain.db: 3 lines, 3 imported" in out
    with workspace.graph as own:
        assert own.graph().settings.base_stability_days == 12
        assert own.graph().store.entity("mallow") is not None


def test_settings_that_are_wrong_are_not_taken_over(workspace: Workspace) -> None:
    with workspace.graph as own, pytest.raises(BadInputError, match="damping_factor"):
        own.adopt_settings(b'{"evolution": {"pagerank": {"damping_factor": 7}}}', "x.json")
    assert not os.path.exists(workspace.project.state.graph_settings)


def test_another_database_is_refused(workspace: Workspace) -> None:
    path = os.path.join(workspace.project.place.root, "other.db")
    with closing(sqlite3.connect(path)) as database:
        database.executescript("CREATE TABLE x (y)")
    with workspace.graph as own, pytest.raises(BadInputError, match="no tables"):
        adopt_database(own, path)


def test_a_seed_file_becomes_agents_components_and_decisions(workspace: Workspace) -> None:
    path = Path(workspace.project.place.root, "seed.yaml")
    path.write_text(SEED)
    assert run("graph seed seed.yaml") == "6 items, 6 new.\n"
    assert run("graph seed seed.yaml") == "6 items, 0 new.\n"
    with workspace.graph as own:
        store = own.graph().store
        mallow = store.entity("hober")
        assert mallow is not None
        assert (mallow.name, mallow.type, mallow.attributes["port"]) == ("mallow", "agent", 8081)
        decision = store.entity("decision-drop-the-cache")
        assert decision is not None
        assert decision.attributes["alternatives"] == ["memcached"]
        triples = {r.triple for r in store.relations()}
        assert {
            ("mallow", "part_of", "commerce"), ("gateway", "requires", "postgresql"),
            ("mallow", "manages", "gateway"), ("decision drop the cache", "applies_to", "gateway"),
            ("decision drop the cache", "decided_by", "daneel"),
        } <= triples  # fmt: skip
        assert len(own.write(lambda g: g.undo())) == 6
        assert own.graph().store.entities() == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("agents: [{role: x}]", r"agents\[0\]"),
        ("decisions: [{topic: x}]", r"decisions\[0\]"),
        ("relationships: [{from: a, to: b, weight: 3}]", "weight"),
        ("people: 3", "not a list"),
        ("nonsense: []", "nonsense"),
        ("agents: []", "nothing"),
        ("[", "line"),
        ("x", "sections"),
    ],
)
def test_what_is_wrong_in_a_seed_file_is_named(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "seed.yaml"
    path.write_text(text + "\n")
    with pytest.raises(BadInputError, match=told) as raised:
        read_seed(str(path))
    assert "seed.yaml" in str(raised.value)
    with pytest.raises(NotFoundError):
        read_seed(str(tmp_path / "none.yaml"))


def test_an_empty_graph_answers_every_command(workspace: Workspace) -> None:
    for words in (
        "query x", "search x", "search x --mode global", "communities", "evolve", "evolve --apply",
        "stats", "rebuild", "visualize", "undo --list",
    ):  # fmt: skip
        run(f"graph {words}")
        run(f"graph {words} --json")
    for words in ("show x", "undo", "merge x y", "unmerge x"):
        run(f"graph {words}", code=4)


def test_the_command_line_takes_graphmem_s_arguments(workspace: Workspace) -> None:
    entities = json.dumps([{"name": "Ömer", "type": "person", "description": "owns the gate"}])
    links = json.dumps([{"from": "Ömer", "to": "gate", "type": "manages", "weight": 0.4}])
    words = ("--entities", entities, "--relationships", links)
    run("graph ingest --source chat --agent-id mallow --json", given=("Ömer owns it", *words))
    found = json.loads(run("graph query --type graph --limit 3 --json", given=("ömer",)))
    assert found["results"][0]["entity"]["description"] == "owns the gate"
    assert found["results"][0]["relationships"][0]["weight"] == 0.4
    run("graph update --type agent --alias keeper", given=("ömer",))
    run("graph update --relation Ömer manages gate --weight 0.9")
    shown = json.loads(run("graph show keeper --json"))
    assert shown["entity"]["entity_type"] == "agent"
    assert shown["relationships"][0]["weight"] == 0.9
    run("graph undo")
    assert json.loads(run("graph show keeper --json"))["relationships"][0]["weight"] == 0.4


@pytest.mark.parametrize(
    "words",
    ["nothing", "ingest --entities {", "ingest --file none.jsonl", "query x --type edge",
     "evolve --apply --dry-run", "update", "update x --weight 2", "query x --limit -1"],
)  # fmt: skip
def test_wrong_words_end_with_an_error_and_never_a_traceback(
    workspace: Workspace, words: str
) -> None:
    code, out = in_this_process(["graph", *words.split()])
    assert code in (2, 4), out
    assert "Traceback" not in out


def test_fifty_thousand_relations_come_from_one_file(workspace: Workspace) -> None:
    path = Path(workspace.project.place.root, "many.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        for n in range(500):
            links = [
                {"from": f"svc{n}", "to": f"svc{(n * 7 + k) % 3000}", "type": "uses", "weight": 0.5}
                for k in range(100)
            ]
            file.write(json.dumps({"relationships": links}) + "\n")
    out = run("graph ingest --file many.jsonl")
    assert out.startswith("1 written")
    counts = json.loads(run("graph stats --json"))
    assert counts["relations"] > 49_000
    assert counts["communities"] > 1
