"""`satchel tables` as a person uses it: many processes, hostile files, questions, rebuilds."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from satchel.core.errors import NotFoundError
from satchel.testing import reopened, temporary_workspace
from satchel.workspace import Workspace

needed = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

#: Waits for the others, then adds one name that all want and one of its own.
_ADDER = """
import os, sys, time
from satchel.core.errors import BadInputError
from satchel.workspace import Workspace
root, home, number, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
with Workspace.open(root, home=home) as workspace, workspace.tables as own:
    tables = own.tables()
    open(os.path.join(home, "ready" + number), "w").close()
    while len([n for n in os.listdir(home) if n.startswith("ready")]) < count:
        time.sleep(0.005)
    try:
        tables.add("suppliers", {"name": "Acme"})
        print("added")
    except BadInputError:
        print("refused")
    tables.add("suppliers", {"name": "own " + number})
"""


@pytest.fixture
def app(machine: Machine) -> Path:
    place = machine.repository()
    machine.ok("table", "init", "foundation", at=place)
    return place


@needed
def test_a_table_from_init_to_export(machine: Machine, app: Path) -> None:
    machine.fails(7, "table", "init", "foundation", at=app)
    machine.fails(2, "table", "init", "nothing", at=app)
    added = machine.json("table", "add", "suppliers", "name=Acme", "rating=4", at=app)
    assert (added["name"], added["rating"], added["version"]) == ("Acme", 4, 1)
    machine.ok("table", "add", "products", "name=Copper wire", "supplier=acme", "price=3.5", at=app)
    shown = machine.ok("table", "get", "products", "copper wire", at=app)
    assert "supplier: Acme" in shown
    assert "price: 3.5 EUR" in shown
    changed = machine.json(
        "table", "update", "products", "copper wire", "price=4", "--expect-version", "1", at=app
    )
    assert changed["version"] == 2
    assert "has version 2" in machine.fails(
        6, "table", "update", "products", "copper wire", "price=5", "--expect-version", "1", at=app
    )
    history = machine.json("table", "history", "products", "copper wire", at=app)
    assert [one["price"] for one in history] == ["4 EUR", "3.5 EUR"]
    (group,) = machine.json("table", "count", "products", "--sum", "price", at=app)
    assert group == {"group": None, "rows": 1, "figures": {"sum price": "4 EUR"}}
    found = machine.json("table", "find", "products", "--where", "price>=4", at=app)
    assert [one["name"] for one in found] == ["Copper wire"]
    told = machine.json("recall", "who offered copper wire", at=app)
    assert [item["source"] for item in told["items"]] == ["tables"]
    machine.ok("table", "export", "products", "out.csv", at=app)
    machine.ok("table", "delete", "products", "copper wire", at=app)
    assert machine.json("table", "find", "products", at=app) == []
    assert "added 0, updated 1" in machine.ok("table", "import", "products", "out.csv", at=app)
    assert machine.json("table", "find", "products", at=app)[0]["price"] == "4 EUR"
    assert "every row fits" in machine.ok("table", "check", at=app)
    listed = machine.json("table", "list", at=app)
    assert {one["table"]: one["rows"] for one in listed["tables"]}["products"] == 1
    machine.ok("rebuild", at=app)
    assert machine.json("table", "get", "products", "copper wire", at=app)["version"] == 4


@needed
def test_refusals_name_cause_and_step(machine: Machine, app: Path) -> None:
    machine.fails(4, "table", "get", "nothing", "x", at=app)
    machine.fails(4, "table", "get", "leads", "x", at=app)
    machine.fails(2, "table", "add", "leads", "name", at=app)
    machine.fails(2, "table", "add", "leads", "name=a", "name=b", at=app)
    machine.fails(2, "table", "add", "leads", "company=x", at=app)
    machine.fails(2, "table", "find", "leads", "--where", "nonsense", at=app)
    machine.fails(2, "table", "find", "leads", "--sort", "nonsense", at=app)
    machine.fails(2, "table", "find", "leads", "--limit", "none", at=app)
    machine.fails(2, "table", "import", "leads", "nowhere.csv", at=app)
    machine.fails(2, "table", "import", "leads", "-", at=app, stdin="name\nx\n")
    (app / "bad.csv").write_text('name,rating\n"half', "utf-8")
    machine.fails(2, "table", "import", "suppliers", "bad.csv", at=app)
    (app / "wrong.json").write_text('[{"name": "ok"}, {"rating": 9}]', "utf-8")
    err = machine.run("table", "import", "suppliers", "wrong.json", at=app).err
    assert "row 2" in err
    assert "nothing was imported" in err
    os.mkfifo(app / "pipe.csv")
    machine.fails(2, "table", "import", "suppliers", "pipe.csv", at=app)
    machine.fails(7, "table", "export", "suppliers", "pipe.csv", at=app)
    schemas = app / ".satchel" / "tables"
    os.mkfifo(schemas / "pipe.yaml")
    machine.fails(2, "table", "get", "leads", "x", at=app)
    assert "pipe.yaml" in machine.ok("table", "list", at=app)
    assert machine.run("recall", "which leads", at=app).code == 0
    os.unlink(schemas / "pipe.yaml")
    os.symlink("/etc/hostname", schemas / "out.yaml")
    assert "points outside the project" in machine.fails(2, "table", "get", "leads", "x", at=app)


def _in_processes(root: str, home: str, count: int) -> list[str]:
    adders = [
        subprocess.Popen(
            [sys.executable, "-c", _ADDER, root, home, str(number), str(count)],
            stdout=subprocess.PIPE, text=True,
        )
        for number in range(count)
    ]  # fmt: skip
    return sorted(adder.communicate(timeout=120)[0].strip() for adder in adders)


def test_sixteen_processes_and_one_unique_name() -> None:
    with temporary_workspace() as workspace, workspace.tables as own:
        own.write_preset("foundation")
        done = _in_processes(workspace.project.place.root, workspace.owner().home.path, 16)
        assert done == ["added"] + ["refused"] * 15
        names = [row.values["name"] for row in own.tables().rows("suppliers")]
        assert sorted(names) == sorted(["Acme", *(f"own {n}" for n in range(16))])


def test_damage_is_told_and_an_index_that_is_lost_is_built_anew() -> None:
    with temporary_workspace() as workspace:
        with workspace.tables as own:
            own.write_preset("foundation", ("suppliers", "products"))
            own.tables().add_all("suppliers", [{"name": f"s{n}"} for n in range(20)])
        path = workspace.project.state.derived("tables.db")
        for damage in (b"", b"no database at all" * 100):
            for ending in ("-wal", "-shm"):
                Path(path + ending).unlink(missing_ok=True)
            Path(path).write_bytes(damage)
            with reopened(workspace) as other, other.tables as own:
                assert len(own.tables().rows("suppliers")) == 20
        ledger = Path(workspace.project.state.ledger("tables"))
        ledger.write_bytes(ledger.read_bytes() + b'{"torn": ')
        with reopened(workspace) as other, other.tables as own:
            own.tables().add("suppliers", {"name": "after"})
            assert len(own.tables().rows("suppliers")) == 21
        schema = Path(workspace.project.tracked.place("tables"), "suppliers.yaml")
        text = schema.read_text("utf-8")
        schema.write_text(text.replace("terms: {", "email_2: text required\n  terms: {"), "utf-8")
        assert any("email_2 is required" in one for one in _findings(workspace))
        schema.write_text(text.replace("title: name", "title: nobody"), "utf-8")
        assert any("'nobody', which it does not declare" in one for one in _findings(workspace))


def _findings(workspace: Workspace) -> list[str]:
    return [one.what for one in workspace.examine() if one.subject == "tables"]


def test_a_secret_is_taken_out_before_it_is_written() -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "a1B2c3"
    with temporary_workspace() as workspace, workspace.tables as own:
        own.write_preset("foundation")
        row = own.tables().add("leads", {"name": "Bob", "notes": f"token {secret}"})
        assert secret not in str(row.values)
        assert secret.encode() not in Path(workspace.project.state.ledger("tables")).read_bytes()


def test_heat_of_a_project_comes_from_what_refers_to_it() -> None:
    with temporary_workspace() as workspace, workspace.tables as own:
        own.write_preset("foundation")
        tables = own.tables()
        tables.add("projects", {"name": "Mars"})
        tables.add("projects", {"name": "Moon"})
        for number in range(3):
            tables.add("deals", {"name": f"d{number}", "project": "mars"})
        heats = {row.values["name"]: row.values["heat"] for row in tables.rows("projects")}
        assert heats == {"Mars": "5.0", "Moon": "1.6"}
        assert [r.values["name"] for r in tables.find("projects", where=["heat>=2"])] == ["Mars"]


def test_the_structured_tier_answers_from_tables_with_sources() -> None:
    with temporary_workspace() as workspace:
        assert workspace.ask("who offered copper wire").pieces == ()
        with workspace.tables as own:
            own.write_preset("foundation")
            tables = own.tables()
            tables.add("suppliers", {"name": "Acme"})
            row = tables.add("products", {"name": "Copper wire", "supplier": "acme"})
            tables.add("handoffs", {"summary": "Write report", "from_agent": "a", "to_agent": "b",
                                    "due": "2020-01-01"})  # fmt: skip
        answer = workspace.ask("who offered copper wire?")
        (piece,) = answer.pieces
        assert (piece.tier, piece.source, piece.place) == (
            "structured", "tables", f"products/{row.id}",
        )  # fmt: skip
        assert "supplier: Acme" in piece.text
        overdue = workspace.ask("what is overdue")
        assert [one.title for one in overdue.pieces] == ["handoffs: Write report"]
        only = workspace.ask("copper", tier="structured/tables")
        assert [one.title for one in only.pieces] == ["products: Copper wire"]


def test_ten_thousand_rows(tmp_path: Path) -> None:
    with temporary_workspace() as workspace:
        with workspace.tables as own:
            own.write_preset("foundation", ("suppliers", "products"))
            given = [(str(n), {"name": f"s{n}", "notes": f"w{n}"}) for n in range(10_000)]
            assert own.tables().import_rows("suppliers", given)[0] == 10_000
        root, home = workspace.project.place.root, workspace.owner().home.path
        with Workspace.open(root, home=home) as other, other.tables as own:
            tables = own.tables()
            assert tables.find("suppliers", "w777")[0].values["name"] == "s777"
            assert tables.aggregate("suppliers", [("max", "name")])[0].rows == 10_000


def test_rows_deleted_long_ago_leave_ledger_and_index() -> None:
    with temporary_workspace() as workspace:
        with workspace.tables as own:
            own.write_preset("foundation", ("suppliers", "products"))
            tables = own.tables()
            gone = tables.add("suppliers", {"name": "Old", "notes": "unforgettable"})
            tables.update("suppliers", "old", {"notes": "unforgettable too"})
            tables.delete("suppliers", "old")
            tables.add("suppliers", {"name": "New"})
        workspace.project.clock.advance(29 * 86_400)  # type: ignore[attr-defined]
        assert "rows" not in workspace.upkeep("purge", dry_run=False, confirmed=True)["purge"]
        workspace.project.clock.advance(2 * 86_400)  # type: ignore[attr-defined]
        told = workspace.upkeep("purge", dry_run=True, confirmed=True)["purge"]
        assert "1 row deleted over 30 days ago would lose 3 lines" in told
        told = workspace.upkeep("purge", dry_run=False, confirmed=True)["purge"]
        assert "1 row deleted over 30 days ago lost 3 lines" in told
        for path in (
            workspace.project.state.ledger("tables"),
            workspace.project.state.derived("tables.db"),
        ):
            assert b"unforgettable" not in Path(path).read_bytes()
        with reopened(workspace) as other, other.tables as own:
            assert [row.values["name"] for row in own.tables().rows("suppliers")] == ["New"]
            with pytest.raises(NotFoundError):
                own.tables().restore("suppliers", gone.id)
        assert "rows" not in workspace.upkeep("purge", dry_run=False, confirmed=True)["purge"]
