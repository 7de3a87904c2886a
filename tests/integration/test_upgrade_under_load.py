"""The tables are brought to a newer version while servers answer: no request fails."""

import itertools
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from integration.test_server_state import two as two  # noqa: PLC0414 -- a fixture
from integration.test_team_serving import repository as repository  # noqa: PLC0414 -- a fixture
from integration.two_machines import API, Two, machine
from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.migrating import Migration, migrate, newest
from satchel.storage.database.postgresql import PostgresDatabase

pytest_plugins = ["postgresql_fixtures"]
_MADE, _OK = 201, 200
#: What a later version may do without being in anybody's way.
_LATER = (
    "ALTER TABLE documents ADD COLUMN later text NOT NULL DEFAULT '';",
    "CREATE INDEX ledger_lines_later ON ledger_lines (project, rev);",
    "CREATE TABLE later (project text PRIMARY KEY, said text NOT NULL);",
    "SELECT pg_sleep(0.5);",
)


def upgraded(url: str, usable_from: int) -> None:
    database = PostgresDatabase(url, MAINTENANCE)
    try:
        step = Migration(newest() + 1, "later", _LATER, "", usable_from)
        assert migrate(database, [step], up_to=step.number) == [step]
    finally:
        database.close()


class Load:
    """Clients that write and read on both machines until they are told to end."""

    def __init__(self, two: Two) -> None:
        self.two, self.token = two, two.new_user()
        self.ended = threading.Event()
        self.statuses: list[int] = []
        self.made = 0

    def run(self, client: int) -> None:
        for number, one in enumerate(itertools.cycle((self.two.a, self.two.b))):
            if self.ended.is_set():
                return
            status, _ = one.post(self.token, f"{client}-{number}", f"client {client} said {number}")
            self.made += status == _MADE
            found = one.ask(self.token, path=f"{API}/search?q=client+said")
            self.statuses += [status, found]

    def around(self, work: object) -> None:
        """Do something while they ask, a second before and after."""
        assert callable(work)
        with ThreadPoolExecutor(4) as threads:
            asking = [threads.submit(self.run, number) for number in range(4)]
            time.sleep(1)
            work()
            time.sleep(1)
            self.ended.set()
            for one in asking:
                one.result()


def test_no_request_fails_while_the_tables_are_migrated(two: Two) -> None:
    load = Load(two)
    load.around(lambda: upgraded(two.url, newest()))
    assert set(load.statuses) == {_MADE, _OK}
    assert two.written() == load.made > 8
    assert two.sql("SELECT MAX(number) FROM satchel.migrations") == newest() + 1


def test_servers_are_replaced_one_after_the_other(
    two: Two, repository: str, tmp_path: Path
) -> None:
    upgraded(two.url, newest())
    with machine(repository, str(tmp_path / "cleo")) as third:
        token = two.new_user()
        assert [one.ask(token) for one in (two.a, third)] == [_OK, _OK]


def test_a_step_that_older_servers_cannot_follow_stops_them(two: Two) -> None:
    """Seeded bug: the step does not say that they may go on."""
    load = Load(two)
    load.around(lambda: upgraded(two.url, newest() + 1))
    assert set(load.statuses) > {_MADE, _OK}
    assert two.written() >= load.made
