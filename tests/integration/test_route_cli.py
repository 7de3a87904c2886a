"""`satchel route` as a person uses it, and killed while it picks messages up."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from integration.installed import COMMAND, Machine, needs_command
from satchel.application.exchange.publishing import MESSAGE, published_messages
from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.storage.ledger.file import Ledger
from satchel.storage.paths import ROUTED_MESSAGES
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

pytest_plugins = ["postgresql_fixtures"]
needed = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

#: Takes decisions from the bridge; dies by SIGKILL after as many as it is told, or never.
_TAKER = """
import os, signal, sys
from satchel.workspace import Workspace
root, home, inbox, log, most = sys.argv[1:]
with Workspace.open(root, home=home) as workspace, workspace.routing as routing:
    with open(log, "a") as out:
        for number, decision in enumerate(routing.bridge(inbox), 1):
            print(decision.id, decision.message, int(decision.again), file=out, flush=True)
            if number == int(most):
                os.kill(os.getpid(), signal.SIGKILL)
"""


@needed
def test_route_outcome_stats_and_profiles(machine: Machine) -> None:
    app = machine.repository()
    told = machine.json("route", "restart the server", "--explain", at=app)
    assert (told["agent"], told["fallback"]) == ("daneel", False)
    assert told["ranked"][0]["words"] == ["server", "restart"]
    assert machine.json("route", "--dry-run", "hello", at=app) | {"ranked": []} == {
        "id": "", "agent": "seldon", "fallback": True, "threshold": 0.15, "ranked": [],
    }  # fmt: skip
    done = machine.json("route", "outcome", told["id"], "success", "--note", "quick", at=app)
    assert (done["outcome"], done["note"]) == ("success", "quick")
    assert done["agent_outcomes"]["successes"] == 1
    stats = machine.json("route", "stats", at=app)
    assert [one["agent"] for one in stats["latest"]] == ["daneel"]
    assert "nobody reached 0.15" in machine.ok("route", "to", "stats", at=app)
    assert len(machine.json("route", "profiles", at=app)["profiles"]) == 14
    assert "profiles.yaml" in machine.ok("route", "init", at=app)
    machine.fails(7, "route", "init", at=app)
    machine.fails(2, "route", "outcome", "-", "perhaps", at=app)
    machine.fails(4, "route", "outcome", "01ABCDEFGH", "success", at=app)
    machine.fails(2, "route", "", at=app)
    (app / ".satchel" / "agents" / "profiles.yaml").write_text("profiles: [", "utf-8")
    assert "not YAML" in machine.fails(2, "route", "restart", at=app)


@needed
def test_the_bridge_reads_lines_from_standard_input(machine: Machine) -> None:
    app = machine.repository()
    lines = '{"text":"deploy the server"}\n{"id":"m","content":"draft newsletter"}\nno\n'
    done = subprocess.run(
        [COMMAND, "route", "bridge", "-", "--json"], cwd=app, env=machine.environment,
        input=lines, capture_output=True, text=True, check=True,
    )  # fmt: skip
    agents = [json.loads(line)["agent"] for line in done.stdout.splitlines()]
    assert agents == ["daneel", "arkady"]
    assert "line 3 is not a message" in done.stderr


def take(root: str, home: str, inbox: str, log: str, most: int) -> int:
    words = [sys.executable, "-c", _TAKER, root, home, inbox, log, str(most)]
    return subprocess.run(words, check=False).returncode


def test_killed_bridges_lose_no_message_and_decide_none_twice(tmp_path: Path) -> None:
    root, home = tmp_path / "app", os.fspath(tmp_path / "home")
    (root / ".satchel").mkdir(parents=True)
    (root / ".satchel" / "project.toml").write_text('[project]\nid = "01TEST"\n', "utf-8")
    inbox, log = tmp_path / "in.jsonl", tmp_path / "log"
    wanted = [str(number) for number in range(130)]
    inbox.write_text("".join(f'{{"id":"{n}","text":"fix outage {n}"}}\n' for n in wanted), "utf-8")
    given = (os.fspath(root), home, os.fspath(inbox), os.fspath(log))
    for most in (1, 49, 51):
        assert take(*given, most) == -signal.SIGKILL
    assert take(*given, 0) == 0
    rows = [line.split() for line in log.read_text("utf-8").splitlines()]
    assert {message for _, message, _ in rows} == set(wanted), "a message was lost"
    by_message = {(message, ident) for ident, message, _ in rows}
    assert len(by_message) == len(wanted), "a message was decided twice"
    with Workspace.open(os.fspath(root), home=home) as workspace, workspace.routing as routing:
        assert len(routing.latest(1000)) == len(wanted)
        assert list(routing.bridge(os.fspath(inbox))) == []


def test_a_bridge_that_does_not_ask_the_ledger_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug: decisions are appended without looking whether they are there."""
    monkeypatch.setattr(Ledger, "append_new", Ledger.append)
    inbox = tmp_path / "in.jsonl"
    inbox.write_text('{"id": 1, "text": "fix outage"}\n', "utf-8")
    with temporary_workspace() as workspace:
        for _ in range(2):
            with workspace.routing as routing:
                done = list(routing.bridge(os.fspath(inbox)))
            os.unlink(workspace.project.state.derived(ROUTED_MESSAGES))
        assert [one.again for one in done] == [False]
        lines = Path(workspace.project.state.ledger("routing_decision")).read_bytes().count(b"\n")
        assert lines == 2, "decided twice"


def test_messages_of_a_team_are_read_in_their_order(postgresql_url: str) -> None:
    database = PostgresDatabase(postgresql_url, MAINTENANCE)
    rows = [
        ("one", MESSAGE, f"m{n}", json.dumps({"role": "user", "content": f"deploy {n}"}), n // 2)
        for n in range(5)
    ]
    put = (
        "INSERT INTO published (project, subject, id, body, updated_at)"
        " VALUES (?1, ?2, ?3, ?4::jsonb, ?5)"
    )
    database.write_many(put, rows)
    database.write_many(put, [("two", MESSAGE, "x", '{"content": "other"}', 1)])
    try:
        found = list(published_messages(database, "one"))
    finally:
        database.close()
    assert [(one["id"], one["content"]) for one in found] == [
        (f"m{n}", f"deploy {n}") for n in range(5)
    ]
