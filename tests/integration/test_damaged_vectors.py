"""An index with a page that two others lead to: a question ends."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from reliability.filling import fill, use_model
from reliability.stand import Stand

_PAGE = 4096
_COUNT = 200
#: Where an inner page of a table says its last child is, and its cells.
_LAST_CHILD, _CELLS = 8, 12


@pytest.fixture
def stand(tmp_path: Path) -> Stand:
    """A project with memories."""
    place = Stand(str(tmp_path))
    with place.workspace() as workspace:
        fill(workspace, [f"harbour {n} burns {n % 9} lamps" for n in range(_COUNT)])
    return place


def test_a_question_ends_where_vectors_lead_back_to_vectors(stand: Stand) -> None:
    with stand.workspace() as workspace:
        use_model(workspace)
        assert workspace.embed().done == _COUNT
        workspace.memories.own.index.compact()
    path = stand.state.index
    data = _read(path)
    root = _root(path, "vectors")
    first = _number(data, root + _number(data, root + _CELLS, 2), 4)
    data[root + _LAST_CHILD : root + _LAST_CHILD + 4] = first.to_bytes(4, "big")
    _write(path, data)
    with stand.workspace() as workspace:
        use_model(workspace)
        found = workspace.recall("which harbour burns", method="semantic").items
        assert "harbour" in found[0].record.content
    assert os.path.exists(path + ".damaged")


def _root(path: str, table: str) -> int:
    """Return the offset of a table's first page."""
    with closing(apsw.Connection(path)) as connection:
        asked = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,))
        return (int(str(asked.fetchall()[0][0])) - 1) * _PAGE


def _number(data: bytearray, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "big")


def _read(path: str) -> bytearray:
    with open(path, "rb") as file:
        return bytearray(file.read())


def _write(path: str, data: bytearray) -> None:
    for ending in ("-wal", "-shm"):
        if os.path.exists(path + ending):
            os.unlink(path + ending)
    with open(path, "wb") as file:
        file.write(data)
