"""Lines are sent in batches: as many statements for a thousand as for one, and no line twice written."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from integration.test_postgresql_pooling import open_memories
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.storage.ledger.lines import sealed
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.team import TeamLedger

pytest_plugins = ["postgresql_fixtures"]


def lines(first: int, count: int) -> list[bytes]:
    records = [
        Record(
            "decision", content=f"the quay {n} is swept", id=f"01TEST{n:020}", ts=1_700_000_000 + n
        )
        for n in range(first, first + count)
    ]
    return [sealed(record)[1].rstrip(b"\n") for record in records]


def statements(url: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Send one line, then many; return how many statements each took, and lines written again."""
    asked: list[str] = []
    rows = PostgresDatabase._rows

    def counted(self: PostgresDatabase, sql: str, values: Sequence[object]) -> object:
        asked.append(sql)
        return rows(self, sql, values)  # type: ignore[arg-type]

    memories = open_memories(url, str(folder))
    ledger, database = memories.ledgers.private("decision"), memories.index.database
    assert isinstance(ledger, TeamLedger)
    assert ledger.append_lines(lines(0, 3)) == 3  # the project's row is there from now on
    monkeypatch.setattr(PostgresDatabase, "_rows", counted)
    took = []
    for first, count in ((10, 1), (100, 700)):
        asked.clear()
        assert ledger.append_lines(lines(first, count)) == count
        took.append(len(asked))
    assert ledger.append_lines(lines(100, 700)) == 0, "what is there is not sent again"
    assert len(memories.index.hashes()[ledger.path]) == 704
    database.read("SELECT pg_stat_force_next_flush()")
    again = (
        "SELECT SUM(n_tup_upd)::int FROM pg_stat_user_tables WHERE relname LIKE 'ledger_lines_p%'"
    )
    took.append(int(database.read(again)[0][0] or 0))
    database.close()
    return took


def test_many_lines_take_as_many_statements_as_one(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, many, again = statements(postgresql_url, tmp_path, monkeypatch)
    assert one == many <= 8
    assert again == 0, "the number of its document stands in the INSERT"


def test_a_statement_for_each_line_is_found_out(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    whole = PostgresDatabase.write_rows

    def one_by_one(
        self: PostgresDatabase, sql: str, rows: Sequence[Sequence[object]], values: Sequence[object]
    ) -> int:
        return sum(whole(self, sql, [row], values) for row in rows)  # type: ignore[misc, list-item, arg-type]

    monkeypatch.setattr(PostgresDatabase, "write_rows", one_by_one)
    one, many, _ = statements(postgresql_url, tmp_path, monkeypatch)
    assert many > 10 * one
