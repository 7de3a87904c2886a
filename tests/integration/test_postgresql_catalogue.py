"""The keys by which a team's store shards, and The Foundation's table names, asked of the server."""

from collections.abc import Iterator

import pytest

from conformance.stores import Store
from postgresql_catalogue import keys, partition_keys
from satchel.application.exchange.publishing import publish, published_counts
from satchel.engine.search.team.index import TeamIndex
from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.storage.ledger.record import Record

pytest_plugins = ["postgresql_fixtures"]
#: Small tables without project data: on Citus a copy of each is on every node.
REFERENCE = {"models", "migrations"}
#: The table names of The Foundation.
FOUNDATION_TABLES = {
    "conversations", "messages", "entities", "relationships", "preferences", "facts", "insights",
    "activities", "projects", "routing_decisions", "tasks",
}  # fmt: skip
PARTITIONS = 8


@pytest.fixture
def database(postgresql_url: str) -> Iterator[PostgresDatabase]:
    made = PostgresDatabase(postgresql_url, MAINTENANCE)
    yield made
    made.close()


def test_every_table_with_project_data_is_hash_partitioned_by_project(
    database: PostgresDatabase,
) -> None:
    tables = partition_keys(database)
    assert {name for name, (key, _) in tables.items() if not key} == REFERENCE
    for name, (key, parts) in tables.items():
        if name not in REFERENCE:
            assert (key, parts) == ("HASH (project)", PARTITIONS), name


def test_every_primary_key_unique_index_and_foreign_key_begins_with_the_project(
    database: PostgresDatabase,
) -> None:
    found = [key for key in keys(database) if key.table not in REFERENCE]
    wrong = [key for key in found if key.columns[0] != "project"]
    assert wrong == []
    tables = {key.table for key in found if key.what.endswith("_pkey")}
    assert tables == set(partition_keys(database)) - REFERENCE, "a table without a primary key"
    assert any(key.what.startswith("foreign key") for key in found)


def test_a_key_without_the_project_would_be_noticed(database: PostgresDatabase) -> None:
    database.script("CREATE TABLE satchel.stray (id text PRIMARY KEY, project text)")
    assert [key.columns for key in keys(database) if key.table == "stray"] == [["id"]]
    assert partition_keys(database)["stray"] == ("", 0)


def test_a_question_of_one_project_reads_one_partition(database: PostgresDatabase) -> None:
    plan = database.read(
        "EXPLAIN SELECT number FROM documents WHERE project = 'one' "
        "AND words @@ plainto_tsquery('stems', 'redis')"
    )
    text = "\n".join(str(row[0]) for row in plan)
    assert text.count("documents_p") >= 1
    assert len({word for word in text.split() if word.startswith("documents_p")}) <= 2, text


def test_the_seeds_tables_are_there_by_their_names(
    database: PostgresDatabase, postgresql_url: str, tmp_path: object
) -> None:
    store = Store("postgresql", str(tmp_path), postgresql_url)
    memories = store.open("one")
    memories.remember("tabs", kind="preference", key="indent", agent="scout")
    memories.remember("spaces", kind="preference", key="indent", agent="scout")
    memories.remember("api | runs on | redis", kind="fact", confidence=0.9)
    memories.remember("the build is red", kind="insight", agent="scout", expires_in=10**9)
    memories.append([
        Record(kind="activity", category="patrol", content="round done", data={"rooms": 3}),
        Record(kind="routing_decision", content="to scout", agent="scout", task="bd-1"),
        Record(kind="episode", content="We moved the queue.", session="s-1", title="Queue"),
    ])  # fmt: skip
    store.open("two").remember("elsewhere", kind="insight", expires_in=10**9)
    index = memories.index
    assert isinstance(index, TeamIndex)
    for subject, body in {
        "task": {"title": "Mend it", "status": "open", "parent": "bd"},
        "entity": {"name": "redis", "type": "technology", "description": "a cache"},
        "relationship": {"source": "api", "target": "redis", "type": "uses", "weight": 0.5},
        "conversation": {"agent": "scout", "title": "Talk", "summary": "of queues"},
        "message": {"conversation": "c-1", "role": "user", "content": "key AKIAIOSFODNN7EXAMPLE"},
    }.items():
        assert publish(index.database, "one", subject, {f"{subject}-1": body}, 5) == 1
    assert set(published_counts(index.database, "one").values()) == {1}
    asked = {
        "preferences": ("agent, key, value, version", [("scout", "indent", "spaces", 2)]),
        "facts": (
            "subject, predicate, object, confidence", [("api", "runs on", "redis", 0.9)]),
        "insights": ("agent, content", [("scout", "the build is red")]),
        "activities": ("type, content, data ->> 'rooms'", [("patrol", "round done", "3")]),
        "routing_decisions": ("agent, task, content", [("scout", "bd-1", "to scout")]),
        "conversations": ("id, title", [("conversation-1", "Talk"), ("s-1", "Queue")]),
        "tasks": ("id, title, status, parent", [("task-1", "Mend it", "open", "bd")]),
        "entities": ("name, entity_type", [("redis", "technology")]),
        "relationships": ("from_entity, to_entity, type, weight", [("api", "redis", "uses", 0.5)]),
        "messages": ("conversation_id, role", [("c-1", "user")]),
        "projects": ("project, memories", [("one", 7)]),
    }  # fmt: skip
    assert set(asked) == FOUNDATION_TABLES
    for view, (columns, rows) in asked.items():
        sql = f"SELECT {columns} FROM {view} WHERE project = 'one' ORDER BY 1, 2"
        assert database.read(sql) == rows, view
    assert b"AKIAIOSFODNN7" not in str(database.read("SELECT content FROM messages")).encode()
    store.close()
