"""T33: a SQLite that can lose committed pages of a write-ahead log is never given one."""

import os

import apsw
import pytest

from reliability.stand import say
from satchel.storage.database.sqlite import SqliteDatabase, wal_is_safe

pytestmark = pytest.mark.torture
#: version -> whether its write-ahead log is safe
_VERSIONS = {
    "3.6.23": True,
    "3.7.0": False,
    "3.40.1": False,
    "3.44.5": False,
    "3.44.6": True,
    "3.45.0": False,
    "3.50.4": False,
    "3.50.7": True,
    "3.51.0": False,
    "3.51.2": False,
    "3.51.3": True,
    "3.54.1": True,
}


def mode_of(path: str) -> str:
    """The journal mode that is written in the file's header."""
    with open(path, "rb") as file:
        return "wal" if file.read(20)[18] == 2 else "delete"  # byte 18: file format write version


def used(path: str, version: str) -> str:
    """Use a database as this version would, and say which mode its file has."""
    database = SqliteDatabase(path, version=version)
    database.script("CREATE TABLE IF NOT EXISTS t (x)")
    with database.transaction():
        database.write("INSERT INTO t VALUES (1)")
    rows = database.read("SELECT COUNT(*) FROM t")
    database.close()
    assert rows[0][0]
    return mode_of(path)


def wrong_modes(place: str) -> list[str]:
    wrong = []
    for version, safe in _VERSIONS.items():
        path = os.path.join(place, f"{version}.db")
        if used(path, version) != ("wal" if safe else "delete"):
            wrong.append(f"{version}: a new file is in the wrong mode")
        for other in _VERSIONS:
            before = mode_of(path)
            if used(path, other) != before:
                wrong.append(f"{version} then {other}: a live file was switched")
    return wrong


@pytest.mark.parametrize(("version", "safe"), sorted(_VERSIONS.items()))
def test_the_gate_knows_each_release(version: str, safe: bool) -> None:  # noqa: FBT001
    assert wal_is_safe(version) is safe


def test_new_files_follow_the_gate_and_live_ones_stay(tmp_path: os.PathLike[str]) -> None:
    assert wrong_modes(os.fspath(tmp_path)) == []
    pairs = len(_VERSIONS) ** 2
    say("T33", pairs, f"{len(_VERSIONS)} versions on files of {len(_VERSIONS)} others: affected "
        "ones get no write-ahead log, no live file is switched")  # fmt: skip


def test_the_engine_in_use_is_safe() -> None:
    assert wal_is_safe(apsw.sqlite_lib_version())


def test_a_seeded_bug_is_caught(
    tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gate that lets everything through."""
    monkeypatch.setattr("satchel.storage.database.sqlite.wal_is_safe", bool)
    assert wrong_modes(os.fspath(tmp_path))
