"""The Foundation, GraphMem, promise by promise, through the command line of a fresh project."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import satchel

SOURCES = str(Path(satchel.__file__).parents[1])
AGENTS = (
    ("seldon", "command"), ("daneel", "infrastructure"), ("hardin", "infrastructure"),
    ("mallow", "commerce"), ("preem", "commerce"), ("riose", "commerce"), ("trader", "commerce"),
    ("gaal", "intelligence"), ("demerzel", "intelligence"), ("mis", "intelligence"),
    ("amaryl", "intelligence"), ("magnifico", "operations"), ("venabili", "operations"),
    ("arkady", "operations"),
)  # fmt: skip
COMPONENTS = ("gateway", "scheduler", "vault", "registry", "dashboard", "archive")
DAY = 86_400


class Fleet:
    """A project, a home of its own, and the command line."""

    def __init__(self, directory: Path) -> None:
        self.root = directory / "fleet"
        (self.root / ".satchel").mkdir(parents=True)
        (self.root / ".satchel" / "project.toml").write_text(
            '[project]\nid = "01TESTTESTTESTTESTTESTFLT"\n'
        )
        self.environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": SOURCES,
            "HOME": str(directory),
            "SATCHEL_EMBED_BACKGROUND": "0",
            "SATCHEL_HOME": str(directory / "home"),
        }

    def run(self, *words: str, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "satchel", "graph", *words],
            cwd=self.root, env=self.environment, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def ask(self, *words: str) -> Any:
        return json.loads(self.run(*words, "--json"))

    def age(self, days: int) -> None:
        """Let everything that was ingested have been said this many days earlier."""
        (ledger,) = Path(self.environment["SATCHEL_HOME"]).rglob("ledgers/graph.jsonl")
        from satchel.storage.ledger.lines import decode, encode

        records = [decode(raw).record for raw in ledger.read_bytes().splitlines()]
        lines = [encode(r._replace(ts=r.ts - days * DAY, hash="")) for r in records if r]
        ledger.write_bytes(b"".join(lines))


@pytest.fixture
def fleet(tmp_path: Path) -> Fleet:
    return Fleet(tmp_path)


def seeded(fleet: Fleet) -> None:
    divisions = sorted({division for _, division in AGENTS})
    seed = {
        "agents": [{"id": name, "division": division} for name, division in AGENTS],
        "divisions": divisions,
        "components": [{"name": name, "depends_on": ["postgresql"]} for name in COMPONENTS],
    }
    (fleet.root / "entities.json").write_text(json.dumps(seed))
    (fleet.root / "decisions.yaml").write_text(
        "decisions:\n- topic: message queue\n  decision: Use PostgreSQL, not RabbitMQ.\n"
        "  rationale: one thing less to run\n  agent: daneel\n  applies_to: [scheduler]\n"
    )
    assert "25 new" in fleet.run("seed", "entities.json")
    assert "1 new" in fleet.run("seed", "decisions.yaml")


def test_fourteen_agents_five_divisions_six_components_and_a_decision(fleet: Fleet) -> None:
    seeded(fleet)
    types = fleet.ask("stats")["entity_types"]
    assert (types["agent"], types["division"], types["component"]) == (14, 5, 6)
    assert types["decision"] == 1
    assert "PostgreSQL" in fleet.run("search", "why did we choose the message queue")
    members = fleet.ask("query", "commerce", "--type", "graph")["results"][0]["relationships"]
    assert {one["connected_name"] for one in members} == {"mallow", "preem", "riose", "trader"}


def test_ingest_query_update_and_evolve_take_graphmem_s_arguments(fleet: Fleet) -> None:
    fleet.run(
        "ingest", "Mallow negotiates with Korell", "--source", "conversation",
        "--agent-id", "mallow",
        "--entities", '[{"name": "Korell", "type": "company", "description": "a customer"}]',
        "--relationships", '[{"from": "Mallow", "to": "Korell", "type": "manages"}]',
    )  # fmt: skip
    (link,) = fleet.ask("query", "korell", "--type", "relationship", "--limit", "5")["results"]
    assert (link["from_name"], link["relationship_type"], link["weight"]) == (
        "Mallow", "manages", 1.0,
    )  # fmt: skip
    (memory,) = fleet.ask("query", "negotiates", "--type", "memory")["results"]
    assert (memory["source"], memory["agent_id"]) == ("conversation", "mallow")
    fleet.run("update", "Korell", "--type", "partner", "--description", "an ally now")
    (entity,) = fleet.ask("query", "korell", "--entity-type", "partner")["results"]
    assert entity["description"] == "an ally now"
    plan = fleet.ask("evolve", "--decay-days", "10", "--no-consolidate")
    assert plan["applied"] is False
    assert plan["bands"] == {"strong": 1}


@pytest.mark.parametrize(
    ("days", "reinforced", "band"),
    [(0, 0, "strong"), (20, 0, "moderate"), (50, 0, "weak"), (80, 0, "fading"), (95, 0, "forgotten"),
     (20, 3, "strong"), (95, 3, "moderate")],
)  # fmt: skip
def test_weights_fall_by_ebbinghaus_and_repetition_holds_them(
    fleet: Fleet, days: int, reinforced: int, band: str
) -> None:
    for n in range(reinforced + 1):
        links = '[{"from": "anselm", "to": "terminus", "type": "manages", "weight": 0.8}]'
        fleet.run("ingest", f"said {n}", "--relationships", links)
    fleet.age(days)
    (link,) = fleet.ask("query", "terminus", "--type", "relationship")["results"]
    assert link["reinforcements"] == reinforced
    assert link["retention"] == band


def test_evolution_prunes_below_a_hundredth_merges_duplicates_and_can_be_undone(
    fleet: Fleet,
) -> None:
    fleet.run("ingest", "old", "--relation", "foundation", "fears", "empire")
    fleet.age(150)
    fleet.run("ingest", "new", "--relation", "pg bouncer", "uses", "redis")
    fleet.run("ingest", "more", "--relation", "pgbouncer", "uses", "linux")
    plan = fleet.ask("evolve", "--confirm")
    kinds = [step["kind"] for step in plan["steps"]]
    assert sorted(kinds) == ["merge", "orphan", "orphan", "prune"]
    assert all(step["why"] for step in plan["steps"])
    assert fleet.ask("query", "empire")["count"] == 1
    held = fleet.run("evolve", "--apply")
    assert "--confirm lifts that" in held
    assert fleet.ask("query", "empire")["count"] == 1
    fleet.run("evolve", "--apply", "--confirm")
    assert fleet.ask("query", "empire")["count"] == 0
    assert "linux" in fleet.run("show", "pg bouncer")
    fleet.run("undo")
    fleet.run("undo")
    assert fleet.ask("query", "empire")["count"] == 1
    assert fleet.ask("query", "bouncer")["count"] == 2


def test_importance_follows_connections(fleet: Fleet) -> None:
    seeded(fleet)
    plan = fleet.ask("evolve")
    assert plan["important"][0] == ["postgresql", 1.0]


def test_deleting_the_database_loses_nothing(fleet: Fleet) -> None:
    seeded(fleet)
    fleet.run("merge", "mallow", "preem")
    before = fleet.run("show", "mallow"), fleet.ask("communities")
    for path in Path(fleet.environment["SATCHEL_HOME"]).rglob("graph.db*"):
        path.unlink()
    assert (fleet.run("show", "mallow"), fleet.ask("communities")) == before
    assert fleet.run("rebuild").startswith("Rebuilt: 26 texts")
