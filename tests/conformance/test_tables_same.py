"""Tables behave the same in files and on a server: rows, versions, conditions, uniqueness."""

import os
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from conformance.stores import Store
from satchel.core.errors import BadInputError, BusyError, NotFoundError
from satchel.engine.search.documents import Source
from satchel.engine.search.index import Index
from satchel.engine.search.records import parse_line
from satchel.engine.search.team.index import TeamIndex
from satchel.features.memories.team_ledgers import TeamLedgers
from satchel.features.tables.query import answers
from satchel.features.tables.rows import LEDGER
from satchel.features.tables.schemas import preset_files, read_schema
from satchel.features.tables.service import Tables
from satchel.features.tables.store import RowStore
from satchel.features.tables.values import Schema
from satchel.storage.database.acting import maintenance
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.storage.database.sqlite import SqliteDatabase
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.record import Record
from satchel.storage.paths import UserHome

pytest_plugins = ["postgresql_fixtures"]
SHIPPED: dict[str, Schema] = {}
for _name, _text in preset_files("foundation").items():
    SHIPPED[_name.removesuffix(".yaml")] = read_schema(_text.encode(), _name)


def rows_of(store: Store) -> RowStore:
    """Open the rows as another process would."""
    memories = store.open()
    if isinstance(memories.ledgers, TeamLedgers):
        rows = memories.ledgers.named(LEDGER)
        return RowStore(
            rows, memories.index, [Source(rows.path, LEDGER)], store.clock
        )  # fmt: skip
    state = UserHome(store.folder).project_state("one")
    path = state.ledger(LEDGER)
    ledger = Ledger(path, state.lock(LEDGER), clock=store.clock)
    index = Index(SqliteDatabase(os.path.join(state.path, "tables.db")), parse_line)
    return RowStore(ledger, index, [Source(path, LEDGER)], store.clock)


def tables_of(store: Store, schemas: dict[str, Schema] | None = None) -> Tables:
    schemas = SHIPPED if schemas is None else schemas
    rows = rows_of(store)
    return Tables(schemas, dict.fromkeys(schemas, rows))


def told(tables: Tables, name: str) -> list[dict[str, Any]]:
    return [row.values for row in tables.find(name, sort="id")]


def test_rows_live_through_versions_deletion_and_restoring(store: Store) -> None:
    tables = tables_of(store)
    acme = tables.add("suppliers", {"name": "Acme", "rating": "4"}, agent="ann")
    assert (acme.version, acme.agent, acme.values["rating"]) == (1, "ann", 4)
    bolt = tables.add("products", {"name": "Bolt", "supplier": "acme", "price": "0.10"})
    assert bolt.values["supplier"] == acme.id
    store.clock.advance(60)
    other = tables_of(store)
    after = other.update("products", bolt.id[:20], {"price": "0.30", "sku": "b-1"})
    assert (after.version, after.values["price"], after.values["name"]) == (2, "0.30 EUR", "Bolt")
    with pytest.raises(BusyError, match="version 2, not 1"):
        tables.update("products", "bolt", {"price": "9"}, expect_version=1)
    with pytest.raises(BadInputError, match="refer"):
        tables.delete("suppliers", "Acme")
    assert tables.update("products", "bolt", {"sku": None}).values["sku"] is None
    tables.delete("products", "bolt", expect_version=3)
    with pytest.raises(NotFoundError, match="deleted"):
        tables.get("products", bolt.id)
    assert tables.find("products") == []
    assert [v.values.get("price") for v in other.history("products", bolt.id)] == [
        None, "0.30 EUR", "0.30 EUR", "0.10 EUR",
    ]  # fmt: skip
    back = tables.restore("products", bolt.id)
    assert (back.version, back.values["price"]) == (5, "0.30 EUR")
    assert tables_of(store).get("products", "BOLT").version == 5
    with pytest.raises(NotFoundError):
        tables.restore("products", bolt.id)


def test_conditions_words_and_figures(store: Store) -> None:
    tables = tables_of(store)
    acme, bolts = (tables.add("suppliers", {"name": name}) for name in ("Acme", "Bolts & Co"))
    tables.add_all(
        "products",
        [
            {"name": f"part {n}", "supplier": (acme, bolts)[n % 2].id, "price": f"0.{n:02}",
             "tags": "metal, small" if n % 3 else "large", "notes": "zinc plated" * (n == 7)}
            for n in range(1, 21)
        ],
    )  # fmt: skip
    assert len(tables.find("products", where=["price>=0.11", "tags=small"])) == 7
    assert [r.values["name"] for r in tables.find("products", "plated zinc")] == ["part 7"]
    assert [r.values["name"] for r in tables.find("products", sort="-price", limit=2)] == [
        "part 20", "part 19",
    ]  # fmt: skip
    groups = tables.aggregate("products", [("sum", "price"), ("avg", "price")], group_by="supplier")
    assert [(g.group, g.rows, g.figures["sum price"]) for g in groups] == [
        ("Acme", 10, "1.10 EUR"), ("Bolts & Co", 10, "1.00 EUR"),
    ]  # fmt: skip
    assert groups[0].figures["avg price"] == "0.11 EUR"
    assert tables.aggregate("products", where=["name~part 1"])[0].rows == 11


def test_wrong_rows_are_refused_and_nothing_is_written(store: Store) -> None:
    tables = tables_of(store)
    tables.add("suppliers", {"name": "Acme"})
    for table, values, why in (
        ("suppliers", {"name": " ACME "}, "already"), ("suppliers", {"rating": 3}, "needs name"),
        ("suppliers", {"name": "B", "rating": 9}, "goes from"),
        ("suppliers", {"name": "B", "colour": "red"}, "no field"),
        ("products", {"name": "x", "supplier": "nobody"}, "not a row of suppliers"),
        ("projects", {"name": "x", "heat": 3}, "is computed"),
    ):  # fmt: skip
        with pytest.raises(BadInputError, match=why):
            tables.add(table, values)
    with pytest.raises(BadInputError, match="already"):
        tables.add_all("suppliers", [{"name": "C"}, {"name": "D"}, {"name": "c"}])
    assert [row.values["name"] for row in tables.rows("suppliers")] == ["Acme"]
    tables.add("suppliers", {"name": "B"})
    with pytest.raises(BadInputError, match="already"):
        tables.update("suppliers", "B", {"name": "acme"})
    assert tables.update("suppliers", "B", {"name": "b"}).version == 2
    with pytest.raises(BadInputError, match="needs name"):
        tables.update("suppliers", "B", {"name": ""})


def test_an_import_is_whole_idempotent_and_gives_back_an_export(store: Store) -> None:
    tables = tables_of(store)
    given = [(f"line {n}", {"name": f"s{n}", "rating": n % 5 + 1}) for n in range(300)]
    assert tables.import_rows("suppliers", given)[:3] == (300, 0, 0)
    again = tables.import_rows("suppliers", given, key="name")
    assert again[:3] == (0, 0, 300)
    wrong = [("line 1", {"name": "new"}), ("line 2", {"name": "s7"}), ("line 3", {"rating": "x"})]
    done = tables.import_rows("suppliers", wrong)
    assert done[:3] == (0, 0, 0)
    assert [text.partition(":")[0] for text in done.wrong] == ["line 2", "line 3"]
    assert tables.import_rows("suppliers", wrong, dry_run=True, skip_wrong=True)[:3] == (1, 0, 0)
    assert tables.import_rows("suppliers", wrong, skip_wrong=True)[:3] == (1, 0, 0)
    assert (
        tables.import_rows("suppliers", [("1", {"name": "s1", "notes": "n"})], key="name")[1] == 1
    )
    assert len(tables.rows("suppliers")) == 301
    whole = [(r.id, {"id": r.id, **r.values}) for r in tables.rows("suppliers")]
    assert tables.import_rows("suppliers", whole)[:3] == (0, 0, 301)


OLD = b"fields:\n  name: text required\n  size: text\n  gone: text\n  mail: text\n"
NEW = b"""fields:
  name: text required
  size: {type: integer}
  email: {type: text, renamed_from: mail, unique: true}
  level: {type: choice, of: [low, high], default: low}
"""


def test_a_changed_schema_loses_nothing(store: Store) -> None:
    old = tables_of(store, {"t": read_schema(OLD, "t.yaml")})
    one = old.add("t", {"name": "a", "size": "12", "gone": "kept", "mail": "a@b"})
    two = old.add("t", {"name": "b", "size": "huge", "mail": "b@b"})
    new = tables_of(store, {"t": read_schema(NEW, "t.yaml")})
    first, second = new.get("t", "a"), new.get("t", "b")
    assert (first.values["size"], first.values["email"], first.kept) == (
        12, "a@b", {"gone": "kept"},
    )  # fmt: skip
    assert (second.values["size"], second.problems) == (
        "huge", ("size takes a whole number, not 'huge'.",),
    )  # fmt: skip
    with pytest.raises(BadInputError, match="already"):
        new.add("t", {"name": "c", "email": "a@b"})
    assert new.update("t", two.id, {"level": "high"}).values["size"] == "huge"
    assert new.check("t") == [f"{two.id[:14]}: size takes a whole number, not 'huge'."]
    moved = new.update("t", one.id, {"level": "low"})
    assert (moved.version, moved.values["email"], moved.kept) == (2, "a@b", {"gone": "kept"})
    back = tables_of(store, {"t": read_schema(OLD, "t.yaml")})
    assert back.get("t", one.id).values["gone"] == "kept"
    assert back.history("t", one.id)[-1].values["mail"] == "a@b"
    without = tables_of(store, {"u": read_schema(OLD, "u.yaml")})
    assert next(iter(without.schemas)) == "u"
    assert rows_of(store).tables() == {"t": 2}


def test_questions_are_answered_from_tables(store: Store) -> None:
    tables = tables_of(store)
    acme = tables.add("suppliers", {"name": "Acme"})
    tables.add("products", {"name": "Copper wire", "supplier": acme.id, "price": "3.50"})
    tables.add("products", {"name": "Steel bolts", "supplier": acme.id})
    tables.add("leads", {"name": "Bob", "status": "won", "next_contact": "2025-01-01"})
    tables.add("leads", {"name": "Eve", "status": "qualified", "next_contact": "2025-01-01"})
    tables.add("leads", {"name": "Zoë", "status": "new", "next_contact": "2099-01-01"})

    def titles(question: str) -> list[str]:
        return sorted(hit.title for hit in answers(tables, question, 10))

    (wire,) = answers(tables, "who offered copper wire?", 10)
    assert wire.text.splitlines()[:3] == [
        "name: Copper wire", "supplier: Acme", "price: 3.50 EUR",
    ]  # fmt: skip
    assert titles("which leads are qualified") == ["Eve"]
    assert titles("what is overdue") == ["Eve"]
    assert titles("which leads") == ["Bob", "Eve", "Zoë"]
    assert titles("which products did acme offer") == ["Copper wire", "Steel bolts"]
    assert titles("who offered unobtainium") == []
    assert titles("how does the parser work") == []
    assert titles("what leads to this") == []


def test_a_rebuild_changes_nothing(both: Callable[[str], list[Store]]) -> None:
    shown = []
    for store in both("tables"):
        tables = tables_of(store)
        for number in range(30):
            tables.add("suppliers", {"name": f"s{number}", "rating": number % 5 + 1})
            store.clock.advance(1)
        tables.update("suppliers", "s3", {"notes": "changed"})
        tables.delete("suppliers", "s4")
        before = told(tables, "suppliers")
        rows = tables.store(SHIPPED["suppliers"])
        index = rows.index
        if isinstance(index, TeamIndex):
            index.rebuild()
        else:
            index.reindex(rows.sources)
        assert told(tables, "suppliers") == before
        assert index.problems() == []
        shown.append(before)
    assert shown[0] == shown[1]


def test_a_server_shows_rows_to_plain_sql_by_the_seeds_names(
    both: Callable[[str], list[Store]],
) -> None:
    store = next(one for one in both("views") if one.kind == "postgresql")
    tables = tables_of(store)
    tables.add("suppliers", {"name": "Acme"})
    tables.add("suppliers", {"name": "Gone"})
    tables.update("suppliers", "acme", {"rating": 4}, agent="ann")
    tables.delete("suppliers", "gone")
    database = tables.store(SHIPPED["suppliers"]).index.database
    assert isinstance(database, PostgresDatabase)
    asked = "SELECT fields ->> 'name', (fields ->> 'rating')::int, version, agent FROM suppliers"
    with maintenance(database):
        assert database.read(asked) == [("Acme", 4, 2, "ann")]
        for name in set(SHIPPED) - {"projects", "suppliers"}:
            assert database.read(f"SELECT * FROM {name}") == []
        counted = "SELECT table_name, COUNT(*) FROM table_rows GROUP BY table_name"
        assert database.read(counted) == [("suppliers", 1)]


def _race(store: Store, writers: int) -> list[str]:
    """Let several writers add the same name at once; return what became of each."""
    done: list[str] = []
    gate = threading.Barrier(writers)
    opened = [tables_of(store) for _ in range(writers)] if store.kind == "postgresql" else []

    def add(number: int) -> None:
        tables = opened[number] if opened else tables_of(store)
        gate.wait()
        try:
            tables.add("suppliers", {"name": "Acme", "notes": str(number)})
            done.append("added")
        except BadInputError:
            done.append("refused")

    threads = [threading.Thread(target=add, args=(number,)) for number in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(done)


def test_of_many_writers_at_once_one_gets_the_unique_name(store: Store) -> None:
    assert _race(store, 6) == ["added"] + ["refused"] * 5
    assert len(tables_of(store).rows("suppliers")) == 1


def test_looking_before_the_lock_is_noticed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded bug: rows are checked first and written afterwards, with time in between."""

    def hasty(self: RowStore, make: Callable[[], Any]) -> list[Record]:
        self.refresh()
        records = list(make())
        time.sleep(0.3)
        return self.ledger.append(records)

    monkeypatch.setattr(RowStore, "write", hasty)
    assert _race(store, 3) != ["added", "refused", "refused"]
