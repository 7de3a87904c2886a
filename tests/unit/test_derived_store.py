"""A database of derived rows: damaged, of another release, where nothing can be written."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ordinary_user import as_ordinary_user, reachable_directory
from satchel.core.errors import NotReadableError
from satchel.project.derived_store import DerivedStore, open_database
from satchel.storage.database.contract import Database
from satchel.storage.database.versions import check_version
from satchel.storage.inbox.faults import faults
from satchel.storage.paths import PrivateState


class Words:
    """Words in a database of release 2."""

    def __init__(self, database: Database) -> None:
        self.database = database
        if not database.read("SELECT 1 FROM sqlite_master"):
            with database.transaction():
                database.script("CREATE TABLE words (word TEXT); INSERT INTO words VALUES ('2')")
        check_version(str(database.read("SELECT word FROM words LIMIT 1")[0][0]), "2", "It")

    def put(self, word: str) -> None:
        self.database.write("INSERT INTO words VALUES (?)", (word,))

    def all(self) -> list[str]:
        return [str(row[0]) for row in self.database.read("SELECT word FROM words")][1:]


def store_in(path: Path, begin: Callable[[], object] | None = None) -> DerivedStore[Words]:
    state = PrivateState(str(path))
    return DerivedStore(state.graph, state, Words, what="words", patience=1.0, begin=begin)


def is_damaged(path: str) -> bool:
    """Say whether a file lacks its table, which no open database of it can do without."""
    database = open_database(path)
    try:
        return database.read("SELECT 1 FROM sqlite_master") == []
    finally:
        database.close()


def asked(store: DerivedStore[Words]) -> list[str]:
    def refill() -> None:
        store.open().put("refilled")

    return store.asked(lambda: store.open().all(), refill)


def test_a_file_damaged_while_it_is_open_is_set_aside_and_asked_anew(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.open().put("lost")
    assert asked(store) == ["lost"]
    store.open().database.script("DROP TABLE words")
    assert asked(store) == ["refilled"]
    assert is_damaged(store.path + ".damaged")
    (fault,) = faults(str(tmp_path / "faults.jsonl"))
    assert fault["what"] == "the words could not be used and is rebuilt"
    store.close()


def test_what_another_process_has_mended_meanwhile_stays(tmp_path: Path) -> None:
    late, early = store_in(tmp_path), store_in(tmp_path)
    late.open().put("lost")
    assert asked(early) == ["lost"]
    late.open().database.script("DROP TABLE words")
    assert asked(early) == ["refilled"]
    assert late.asked(lambda: late.open().all()) == ["refilled"]
    assert is_damaged(late.path + ".damaged")
    assert len(faults(str(tmp_path / "faults.jsonl"))) == 1
    late.close()
    early.close()


@pytest.mark.parametrize("version", ["1", "3"])
def test_an_older_release_s_is_set_aside_and_a_newer_one_s_is_left(
    tmp_path: Path, version: str
) -> None:
    store = store_in(tmp_path)
    store.open().database.write("UPDATE words SET word = ?", (version,))
    store.close()
    before = Path(store.path).read_bytes()
    store.open().put("new")
    assert asked(store) == ["new"]
    store.close()
    kept = store.path + ".damaged" if version == "1" else store.path
    assert Path(kept).read_bytes() == before
    assert os.path.exists(store.path + ".damaged") == (version == "1")
    assert asked(store) == (["new"] if version == "1" else [])


def test_where_nothing_can_be_written_rows_are_in_memory() -> None:
    with reachable_directory() as place:
        store = store_in(Path(place))
        os.chmod(place, 0o555)
        for damaged in (False, True):
            if damaged:
                os.chmod(place, 0o755)
                Path(store.path).write_bytes(b"no database at all" * 400)
                os.chmod(place, 0o555)
            with as_ordinary_user():
                store.open().put("in memory")
                assert asked(store) == ["in memory"]
                store.close()
            assert os.listdir(place) == (["graph.db"] if damaged else [])
        os.chmod(place, 0o755)


def test_damage_that_a_new_database_does_not_mend_is_raised(tmp_path: Path) -> None:
    store = store_in(tmp_path)

    def ask() -> None:
        store.open()
        raise NotReadableError("a source")

    for open_it in (store.open, store.open_in_memory):
        open_it()
        with pytest.raises(NotReadableError, match="a source"):
            store.asked(ask)
    store.close()


def test_a_file_is_begun_only_where_there_is_none(tmp_path: Path) -> None:
    begun: list[str] = []
    store = store_in(tmp_path, lambda: begun.append("begun"))
    for _ in range(2):
        store.open()
        store.close()
    store.open_in_memory()
    assert begun == ["begun"]
    store.close()
