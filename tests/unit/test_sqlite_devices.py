"""A database where a device is linked: the device keeps its rights."""

import contextlib
import os
from pathlib import Path

import pytest

from satchel.core.errors import StoreError
from satchel.storage.database.sqlite import SqliteDatabase


@pytest.fixture
def restricted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What would have been restricted to its owner; nothing is, since it may be the machine's."""
    found: list[str] = []
    monkeypatch.setattr(os, "chmod", lambda path, _mode: found.append(os.path.realpath(path)))
    return found


def test_a_device_in_its_place_stays_open_to_others(tmp_path: Path, restricted: list[str]) -> None:
    """As root this closed `/dev/null` to everybody else on the machine."""
    (tmp_path / "index.db").symlink_to(os.devnull)
    with contextlib.suppress(StoreError):
        SqliteDatabase(str(tmp_path / "index.db")).close()
    assert restricted == []


def test_a_new_database_is_its_owner_s_alone(tmp_path: Path, restricted: list[str]) -> None:
    SqliteDatabase(str(tmp_path / "index.db")).close()
    assert restricted == [str(tmp_path / "index.db")]
